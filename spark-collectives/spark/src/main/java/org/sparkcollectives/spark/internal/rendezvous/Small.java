package org.sparkcollectives.spark.internal.rendezvous;

/**
 * The only operand of a rank, where it is so small that it goes along with the message by which the
 * rank arrives.
 *
 * @param bytes the operand, serialized
 * @param alike whether every operand of the same shape takes as many bytes, so that all ranks bring
 *     theirs like this, or bring something that does not go with it, and none has to wait
 */
@SuppressWarnings("ArrayRecordComponent") // part of a message, which is never compared
public record Small(byte[] bytes, boolean alike) {}
