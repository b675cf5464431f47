@NullMarked
package org.sparkcollectives.ml.internal.training;

import org.jspecify.annotations.NullMarked;
