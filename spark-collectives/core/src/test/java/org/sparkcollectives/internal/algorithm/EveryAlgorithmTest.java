package org.sparkcollectives.internal.algorithm;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.sparkcollectives.internal.conformance.Conformance;
import org.sparkcollectives.internal.conformance.Sweep;
import org.sparkcollectives.verify.Verification;

/**
 * Verifies every algorithm of the registry, its rounds and its volume, on {@link Sweep#problems}
 * for p = 1 to 64 ranks, or as many as the system property {@code verify.maxSize} says. The tag
 * lets the build run it in a JVM of its own, without the agent that measures coverage.
 */
@Tag("plain-jvm")
@Timeout(7200)
final class EveryAlgorithmTest {
  private static final int MAX_SIZE = Integer.getInteger("verify.maxSize", 64);

  static List<Algorithm> algorithms() {
    return Algorithms.all();
  }

  @ParameterizedTest
  @MethodSource("algorithms")
  void isCorrectAndKeepsItsClaims(Algorithm algorithm) {
    for (int size = 1; size <= MAX_SIZE; size++) {
      Sweep.problems(algorithm, size).parallelStream()
          .forEach(
              problem -> {
                Verification report = Conformance.verify(algorithm, problem);
                assertTrue(report.isCorrect(), () -> algorithm + ", " + problem + "\n" + report);
              });
    }
  }

  /** Parts of different lengths, for those algorithms that know them. */
  @ParameterizedTest
  @MethodSource("unevenAlgorithms")
  void isCorrectForPartsOfDifferentLengths(Algorithm algorithm) {
    for (int size = 2; size <= MAX_SIZE; size++) {
      Sweep.unevenProblems(algorithm, size).parallelStream()
          .forEach(
              problem -> {
                Verification report = Conformance.verify(algorithm, problem);
                assertTrue(report.isCorrect(), () -> algorithm + ", " + problem + "\n" + report);
              });
    }
  }

  static List<Algorithm> unevenAlgorithms() {
    return Algorithms.all().stream()
        .filter(algorithm -> algorithm.traits().has(Traits.Feature.UNEVEN))
        .toList();
  }
}
