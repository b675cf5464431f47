@NullMarked
package org.sparkcollectives.ml.internal.rows;

import org.jspecify.annotations.NullMarked;
