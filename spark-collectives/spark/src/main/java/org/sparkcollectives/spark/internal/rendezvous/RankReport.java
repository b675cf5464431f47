package org.sparkcollectives.spark.internal.rendezvous;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.observe.OperationSum;
import org.sparkcollectives.schedule.Collective;

/**
 * What a rank tells of itself with its task's result. It travels as bytes, which every serializer
 * knows.
 *
 * @param computeNanos from the beginning of its task until it met the others
 * @param waitNanos how long it waited there for the last of them
 * @param workNanos from then on to the end of its work
 * @param blockedNanos how long its thread slept in operations, waiting for other ranks
 * @param sentBytes payload sent to other ranks
 * @param receivedBytes payload got from other ranks
 * @param operations what its operations have come to
 * @param left its operand, where it has not waited for the others and the driver is to combine;
 *     else null
 */
public record RankReport(
    long computeNanos,
    long waitNanos,
    long workNanos,
    long blockedNanos,
    long sentBytes,
    long receivedBytes,
    List<OperationSum> operations,
    @Nullable Left left) {

  /**
   * A short operand for the driver.
   *
   * @param partition the first partition that it is made of
   * @param bytes the operand, serialized
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Left(int partition, byte[] bytes) {}

  /**
   * Copies the list.
   *
   * @param computeNanos from the beginning of its task until it met the others
   * @param waitNanos how long it waited there
   * @param workNanos from then on to the end
   * @param blockedNanos how long its thread slept in operations
   * @param sentBytes payload sent to other ranks
   * @param receivedBytes payload got from other ranks
   * @param operations what its operations have come to
   * @param left its operand for the driver, or null
   */
  public RankReport {
    operations = List.copyOf(operations);
  }

  /**
   * The report for the way to the driver.
   *
   * @return bytes that {@link #decode} reads
   */
  public byte[] encode() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      for (long number :
          new long[] {computeNanos, waitNanos, workNanos, blockedNanos, sentBytes, receivedBytes}) {
        out.writeLong(number);
      }
      out.writeInt(operations.size());
      for (OperationSum sum : operations) {
        out.writeUTF(sum.collective().slug());
        out.writeUTF(sum.algorithm());
        out.writeLong(sum.count());
        out.writeLong(sum.bytes());
        out.writeLong(sum.nanos());
        out.writeLong(sum.longestNanos());
        out.writeLong(sum.largestBytes());
        out.writeInt(sum.blocks());
        out.writeBoolean(sum.ordered());
      }
      out.writeInt(left == null ? -1 : left.bytes().length);
      if (left != null) {
        out.writeInt(left.partition());
        out.write(left.bytes());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /**
   * Reads a report.
   *
   * @param bytes what {@link #encode} made in the same version of the library
   * @return the report
   */
  public static RankReport decode(byte[] bytes) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      long[] numbers = new long[6];
      for (int i = 0; i < numbers.length; i++) {
        numbers[i] = in.readLong();
      }
      List<OperationSum> operations = new ArrayList<>();
      for (int left = in.readInt(); left > 0; left--) {
        operations.add(
            new OperationSum(
                Collective.ofSlug(in.readUTF()),
                in.readUTF(),
                in.readLong(),
                in.readLong(),
                in.readLong(),
                in.readLong(),
                in.readLong(),
                in.readInt(),
                in.readBoolean()));
      }
      int length = in.readInt();
      Left left = length < 0 ? null : new Left(in.readInt(), in.readNBytes(length));
      return new RankReport(
          numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5], operations, left);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
