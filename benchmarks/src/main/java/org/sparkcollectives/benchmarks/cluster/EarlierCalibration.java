package org.sparkcollectives.benchmarks.cluster;

import java.util.List;
import org.sparkcollectives.benchmarks.report.Summary;
import org.sparkcollectives.cost.CostModel;
import org.sparkcollectives.cost.LevelCost;
import org.sparkcollectives.internal.calibrate.Calibration;
import org.sparkcollectives.schedule.Level;

/**
 * What reports of 2026-11-21 and before have for a calibration. It knew one level, and measured
 * messages of one pair alone, too.
 *
 * @param parameters α, β and the gap of messages between processes
 * @param points ping-pong between neighbours
 */
record EarlierCalibration(Parameters parameters, List<Point> points) {

  /**
   * The parameters that were measured.
   *
   * @param alphaNanos α
   * @param betaNanosPerByte β
   * @param gapNanos the gap
   */
  record Parameters(double alphaNanos, double betaNanosPerByte, double gapNanos) {}

  /**
   * Messages of one size.
   *
   * @param bytes their size
   * @param allPairs half the round trip while all pairs talk, microseconds
   */
  record Point(long bytes, Summary allPairs) {}

  /**
   * The same as reports have it now, with the built-in γ, which prices used then.
   *
   * @param level how far apart the processes were
   * @return the model, and the messages of all pairs
   */
  Calibration upgraded(Level level) {
    double alpha = parameters.alphaNanos();
    double beta = parameters.betaNanosPerByte();
    LevelCost cost = new LevelCost(alpha, beta, parameters.gapNanos());
    CostModel model = CostModel.DEFAULT.withHost(cost).withNetwork(cost);
    List<Calibration.Sample> samples =
        points.stream()
            .map(
                point ->
                    new Calibration.Sample(
                        level,
                        "ping-pong",
                        point.bytes(),
                        point.allPairs().median() * 1e3,
                        alpha + beta * point.bytes()))
            .toList();
    return new Calibration(model, samples);
  }
}
