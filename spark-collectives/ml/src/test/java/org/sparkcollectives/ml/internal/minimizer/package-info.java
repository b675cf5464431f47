@NullMarked
package org.sparkcollectives.ml.internal.minimizer;

import org.jspecify.annotations.NullMarked;
