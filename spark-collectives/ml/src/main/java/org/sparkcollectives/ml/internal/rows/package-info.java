/** A rank's rows, and what all ranks' rows are like. */
@NullMarked
package org.sparkcollectives.ml.internal.rows;

import org.jspecify.annotations.NullMarked;
