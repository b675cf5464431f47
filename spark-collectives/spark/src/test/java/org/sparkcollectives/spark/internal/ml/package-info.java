/** Collectives and MLlib. */
@NullMarked
package org.sparkcollectives.spark.internal.ml;

import org.jspecify.annotations.NullMarked;
