package org.sparkcollectives.spark;

/**
 * What a partition contributes.
 *
 * @param partition the RDD's partition
 * @param value all its elements, folded into one
 */
record Part(int partition, Object value) {}
