package org.sparkcollectives.spark.internal.rendezvous;

import static java.util.Objects.requireNonNull;

import java.io.ByteArrayOutputStream;
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
 * @param leftResult whether it has left its result for the driver, stored under the attempt's
 *     number: what its task returns is then null, or, where that is an array, an empty value of the
 *     class that it is to get
 * @param left what it has brought, where it has not waited for the others; else null
 */
public record RankReport(
    long computeNanos,
    long waitNanos,
    long workNanos,
    long blockedNanos,
    long sentBytes,
    long receivedBytes,
    List<OperationSum> operations,
    boolean leftResult,
    @Nullable Left left) {

  /**
   * What a rank has brought that has ended without having met the others.
   *
   * @param host the host of its executor
   * @param executor its executor, for people
   * @param stage the stage of its task
   * @param shapes the vectors that it brings: one, or none
   * @param operand the vector, serialized, for the driver to combine with those of the others; null
   *     where it brings nothing
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Left(
      String host, String executor, int stage, List<Shape> shapes, byte @Nullable [] operand) {
    /**
     * What the operand is made of.
     *
     * @return the first partition
     */
    public int partition() {
      return shapes.get(0).partition();
    }

    /** As if it had come and waited for nobody. */
    Wire.Join join(long job, int epoch, int rank) {
      Wire.Member member = Wire.Member.silent(executor, host);
      return new Wire.Join(job, epoch, rank, stage, member, shapes, operand, Members.NONE);
    }
  }

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
   * @param leftResult whether it has left its result
   * @param left what it has brought, where it has not waited, or null
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
    try (WireCodec.Writer out = new WireCodec.Writer(bytes)) {
      out.form();
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
        out.writeLong(sum.largestNanos());
        out.writeLong(sum.largestBytes());
        out.writeInt(sum.blocks());
        out.writeBoolean(sum.ordered());
      }
      out.writeBoolean(leftResult);
      out.writeBoolean(left != null);
      if (left != null) {
        out.text(left.host());
        out.text(left.executor());
        out.writeInt(left.stage());
        out.shapes(left.shapes());
        out.bytes(left.operand());
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
    try (WireCodec.Reader in = new WireCodec.Reader(bytes)) {
      in.form();
      long[] numbers = new long[6];
      for (int i = 0; i < numbers.length; i++) {
        numbers[i] = in.readLong();
      }
      List<OperationSum> operations = new ArrayList<>();
      for (int rest = in.presentCount(); rest > 0; rest--) {
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
      boolean leftResult = in.readBoolean();
      Left left =
          in.readBoolean()
              ? new Left(
                  in.text(), in.text(), in.readInt(), requireNonNull(in.shapes()), in.bytes())
              : null;
      return new RankReport(
          numbers[0],
          numbers[1],
          numbers[2],
          numbers[3],
          numbers[4],
          numbers[5],
          operations,
          leftResult,
          left);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
