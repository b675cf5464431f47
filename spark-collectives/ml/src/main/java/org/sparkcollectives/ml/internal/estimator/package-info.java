/** What the estimators have in common. */
@NullMarked
package org.sparkcollectives.ml.internal.estimator;

import org.jspecify.annotations.NullMarked;
