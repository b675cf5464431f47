package org.sparkcollectives.spark.internal.input;

/**
 * What a partition contributes.
 *
 * @param partition the RDD's partition
 * @param operand all its elements, folded into one operand: a primitive array, or an object where
 *     the operator is one on objects. Nobody else holds it
 */
public record Part(int partition, Object operand) {}
