@NullMarked
package org.sparkcollectives.ml.internal.objective;

import org.jspecify.annotations.NullMarked;
