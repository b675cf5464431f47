package org.sparkcollectives.benchmarks.cluster;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.sparkcollectives.benchmarks.report.Summary;
import org.sparkcollectives.schedule.Collective;

/**
 * The cost model of the network that is measured. All ranks are at it at once, after a pause and a
 * barrier, as when operations are measured: α is what a binomial broadcast of the smallest message
 * takes per round, and the gap what a linear all-to-all of such messages takes beyond α for each
 * further peer. β is the slope of ping-pong between neighbours over the large messages, by least
 * squares.
 *
 * @param parameters α, β and the gap
 * @param points what α and β were fitted to
 */
record Calibration(Parameters parameters, List<Point> points) {
  private static final List<Long> SIZES =
      List.of(8L, 1L << 10, 8L << 10, 64L << 10, 256L << 10, 512L << 10, 1L << 20, 2L << 20);
  private static final long LARGE = 256 << 10;
  private static final int WARM_UP = 2000;
  private static final int PASSES = 3;
  private static final int FEW = 2;
  private static final int MANY = 60;
  private static final int SETTLED = 300;
  private static final String PING = "binomial";
  private static final String LINEAR = "linear";

  /** The gap is at most this part of α: with all of it, nothing would overlap. */
  private static final double MOST_GAP = 0.9;

  /** And at least this part, since a message is work at both ends. */
  private static final double LEAST_GAP = 0.1;

  /**
   * Messages of one size.
   *
   * @param bytes their size
   * @param alone half the round trip while only the first pair talks, microseconds
   * @param allPairs half the round trip while all pairs talk, microseconds
   */
  record Point(long bytes, Summary alone, Summary allPairs) {}

  Calibration {
    points = List.copyOf(points);
  }

  /**
   * Measures.
   *
   * @param processes at least two; of an odd number the last one has no neighbour
   */
  static Calibration measure(HostProcesses processes) throws IOException {
    Map<Long, List<Double>> alone = new LinkedHashMap<>();
    Map<Long, List<Double>> all = new LinkedHashMap<>();
    for (int pass = 0; pass <= PASSES; pass++) {
      for (long bytes : SIZES) {
        if (pass == 0 && bytes >= LARGE) {
          continue; // nothing new is warmed up by these
        }
        int operations = bytes >= LARGE ? FEW : pass == 0 ? WARM_UP : MANY;
        List<Double> one = halves(processes.first(Order.ping(bytes, operations), 2));
        List<Double> each = halves(processes.all(Order.allPing(bytes, Math.min(operations, MANY))));
        if (pass > 0) {
          alone.computeIfAbsent(bytes, key -> new ArrayList<>()).addAll(one);
          all.computeIfAbsent(bytes, key -> new ArrayList<>()).addAll(each);
        }
      }
    }
    List<Point> points = new ArrayList<>();
    alone.forEach(
        (bytes, one) ->
            points.add(
                new Point(
                    bytes, Summary.of(one), Summary.of(Objects.requireNonNull(all.get(bytes))))));
    double alpha = alphaMicros(processes);
    double gap = gapMicros(processes, alpha);
    return new Calibration(parameters(alpha * 1000, beta(points), gap * 1000), points);
  }

  private static double alphaMicros(HostProcesses processes) throws IOException {
    int rounds = Integer.SIZE - Integer.numberOfLeadingZeros(processes.size() - 1);
    return micros(processes, Collective.BROADCAST, PING, SIZES.get(0)) / rounds;
  }

  /** What a peer adds; of two ranks nobody knows, so that it is as much as it can be. */
  private static double gapMicros(HostProcesses processes, double alpha) throws IOException {
    int size = processes.size();
    if (size == 2) {
      return alpha;
    }
    double all = micros(processes, Collective.ALLTOALL, LINEAR, SIZES.get(0) * size);
    return (all - alpha) / (size - 2);
  }

  private static double micros(
      HostProcesses processes, Collective collective, String algorithm, long bytes)
      throws IOException {
    processes.all(Order.run(collective, algorithm, bytes, WARM_UP));
    List<Answer> answers = processes.all(Order.run(collective, algorithm, bytes, SETTLED));
    return Summary.of(Series.micros(answers)).median();
  }

  /** What has been measured, with a gap within its bounds. */
  static Parameters parameters(double alphaNanos, double betaNanosPerByte, double gapNanos) {
    double gap = Math.max(LEAST_GAP * alphaNanos, Math.min(MOST_GAP * alphaNanos, gapNanos));
    return new Parameters(alphaNanos, betaNanosPerByte, gap);
  }

  /** The slope over the large messages, in nanoseconds per byte. */
  static double beta(List<Point> points) {
    List<Point> large = points.stream().filter(p -> p.bytes() >= LARGE).toList();
    double meanBytes = large.stream().mapToDouble(Point::bytes).average().orElseThrow();
    double meanMicros = large.stream().mapToDouble(Calibration::micros).average().orElseThrow();
    double covariance = 0;
    double variance = 0;
    for (Point point : large) {
      double off = point.bytes() - meanBytes;
      covariance += off * (micros(point) - meanMicros);
      variance += off * off;
    }
    return Math.max(covariance / variance * 1000, Double.MIN_NORMAL);
  }

  private static double micros(Point point) {
    return point.allPairs().median();
  }

  private static List<Double> halves(List<Answer> answers) {
    List<Double> micros = new ArrayList<>();
    for (int rank = 0; rank < answers.size(); rank += 2) {
      Answer answer = answers.get(rank);
      for (int i = 0; i < answer.starts().size(); i++) {
        micros.add((answer.ends().get(i) - answer.starts().get(i)) / 2e3);
      }
    }
    return micros;
  }
}
