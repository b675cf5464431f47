package org.sparkcollectives.internal.calibrate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.sparkcollectives.cost.CostModel;
import org.sparkcollectives.cost.LevelCost;
import org.sparkcollectives.internal.cost.LineFit;

class LevelFitTest {
  private static final double SHORT_NANOS = 40.0 * (Trial.SHORT + CostModel.HEADER_BYTES);
  private static final List<LineFit.Point> MESSAGES = points(bytes -> 50_000 + 40 * bytes);

  @Test
  void findsTheSlopeOfMessages() {
    assertEquals(40, LevelFit.beta(50_000, MESSAGES), 1e-6);
  }

  @Test
  void takesTheSlopeOfLongMessagesWhereShortOnesPassAtOnce() {
    double unlimited = 12_500;
    List<LineFit.Point> points = points(bytes -> 50_000 + 40 * Math.max(0, bytes - unlimited));
    assertEquals(40, LevelFit.beta(50_000, points), 1e-6);
  }

  @Test
  void noiseLeavesTheSlopePositive() {
    assertEquals(
        10.0 / (1 << 20), LevelFit.beta(0, points(bytes -> bytes < 1 << 20 ? 50 : 10)), 1e-9);
  }

  @Test
  void aSlopeThatNoiseHidesIsWhatTheLongestMessageTakesMoreThanAShortOne() {
    double[] micros = {600, 700, 650, 660};
    List<LineFit.Point> points =
        IntStream.range(0, micros.length)
            .mapToObj(i -> new LineFit.Point(1 << (18 + i), 1e3 * micros[i]))
            .toList();
    assertEquals(610e3 / (1 << 21), LevelFit.beta(50e3, points), 1e-9);
    assertEquals(66e3 / (1 << 21), LevelFit.beta(640e3, points), 1e-9);
  }

  /** 10 Gbit/s, of which the longest message takes a twelfth of its time. */
  @Test
  void farHostsHaveTheSlopeOfTheirMessages() {
    double[] noise = {20e3, -20e3, -20e3, 20e3};
    List<LineFit.Point> points =
        IntStream.range(0, noise.length)
            .mapToObj(
                i -> new LineFit.Point(1 << (18 + i), 20e6 + 0.8 * (1 << (18 + i)) + noise[i]))
            .toList();
    assertEquals(0.8, LevelFit.beta(20e6, points), 0.02);
  }

  @Test
  void alphaIsAMessageWithoutItsBytes() {
    LevelCost cost = LevelFit.of(50_000 + SHORT_NANOS, 9_000, MESSAGES);
    assertEquals(50_000, cost.alphaNanos(), 1e-6);
    assertEquals(50_000 + SHORT_NANOS, arrives(cost), 1e-6);
    assertTrue(LevelFit.of(SHORT_NANOS / 2, 1, MESSAGES).alphaNanos() > 0);
  }

  @Test
  void theGapIsPartOfAlpha() {
    double message = 50_000 + SHORT_NANOS;
    LevelCost cost = LevelFit.of(message, 7_000, MESSAGES);
    assertEquals(7_000, cost.occupiedNanos(Trial.SHORT, 1), 1e-6);
    assertEquals(45_000, LevelFit.of(message, 60_000, MESSAGES).gapNanos(), 1e-6);
    assertEquals(5_000, LevelFit.of(message, -1_000, MESSAGES).gapNanos(), 1e-6);
    assertEquals(5_000, LevelFit.of(message, SHORT_NANOS / 2, MESSAGES).gapNanos(), 1e-6);
  }

  @Test
  void ofTwoRanksTheGapIsAsMuchAsItCanBe() {
    LevelCost cost = LevelFit.of(50_000 + SHORT_NANOS, Double.NaN, MESSAGES);
    assertEquals(45_000, cost.gapNanos(), 1e-6);
  }

  @Test
  void theMedianIsInTheMiddle() {
    assertEquals(2, LevelFit.median(new double[] {9, 1, 2}));
    assertEquals(3, LevelFit.median(new double[] {9, 1, 2, 4}));
  }

  private static double arrives(LevelCost cost) {
    return cost.occupiedNanos(Trial.SHORT, 1) + cost.latencyNanos(Trial.SHORT, 1);
  }

  private static List<LineFit.Point> points(DoubleUnaryOperator nanos) {
    return DoubleStream.of(1 << 18, 1 << 19, 1 << 20)
        .mapToObj(bytes -> new LineFit.Point(bytes, nanos.applyAsDouble(bytes)))
        .toList();
  }
}
