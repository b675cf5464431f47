/**
 * Collectives on Spark: {@link org.sparkcollectives.spark.JavaCollectives} is the entry. What is
 * here is for users; the rooms behind it are in {@code internal}: barrier jobs whose ranks find
 * each other through the driver's RPC, bounded retry, results that stay on the executors, and
 * settings. Each use of what Spark keeps to itself stands behind one small class.
 */
@NullMarked
package org.sparkcollectives.spark;

import org.jspecify.annotations.NullMarked;
