package org.sparkcollectives.internal.algorithm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkcollectives.internal.conformance.Sweep;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Topology;

/**
 * The formulas that algorithms are listed with against the numbers that they claim, which {@link
 * EveryAlgorithmTest} compares with the schedules. All problems of {@link Sweep} up to {@value
 * #SWEPT} ranks are taken, and some of up to 1025.
 */
final class FormulaClaimsTest {
  private static final int SWEPT = 33;
  private static final int[] LARGE = {63, 64, 65, 100, 127, 128, 129, 192, 300};
  private static final int[] LARGER = {1000, 1023, 1024, 1025};
  private static final int[] RANKS_PER_HOST = {2, 3, 8, 1000};
  private static final int MANY_BLOCKS = 1024;

  /** By what part a bound may exceed the claim that is nearest to it. */
  private static final double NEAR = 0.05;

  private static final double EXACT = 1e-6;

  static List<Algorithm> algorithms() {
    return Algorithms.all();
  }

  @ParameterizedTest
  @MethodSource("algorithms")
  void roundsAreTheFormulas(Algorithm algorithm) {
    Formula formula = Formula.of(algorithm.traits().roundsFormula());
    check(formula, algorithm::rounds, problems(algorithm, LARGER));
  }

  @ParameterizedTest
  @MethodSource("algorithms")
  void blocksSentAreTheFormulas(Algorithm algorithm) {
    check(Formula.of(algorithm.traits().sentFormula()), algorithm::blocksSent, problems(algorithm));
  }

  /** The check itself: too small, exact where it is none, and too far from every claim. */
  @ParameterizedTest
  @ValueSource(
      strings = {"p - 3 + b", "<= p - 3 + b", "p - 1 + b", "<= 2p + 2b", "<= p - 2 + b; b = 0: 1"})
  void wrongFormulasAreFound(String text) {
    Algorithm chain = Algorithms.find(Collective.BROADCAST, "linear-pipeline");
    assertThrows(
        AssertionError.class, () -> check(Formula.of(text), chain::rounds, problems(chain)));
  }

  private static void check(
      Formula formula, ToLongFunction<Problem> claim, Stream<Problem> problems) {
    double[] nearest = new double[formula.cases()];
    Arrays.fill(nearest, Double.MAX_VALUE);
    problems.forEach(
        problem -> {
          long claimed = claim.applyAsLong(problem);
          double value = formula.evaluate(problem);
          if (problem.size() < Formula.LEAST_RANKS || formula.isBound(problem)) {
            assertTrue(
                claimed <= value + EXACT, () -> formula + ", " + problem + " takes " + claimed);
          } else {
            assertEquals((double) claimed, value, EXACT, () -> formula + ", " + problem);
          }
          if (problem.size() >= Formula.LEAST_RANKS) {
            int number = formula.caseNumber(problem);
            double excess = (value - claimed) / Math.max(claimed, 1);
            nearest[number] = Math.min(nearest[number], value - claimed < 1 ? 0 : excess);
          }
        });
    for (int number = 0; number < nearest.length; number++) {
      int each = number;
      assertTrue(
          nearest[number] <= NEAR,
          () -> formula + ", value " + each + " is no claim's: nearest by " + nearest[each]);
    }
  }

  private static Stream<Problem> problems(Algorithm algorithm, int... more) {
    Stream<Problem> swept =
        IntStream.rangeClosed(2, SWEPT)
            .boxed()
            .flatMap(size -> Sweep.problems(algorithm, size).stream());
    boolean hosts = algorithm.traits().has(Traits.Feature.HIERARCHICAL);
    IntStream sizes =
        hosts ? Arrays.stream(LARGE) : IntStream.concat(Arrays.stream(LARGE), Arrays.stream(more));
    return Stream.concat(
            swept, sizes.boxed().flatMap(size -> large(algorithm, size, hosts).stream()))
        .filter(problem -> algorithm.refusal(problem) == null);
  }

  private static List<Problem> large(Algorithm algorithm, int size, boolean hosts) {
    Collective collective = algorithm.collective();
    boolean pairs = collective == Collective.ALLTOALL;
    int[] numbers = {1, 2, 3, 8, 64, size - 1, size, 2 * size + 1, MANY_BLOCKS};
    int[] roots = collective.rooted() ? new int[] {0, 1, size / 2, size - 1} : new int[] {0};
    List<Problem> problems = new ArrayList<>();
    for (int blocks : pairs ? new int[] {size * size} : numbers) {
      for (int root : roots) {
        Problem problem = new Problem(collective, size, root, blocks, false);
        problems.add(problem);
        if (algorithm.traits().keepsOrder()) {
          problems.add(new Problem(collective, size, root, blocks, true));
        }
        for (int length : hosts ? RANKS_PER_HOST : new int[0]) {
          Topology topology = hosts(size, length);
          problems.add(problem.on(topology));
          if (algorithm.traits().keepsOrder()) {
            problems.add(new Problem(collective, size, root, blocks, true, topology));
          }
        }
      }
    }
    return problems;
  }

  private static Topology hosts(int size, int length) {
    return Topology.ofHosts(IntStream.range(0, size).map(rank -> rank / length).boxed().toList());
  }
}
