package org.sparkcollectives.internal.calibrate;

import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import org.sparkcollectives.cost.CostModel;
import org.sparkcollectives.cost.LevelCost;
import org.sparkcollectives.internal.cost.LineFit;

/**
 * The cost of a level that explains the times of its trials.
 *
 * <ul>
 *   <li>β is the slope over long messages there and back. Short ones say nothing about it: an idle
 *       network card may let them pass at once. Where times scatter so much that the slope may be
 *       nothing, what the longest message takes more than a short one bounds it.
 *   <li>α is what each of an allreduce's 2 log2 n messages takes that wait for one another, without
 *       its bytes.
 *   <li>The gap is what a further peer adds to an all-to-all of short messages, and between {@link
 *       #LEAST_GAP} and {@link #MOST_GAP} of α. Two ranks have no further peer; nobody knows it
 *       then, and it is as much as it can be.
 * </ul>
 */
final class LevelFit {
  /** The part of α that the gap is at least: a message is work for the processors of both ends. */
  static final double LEAST_GAP = 0.1;

  /** The part of α that the gap is at most: with all of it, nothing would overlap. */
  static final double MOST_GAP = 0.9;

  /** α where noise leaves nothing of it, as the part of the time of a short message. */
  private static final double LEAST_ALPHA = 0.1;

  /** Of how many times its standard error a slope has to be more. */
  private static final double CERTAIN = 2;

  /** What bytes take of the longest message where noise leaves nothing of it, as a part. */
  private static final double LEAST_TRANSFER = 0.1;

  private LevelFit() {}

  /**
   * Fits the cost of a level.
   *
   * @param message the time of a short message: of a {@link Trial#allReduce}, per round
   * @param further what each further peer adds to a {@link Trial#allToAll}, or NaN where there is
   *     none
   * @param messages payloads of long messages, and their times
   * @return α, β and the gap
   */
  static LevelCost of(double message, double further, List<LineFit.Point> messages) {
    double beta = beta(message, messages);
    double transfer = beta * (Trial.SHORT + CostModel.HEADER_BYTES);
    double alpha = Math.max(LEAST_ALPHA * message, message - transfer);
    double gap = MOST_GAP * alpha;
    if (!Double.isNaN(further)) {
      // While the processors are busy with a message, the network is with the one before.
      double squared = further > transfer ? further * further - transfer * transfer : 0;
      gap = Math.max(LEAST_GAP * alpha, Math.min(gap, Math.sqrt(squared)));
    }
    return new LevelCost(alpha, beta, gap);
  }

  /**
   * The slope; where noise hides it or makes it negative, what the longest message takes more than
   * a short one, by its bytes.
   */
  static double beta(double message, List<LineFit.Point> messages) {
    LineFit line = LineFit.of(messages);
    if (line.beta() > CERTAIN * line.betaError(messages)) {
      return line.beta();
    }
    LineFit.Point longest = Collections.max(messages, Comparator.comparingDouble(LineFit.Point::x));
    double transfer = Math.max(longest.nanos() - message, LEAST_TRANSFER * longest.nanos());
    return Math.max(line.beta(), transfer / longest.x());
  }

  /** The middle one of some times, or the mean of the middle two. */
  static double median(double[] times) {
    double[] sorted = times.clone();
    Arrays.sort(sorted);
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}
