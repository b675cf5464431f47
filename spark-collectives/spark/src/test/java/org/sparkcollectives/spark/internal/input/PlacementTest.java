package org.sparkcollectives.spark.internal.input;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PlacementTest {
  private static final List<ExecutorSlots> FOUR =
      IntStream.range(0, 4).mapToObj(i -> new ExecutorSlots("" + i, "host" + i / 2, 1)).toList();

  /** Cached in the executors of these numbers, -1 for nowhere. */
  private static List<List<String>> cached(int... executors) {
    return Arrays.stream(executors)
        .mapToObj(
            i -> i < 0 ? List.<String>of() : List.of(ExecutorSlots.place("host" + i / 2, "" + i)))
        .toList();
  }

  private static String text(Placement placement) {
    return placement.ranks().stream()
        .map(
            rank -> Arrays.toString(rank.partitions()) + "@" + rank.place().replaceFirst(".*_", ""))
        .collect(Collectors.joining(" "));
  }

  @Test
  void partitionsGoWhereTheyAreAndWhatDoesNotFitElsewhere() {
    assertEquals(
        "[0]@2 [1]@0 [2]@3 [3]@1",
        text(Placement.of(cached(2, 0, 3, 1), FOUR, 4, false)),
        "one each");
    assertEquals("[0]@0 [1]@3 [2]@1 [3]@2", text(Placement.of(cached(0, 0, 1, 2), FOUR, 4, false)));
    assertEquals("[0]@1 [1]@0 [2]@2 [3]@3", text(Placement.of(cached(1, 1, 1, 1), FOUR, 4, false)));
    assertEquals(
        "[0, 4]@0 [1, 5]@1 [2, 6]@2 [3, 7]@3",
        text(Placement.of(cached(0, 1, 2, 3, 0, 1, 2, 3), FOUR, 4, false)));
    assertEquals(
        "[0, 1]@3 [2, 3]@2 [4]@0 [5]@1",
        text(Placement.of(cached(3, 3, 2, 2, -1, -1), FOUR, 4, false)));
  }

  @Test
  void consecutivePartitionsGoWhereMostOfThemAre() {
    assertEquals(
        "[0, 1]@3 [2, 3]@0 [4, 5]@1 [6, 7]@2",
        text(Placement.of(cached(3, 3, 0, -1, 3, 1, 3, 3), FOUR, 4, true)));
    assertEquals(
        "[0, 1]@0 [2, 3]@1 [4, 5]@2 [6, 7]@3",
        text(Placement.of(cached(-1, -1, -1, -1, -1, -1, -1, -1), FOUR, 4, true)));
  }

  @Test
  void partitionsWithoutPlacesAreConsecutiveEvenWhereOrderDoesNotCount() {
    assertEquals(
        "[0, 1]@0 [2, 3, 4]@1 [5, 6]@2 [7, 8, 9]@3",
        text(Placement.of(Collections.nCopies(10, List.of()), FOUR, 4, false)));
  }

  @Test
  void aHostIsAnyOfItsExecutors() {
    List<List<String>> onHosts = List.of(List.of("host1"), List.of("host1"), List.of("elsewhere"));
    assertEquals("[0]@2 [1]@3 [2]@0", text(Placement.of(onHosts, FOUR, 4, false)));
  }

  @Test
  void placesAreReadAsSparkReadsThem() {
    List<List<String>> cached = List.of(List.of("hdfs_cache_host1"), List.of("hdfs_cache_host1"));
    assertEquals("[0]@2 [1]@3", text(Placement.of(cached, FOUR, 4, false)));
    List<List<String>> gone = List.of(List.of("executor_host1_17"), List.of("executor_host1_3"));
    assertEquals("[0]@2 [1]@3", text(Placement.of(gone, FOUR, 4, false)), "its host is there");
    List<List<String>> bad = List.of(List.of("executor_host1"), List.of("executor_"));
    assertEquals("[0]@0 [1]@1", text(Placement.of(bad, FOUR, 4, false)));
  }

  /** Spark takes the host of an executor to end at the first underscore. */
  @Test
  void ofAHostWithAnUnderscoreSparkIsToldTheHostAlone() {
    List<ExecutorSlots> executors =
        List.of(new ExecutorSlots("0", "worker_1", 1), new ExecutorSlots("1", "worker_1", 1));
    List<List<String>> cached =
        List.of(
            List.of(ExecutorSlots.place("worker_1", "1")),
            List.of(ExecutorSlots.place("worker_1", "0")));
    Placement placement = Placement.of(cached, executors, 2, false);
    assertEquals("[0]@1 [1]@0", text(placement), "the executors are told apart here");
    for (Placement.Rank rank : placement.ranks()) {
      assertEquals("worker_1", ExecutorSlots.readable(rank.place()));
    }
    assertEquals("executor_host1_2", ExecutorSlots.readable(ExecutorSlots.place("host1", "2")));
  }

  @Test
  void fewerRanksThanSlotsAreSpread() {
    List<ExecutorSlots> uneven =
        List.of(new ExecutorSlots("0", "a", 3), new ExecutorSlots("1", "b", 2));
    assertEquals("[0]@0 [1]@1", text(Placement.of(cached(-1, -1), uneven, 5, true)));
    assertEquals(2, Placement.of(cached(-1, -1, -1), uneven, 2, true).size());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void everyPartitionIsDealtOnceAndEvenlyAndNoExecutorHasMoreRanksThanSlots(boolean consecutive) {
    Random random = new Random(17);
    for (int round = 0; round < 2_000; round++) {
      List<ExecutorSlots> executors = new ArrayList<>();
      int count = 1 + random.nextInt(6);
      for (int i = 0; i < count; i++) {
        executors.add(new ExecutorSlots("" + i, "host" + i / 2, 1 + random.nextInt(4)));
      }
      int[] homes = new int[1 + random.nextInt(40)];
      int skew = 1 + random.nextInt(count);
      Arrays.setAll(homes, i -> random.nextInt(skew + 1) - 1);
      int slots = executors.stream().mapToInt(ExecutorSlots::slots).sum();
      int most = 1 + random.nextInt(slots + 2);
      Placement placement = Placement.of(cached(homes), executors, most, consecutive);

      String told = "round " + round + ": " + text(placement);
      assertEquals(Math.min(homes.length, Math.min(most, slots)), placement.size(), told);
      int[] all =
          placement.ranks().stream().flatMapToInt(r -> Arrays.stream(r.partitions())).toArray();
      if (!consecutive) {
        Arrays.sort(all);
      }
      assertArrayEquals(IntStream.range(0, homes.length).toArray(), all, told);
      Map<String, Integer> ranks = new HashMap<>();
      placement.ranks().forEach(rank -> ranks.merge(rank.place(), 1, Integer::sum));
      executors.forEach(e -> assertTrue(ranks.getOrDefault(e.place(), 0) <= e.slots(), told));
      var sizes = placement.ranks().stream().mapToInt(r -> r.partitions().length);
      var spread = sizes.summaryStatistics();
      assertTrue(spread.getMax() - spread.getMin() <= 1, told);
    }
  }
}
