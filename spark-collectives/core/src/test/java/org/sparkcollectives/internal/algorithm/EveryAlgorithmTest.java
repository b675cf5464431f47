package org.sparkcollectives.internal.algorithm;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.sparkcollectives.internal.conformance.Conformance;
import org.sparkcollectives.internal.conformance.Sweep;
import org.sparkcollectives.schedule.Problem;
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

  private static final ExecutorService POOL =
      Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());

  static List<Algorithm> algorithms() {
    return Algorithms.all();
  }

  @AfterAll
  static void stop() {
    POOL.shutdownNow();
  }

  @ParameterizedTest
  @MethodSource("algorithms")
  void isCorrectAndKeepsItsClaims(Algorithm algorithm) throws Exception {
    verify(algorithm, 1, Sweep::problems);
  }

  /** Parts of different lengths, for those algorithms that know them. */
  @ParameterizedTest
  @MethodSource("unevenAlgorithms")
  void isCorrectForPartsOfDifferentLengths(Algorithm algorithm) throws Exception {
    verify(algorithm, 2, Sweep::unevenProblems);
  }

  /**
   * As many at a time as there are processors; of those that fail, tells of one of the smallest
   * size.
   */
  private static void verify(
      Algorithm algorithm, int from, BiFunction<Algorithm, Integer, List<Problem>> problems)
      throws Exception {
    List<Problem> all =
        IntStream.rangeClosed(from, MAX_SIZE)
            .boxed()
            .flatMap(size -> problems.apply(algorithm, size).stream())
            .toList();
    List<Callable<Verification>> tasks = new ArrayList<>();
    for (Problem problem : all) {
      tasks.add(() -> Conformance.verify(algorithm, problem));
    }
    List<Future<Verification>> reports = POOL.invokeAll(tasks);
    for (int i = 0; i < all.size(); i++) {
      Problem problem = all.get(i);
      Verification report = reports.get(i).get();
      assertTrue(report.isCorrect(), () -> algorithm + ", " + problem + "\n" + report);
    }
  }

  static List<Algorithm> unevenAlgorithms() {
    return Algorithms.all().stream()
        .filter(algorithm -> algorithm.traits().has(Traits.Feature.UNEVEN))
        .toList();
  }
}
