@NullMarked
package org.sparkcollectives.ml.internal.iteration;

import org.jspecify.annotations.NullMarked;
