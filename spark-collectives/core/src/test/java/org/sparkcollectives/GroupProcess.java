package org.sparkcollectives;

import java.time.Duration;
import org.sparkcollectives.error.CollectiveException;
import org.sparkcollectives.vector.ReduceOp;

/** A process that opens a group, sums over some communicators, and prints how that went. */
final class GroupProcess {
  /** The line that says that the process is about to open the group. */
  static final String OPENS = "OPENS";

  /** What the line starts with that says where rank 0 listens. */
  static final String LISTENS = "LISTENS ";

  /** What the last line starts with when all went well; sums of two communicators follow. */
  static final String SUMS = "SUMS ";

  /** What the last line starts with when it did not: milliseconds, class and message. */
  static final String FAILED = "FAILED ";

  private GroupProcess() {}

  /**
   * Runs a rank.
   *
   * @param args size, rank, rank 0's address, secret, milliseconds to meet
   */
  public static void main(String[] args) {
    long start = System.nanoTime();
    GroupOptions options =
        GroupOptions.builder()
            .size(Integer.parseInt(args[0]))
            .rank(Integer.parseInt(args[1]))
            .first(args[2])
            .secret(args[3])
            .timeout(Duration.ofMillis(Long.parseLong(args[4])))
            .listening(address -> System.out.println(LISTENS + address))
            .build();
    System.out.println(OPENS);
    try (Group group = Group.open(options);
        Communicator one = group.communicator();
        Communicator two = group.communicator()) {
      long[] sum = one.allReduce(new long[] {group.rank() + 1}, ReduceOp.SUM);
      long[] product = two.allReduce(new long[] {group.rank() + 1}, ReduceOp.PROD);
      one.barrier();
      System.out.println(SUMS + sum[0] + " " + product[0]);
    } catch (CollectiveException e) {
      long millis = (System.nanoTime() - start) / 1_000_000;
      System.out.println(
          FAILED + millis + " " + e.getClass().getSimpleName() + " " + e.getMessage());
    }
  }
}
