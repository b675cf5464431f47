package org.sparkcollectives.ml.internal.objective;

import java.util.ArrayList;
import java.util.List;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.error.CollectiveException;
import org.sparkcollectives.internal.error.ErrorText;
import org.sparkcollectives.vector.ReduceOp;

/**
 * By what ranks that are to hold the same numbers learn, all at once, that they do not: a hash of
 * them and its square go into a message that is summed anyway. The sum of squares times the number
 * of ranks is the square of the sum exactly if all hashes are the same (Cauchy and Schwarz).
 */
public final class SameBits {
  /** How many numbers of a message it takes. */
  public static final int LENGTH = 2;

  /** So short that squares of the sums over all ranks are exact. */
  private static final int HASH_BITS = 16;

  private final Communicator communicator;
  private final String numbers;
  private final String moment;

  /**
   * A check of such numbers.
   *
   * @param communicator the ranks
   * @param numbers what they hold, for people, as in <em>coefficients</em>
   * @param moment when they do, for people, as in <em>iteration</em>
   */
  public SameBits(Communicator communicator, String numbers, String moment) {
    this.communicator = communicator;
    this.numbers = numbers;
    this.moment = moment;
  }

  /**
   * Puts a hash into a message.
   *
   * @param hash that of this rank's numbers
   * @param message the message
   * @param at where it begins
   */
  public void put(int hash, double[] message, int at) {
    long brief = (hash ^ (hash >>> HASH_BITS)) & ((1L << HASH_BITS) - 1);
    message[at] = brief;
    message[at + 1] = brief * brief;
  }

  /**
   * Refuses to go on where not all hashes were the same.
   *
   * @param hash that of this rank's numbers
   * @param sums the sums of all ranks' messages
   * @param at where hashes begin
   * @param number which moment it is
   * @throws CollectiveException on all ranks if they were not; it names those that do not hold what
   *     rank 0 does
   */
  public void check(int hash, double[] sums, int at, int number) {
    long sum = (long) sums[at];
    if (sum * sum != communicator.size() * (long) sums[at + 1]) {
      throw disagreement(communicator.allGather(new int[] {hash}), number);
    }
  }

  /**
   * Does both in a message of its own, for numbers that no message of doubles follows; a collective
   * call.
   *
   * @param hash that of this rank's numbers
   * @param number which moment it is
   * @throws CollectiveException as {@link #check} does
   */
  public void require(int hash, int number) {
    double[] message = new double[LENGTH];
    put(hash, message, 0);
    communicator.allReduce(message, ReduceOp.SUM);
    check(hash, message, 0, number);
  }

  private CollectiveException disagreement(int[] hashes, int number) {
    List<Integer> others = new ArrayList<>();
    for (int rank = 1; rank < hashes.length; rank++) {
      if (hashes[rank] != hashes[0]) {
        others.add(rank);
      }
    }
    return new CollectiveException(
        ErrorText.of(
            "ranks "
                + others
                + " are at other "
                + numbers
                + " than rank 0 in "
                + moment
                + " "
                + number,
            "their executors do not compute the same bits",
            "give all hosts the same JVM and the same BLAS library, or none"
                + " (-Ddev.ludovic.netlib.blas.nativeLibPath)"),
        null);
  }
}
