package org.sparkcollectives.internal.cost;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class LineFitTest {

  @Test
  void pointsOnALineGiveTheLine() {
    List<LineFit.Point> points = new ArrayList<>();
    for (double x = 8; x < 1e7; x *= 8) {
      points.add(new LineFit.Point(x, 30_000 + 0.8 * x));
    }
    LineFit fit = LineFit.of(points);
    assertEquals(30_000, fit.alpha(), 1);
    assertEquals(0.8, fit.beta(), 1e-6);
  }

  @Test
  void noiseThatIsLittleBesideLongMessagesDoesNotTurnTheLine() {
    SplittableRandom random = new SplittableRandom(7);
    List<LineFit.Point> points = new ArrayList<>();
    for (double x = 1 << 18; x < 4e6; x *= 2) {
      points.add(new LineFit.Point(x, 30_000 + 0.8 * x + random.nextDouble(-20_000, 20_000)));
    }
    assertEquals(0.8, LineFit.of(points).beta(), 0.02);
  }

  @Test
  void onePointIsNoLine() {
    LineFit.Point point = new LineFit.Point(8, 5);
    assertThrows(IllegalArgumentException.class, () -> LineFit.of(List.of(point, point)));
  }
}
