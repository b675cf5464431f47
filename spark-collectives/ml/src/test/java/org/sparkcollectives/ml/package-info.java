/** Tests of the estimators, against MLlib's in the same cluster. */
@NullMarked
package org.sparkcollectives.ml;

import org.jspecify.annotations.NullMarked;
