package org.sparkcollectives.benchmarks.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.sparkcollectives.benchmarks.report.Summary;

class CalibrationTest {

  @Test
  void findsTheLineThatMessagesLieOn() {
    List<Calibration.Point> points =
        Stream.of(8L, 1L << 18, 1L << 20, 1L << 22).map(b -> point(b, 50 + 0.04 * b)).toList();
    Calibration fitted = Calibration.fit(points, 7_000);
    assertEquals(50_000, fitted.parameters().alphaNanos(), 1e-3);
    assertEquals(40, fitted.parameters().betaNanosPerByte(), 1e-6);
    assertEquals(7_000, fitted.parameters().gapNanos());
    assertEquals(40_050_000, fitted.parameters().nanos(1e6), 1);
  }

  @Test
  void takesTheSlopeOfLargeMessagesWhereSmallOnesPassAtOnce() {
    double unlimited = 12_500;
    List<Calibration.Point> points =
        Stream.of(8L, 1L << 18, 1L << 20, 1L << 22)
            .map(b -> point(b, 50 + 0.04 * Math.max(0, b - unlimited)))
            .toList();
    Calibration fitted = Calibration.fit(points, 7_000);
    assertEquals(40, fitted.parameters().betaNanosPerByte(), 1e-6);
    assertEquals(50_000 - 8 * 40, fitted.parameters().alphaNanos(), 1e-3);
  }

  private static Calibration.Point point(long bytes, double micros) {
    Summary summary = Summary.of(List.of(micros));
    return new Calibration.Point(bytes, summary, summary);
  }
}
