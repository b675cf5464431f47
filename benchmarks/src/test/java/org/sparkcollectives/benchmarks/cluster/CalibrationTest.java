package org.sparkcollectives.benchmarks.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.sparkcollectives.benchmarks.report.Summary;

class CalibrationTest {

  @Test
  void findsTheSlopeOfMessages() {
    List<Calibration.Point> points =
        Stream.of(8L, 1L << 18, 1L << 20, 1L << 22).map(b -> point(b, 50 + 0.04 * b)).toList();
    assertEquals(40, Calibration.beta(points), 1e-6);
  }

  @Test
  void takesTheSlopeOfLargeMessagesWhereSmallOnesPassAtOnce() {
    double unlimited = 12_500;
    List<Calibration.Point> points =
        Stream.of(8L, 1L << 18, 1L << 20, 1L << 22)
            .map(b -> point(b, 50 + 0.04 * Math.max(0, b - unlimited)))
            .toList();
    assertEquals(40, Calibration.beta(points), 1e-6);
  }

  @Test
  void theGapIsPartOfAlpha() {
    Parameters fitted = Calibration.parameters(50_000, 40, 7_000);
    assertEquals(7_000, fitted.gapNanos());
    assertEquals(40_050_000, fitted.nanos(1e6), 1);
    assertEquals(45_000, Calibration.parameters(50_000, 40, 60_000).gapNanos());
    assertEquals(5_000, Calibration.parameters(50_000, 40, -1_000).gapNanos());
  }

  private static Calibration.Point point(long bytes, double micros) {
    Summary summary = Summary.of(List.of(micros));
    return new Calibration.Point(bytes, summary, summary);
  }
}
