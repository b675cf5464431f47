/**
 * Collectives on Spark: barrier jobs whose ranks find each other through the driver's RPC, bounded
 * retry, results that stay on the executors, and settings. {@link
 * org.sparkcollectives.spark.JavaCollectives} is the entry. The only package besides {@code ml}
 * that names Spark; each use of what Spark keeps to itself stands behind one small class.
 */
@NullMarked
package org.sparkcollectives.spark;

import org.jspecify.annotations.NullMarked;
