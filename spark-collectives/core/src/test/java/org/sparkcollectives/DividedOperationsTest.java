package org.sparkcollectives;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkcollectives.error.CollectiveException;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.error.RankFailedException;
import org.sparkcollectives.internal.algorithm.Algorithm;
import org.sparkcollectives.internal.algorithm.Algorithms;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Topology;
import org.sparkcollectives.select.Request;
import org.sparkcollectives.vector.ObjectCodec;
import org.sparkcollectives.vector.ReduceOp;

/**
 * Every operation on parts, by every algorithm, on equal parts and on parts of any length, held
 * against a plain loop.
 */
@Timeout(180)
class DividedOperationsTest {
  private static final CommunicatorOptions OPTIONS =
      CommunicatorOptions.DEFAULT.withTimeout(Duration.ofSeconds(30));
  private static final List<Collective> DIVIDED =
      List.of(
          Collective.REDUCE_SCATTER,
          Collective.ALLGATHER,
          Collective.ALLTOALL,
          Collective.SCATTER,
          Collective.GATHER);
  private static final ReduceOp<String> CONCATENATION =
      ReduceOp.ofObjects("concatenation", false, String::concat);

  /** The algorithms that solve a problem, and the library's choice. */
  private static List<@Nullable String> slugs(
      Collective collective, int size, int root, boolean ordered) {
    int blocks = collective == Collective.ALLTOALL ? size * size : size;
    List<@Nullable String> slugs = new ArrayList<>();
    slugs.add(null);
    for (Algorithm a : Algorithms.of(collective)) {
      boolean suits = !ordered || a.traits().keepsOrder();
      if (suits && a.refusal(new Problem(collective, size, root, blocks, ordered)) == null) {
        slugs.add(a.slug());
      }
    }
    return slugs;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9})
  void arrays(int size) {
    Group.threads(
        size,
        OPTIONS,
        c -> {
          for (int seed = 0; seed < 3; seed++) {
            RankCheck check = new RankCheck(c, seed);
            for (Collective collective : DIVIDED) {
              check.check(collective, null, collective.reducing(), 0);
              Algorithms.of(collective).forEach(check::check);
            }
          }
          return null;
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9})
  void objects(int size) {
    List<String> ranks = IntStream.range(0, size).mapToObj(r -> "r" + r).toList();
    int root = size / 2;
    Group.threads(
        size,
        OPTIONS,
        c -> {
          String me = "r" + c.rank();
          List<String> forAll = ranks.stream().map(r -> me + ">" + r + ";").toList();
          List<String> fromAll = ranks.stream().map(r -> r + ">" + me + ";").toList();
          for (String slug : slugs(Collective.ALLGATHER, size, 0, false)) {
            assertEquals(ranks, c.by(slug).objects().allGather(me));
          }
          for (String slug : slugs(Collective.ALLTOALL, size, 0, false)) {
            assertEquals(fromAll, c.by(slug).objects().allToAll(forAll));
          }
          for (String slug : slugs(Collective.REDUCE_SCATTER, size, 0, true)) {
            assertEquals(
                String.join("", fromAll),
                c.by(slug).objects().reduceScatter(forAll, CONCATENATION));
          }
          for (String slug : slugs(Collective.SCATTER, size, root, false)) {
            assertEquals(me, c.by(slug).objects().scatter(c.rank() == root ? ranks : null, root));
          }
          for (String slug : slugs(Collective.GATHER, size, root, false)) {
            List<String> all = c.by(slug).objects().gather(me, root);
            assertEquals(c.rank() == root ? ranks : null, all);
          }
          return null;
        });
  }

  /** Operators may change their left operand, which must not be that of another block. */
  @Test
  void oneObjectForAllRanksIsCombinedForEachOfThem() {
    ReduceOp<List<Integer>> union =
        ReduceOp.ofObjects(
            "union",
            true,
            (left, right) -> {
              left.addAll(right);
              return left;
            });
    int size = 4;
    Group.threads(
        size,
        OPTIONS,
        c -> {
          for (String slug : slugs(Collective.REDUCE_SCATTER, size, 0, false)) {
            List<Integer> mine = new ArrayList<>(List.of(c.rank()));
            List<Integer> all =
                c.by(slug).objects().reduceScatter(Collections.nCopies(size, mine), union);
            assertEquals(List.of(0, 1, 2, 3), all.stream().sorted().toList(), slug);
          }
          return null;
        });
  }

  /** Of these lengths the library's choice cuts the long parts. */
  @Test
  void longPartsAreCut() {
    int[] counts = {200_000, 4, 0, 70_002, 40};
    int sum = Arrays.stream(counts).sum();
    Request request =
        Request.of(Collective.ALLGATHER, 5, 8L * sum, false, Topology.FLAT)
            .withCounts(Arrays.stream(counts).boxed().toList());
    assertEquals(
        "pipelined-ring", CommunicatorOptions.DEFAULT.explain(request).choice().algorithm());
    ReduceOp<Object> pairs =
        ReduceOp.ofDoubleTuples(
            "sums of pairs",
            true,
            2,
            (l, i, r, j, out) -> {
              out[0] = l[i] + r[j];
              out[1] = l[i + 1] + r[j + 1];
            });
    Group.threads(
        5,
        OPTIONS,
        c -> {
          int me = c.rank();
          int start = Arrays.stream(counts).limit(me).sum();
          double[] all = c.allGather(filled(counts[me], me + 1), counts);
          double[] expected = new double[sum];
          for (int r = 0, at = 0; r < 5; at += counts[r++]) {
            Arrays.fill(expected, at, at + counts[r], r + 1);
          }
          assertArrayEquals(expected, all);
          double[] own = new double[sum];
          Arrays.setAll(own, i -> i * (me + 1.0));
          double[] part = new double[counts[me]];
          Arrays.setAll(part, i -> (start + i) * 15.0);
          assertArrayEquals(part, c.reduceScatter(own.clone(), ReduceOp.SUM, counts));
          assertArrayEquals(part, c.reduceScatter(own, pairs, counts));
          return null;
        });
  }

  @Test
  void theShortFormsChooseTheAlgorithm() {
    Group.threads(
        3,
        OPTIONS,
        c -> {
          int me = c.rank();
          int[] counts = {1, 0, 2};
          assertArrayEquals(new int[] {3}, c.reduceScatter(new int[] {1, 1, 1}, ReduceOp.SUM));
          assertEquals(counts[me], c.reduceScatter(new int[3], ReduceOp.SUM, counts).length);
          assertArrayEquals(new float[] {0, 1, 2}, c.allGather(new float[] {me}));
          assertArrayEquals(new double[] {0, 2, 2}, c.allGather(filled(counts[me], me), counts));
          assertArrayEquals(
              new byte[] {(byte) me, (byte) me, (byte) me}, c.allToAll(new byte[] {0, 1, 2}));
          assertEquals(3 * counts[me], c.allToAll(new long[3], counts).length);
          assertEquals(1, c.scatter(me == 1 ? new double[3] : null, 1).length);
          assertEquals(counts[me], c.scatter(me == 1 ? new double[3] : null, counts, 1).length);
          double[] all = c.gather(filled(1, me), 2);
          double[] some = c.gather(filled(counts[me], me), me == 2 ? counts : null, 2);
          if (me == 2) {
            assertArrayEquals(new double[] {0, 1, 2}, all);
            assertArrayEquals(new double[] {0, 2, 2}, some);
          }
          List<String> three = List.of("a", "b", "c");
          assertEquals(List.of(0, 1, 2), c.objects().allGather(me));
          assertEquals(Collections.nCopies(3, three.get(me)), c.objects().allToAll(three));
          assertEquals(three.get(me), c.objects().scatter(me == 0 ? three : null, 0));
          assertEquals(me == 1 ? List.of(0, 1, 2) : null, c.objects().gather(me, 1));
          return c.objects().reduceScatter(three, CONCATENATION);
        });
  }

  private static double[] filled(int length, double value) {
    double[] array = new double[length];
    Arrays.fill(array, value);
    return array;
  }

  @Test
  void lengthsThatDoNotFitAreRefusedBeforeAnythingIsSent() {
    String[][] wrong = {
      {"2 lengths of parts are given for reduce_scatter", "there are 3 ranks"},
      {"rank 1's part in allgather has the length -1", "give 0"},
      {"lengths sum up to 5, but the vector has 6", "sum is the length"},
      {"rank 0's part of 3 elements cuts a tuple in two", "multiples of 2"},
      {"brings 2 elements to allgather", "the lengths given say 1"},
      {"would have 3221225472 elements", "an array holds 2^31 - 9 at most"},
      {"4 elements cannot be divided into equal parts", "there are 3 ranks"},
      {"2 objects are given for alltoall", "one object for each rank"},
      {"the operator works on whole objects", "objects().reduceScatter"},
      {"root 3 of a gather is out of range", "0 to 2"},
      {"the object for rank 1 is null", "null"},
      {
        "null is given for the lengths of parts in allgather", "give none where all parts are equal"
      },
      {"null is given for the lengths of parts in alltoall", "one for each rank"},
      {"null is given for the lengths of parts in reduce_scatter", "no list of lengths"},
      {"the list of rank", "for alltoall is null"},
      {"the list of rank", "for reduce_scatter is null"},
    };
    for (int i = 0; i < wrong.length; i++) {
      int which = i;
      CollectiveException e = fails(c -> mistake(c, which));
      for (String part : wrong[i]) {
        assertTrue(
            e.getMessage().toLowerCase(Locale.ROOT).contains(part.toLowerCase(Locale.ROOT)),
            e.getMessage());
      }
    }
  }

  @SuppressWarnings("NullAway") // what a user's Java code can do
  private static List<String> none() {
    return null;
  }

  private static @Nullable Object mistake(Communicator c, int which) {
    return switch (which) {
      case 0 -> c.reduceScatter(new int[6], ReduceOp.SUM, new int[] {3, 3});
      case 1 -> c.allGather(new int[1], new int[] {1, -1, 1});
      case 2 -> c.reduceScatter(new int[6], ReduceOp.SUM, new int[] {3, 1, 1});
      case 3 -> c.reduceScatter(new double[6], RankCheck.AFFINE, new int[] {3, 1, 2});
      case 4 -> c.allGather(new int[2], new int[] {1, 1, 1});
      case 5 -> c.allGather(new byte[0], new int[] {1 << 30, 1 << 30, 1 << 30});
      case 6 -> c.allToAll(new long[4]);
      case 7 -> c.objects().allToAll(List.of("a", "b"));
      case 8 -> c.reduceScatter("abc", CONCATENATION);
      case 9 -> c.gather(new int[1], 3);
      case 10 -> c.objects().allToAll(Arrays.asList("a", null, "c"));
      case 11 -> c.allGather(new int[1], (int[]) null);
      case 12 -> c.allToAll(new int[3], (int[]) null);
      case 13 -> c.reduceScatter(new int[3], ReduceOp.SUM, (int[]) null);
      case 14 -> c.objects().allToAll(none());
      default -> c.objects().reduceScatter(none(), CONCATENATION);
    };
  }

  @Test
  void aRankWhosePartIsNotOfTheLengthThatTheRootSaysStopsTheOthers() {
    CollectiveException e =
        fails(
            c -> {
              int[] part = new int[c.rank() == 2 ? 2 : 1];
              try {
                return c.gather(part, c.rank() == 0 ? new int[] {1, 1, 1} : null, 0);
              } catch (InvalidInputException caught) {
                return null; // the others must not wait until their deadline
              }
            });
    assertTrue(e.getMessage().contains("rank 2 brings 2 elements to gather"), e.getMessage());
  }

  @Test
  void equalLengthsAreTheSameAsNone() {
    List<long[]> gathered =
        Group.threads(
            2,
            OPTIONS,
            communicator -> {
              long[] part = {communicator.rank(), 7};
              return communicator.rank() == 0
                  ? communicator.allGather(part)
                  : communicator.allGather(part, 2, 2);
            });
    assertArrayEquals(new long[] {0, 7, 1, 7}, gathered.get(0));
    assertArrayEquals(new long[] {0, 7, 1, 7}, gathered.get(1));
  }

  @Test
  void aRootRefusesItsOwnPartBeforeTheOthersHearOfIt() {
    Group.threads(
        3,
        OPTIONS,
        c -> {
          boolean root = c.rank() == 0;
          if (root) {
            int[] wrong = {2, 1, 1};
            assertThrows(InvalidInputException.class, () -> c.gather(new int[1], wrong, 0));
          }
          int[] all = c.gather(new int[] {c.rank()}, root ? new int[] {1, 1, 1} : null, 0);
          assertArrayEquals(root ? new int[] {0, 1, 2} : null, all);
          return null;
        });
  }

  @Test
  void whatACodecThrowsIsToldOfABroadcastToo() {
    ObjectCodec refusing =
        new ObjectCodec() {
          @Override
          public ByteBuffer encode(Object value) {
            throw new IllegalArgumentException("not registered");
          }

          @Override
          public Object decode(ByteBuffer bytes) {
            throw new IllegalArgumentException("not registered");
          }
        };
    Group.threads(
        1,
        OPTIONS.withCodec(() -> refusing),
        c -> {
          InvalidInputException error =
              assertThrows(InvalidInputException.class, () -> c.objects().broadcast("x", 0));
          assertTrue(error.getMessage().contains("cannot be shipped"), error.getMessage());
          return null;
        });
  }

  @Test
  void anAlltoallOfMoreThanCanBeCountedIsRefused() {
    assertThrows(
        InvalidInputException.class,
        () -> Request.of(Collective.ALLTOALL, 2, Long.MAX_VALUE / 2 + 1, false, Topology.FLAT));
  }

  @Test
  void explanationsAreOfWhatIsRun() {
    Group.threads(
        6,
        OPTIONS,
        c -> {
          int[] part = new int[1000];
          long bytes = 6L * 1000 * Integer.BYTES;
          for (Collective collective :
              List.of(Collective.ALLGATHER, Collective.GATHER, Collective.ALLTOALL)) {
            Request explained = c.explain(collective, part, null).request();
            assertEquals(bytes, explained.bytes(), collective.slug());
            assertEquals(c.topology(), explained.topology());
          }
          assertEquals(6000, c.explain(Collective.GATHER, part, null).request().units());
          Request whole = c.explain(Collective.REDUCE_SCATTER, part, ReduceOp.SUM).request();
          assertEquals(bytes / 6, whole.bytes());
          return null;
        });
  }

  @Test
  void ranksThatDoNotAgreeOnLengthsSaySo() {
    CollectiveException lengths = fails(c -> c.allGather(new int[1 + c.rank() / 2]));
    assertTrue(lengths.getMessage().contains("of 3 int"), lengths.getMessage());
    assertTrue(lengths.getMessage().contains("of 6 int"), lengths.getMessage());
    CollectiveException counts =
        fails(
            c ->
                c.reduceScatter(
                    new int[6],
                    ReduceOp.SUM,
                    c.rank() == 0 ? new int[] {1, 2, 3} : new int[] {3, 2, 1}));
    assertTrue(counts.getMessage().contains("parts of other lengths"), counts.getMessage());
    CollectiveException pairs = fails(c -> c.allToAll(new int[c.rank() == 0 ? 3 : 6]));
    assertTrue(pairs.getMessage().contains("part of another size"), pairs.getMessage());
  }

  /** Runs three ranks of which one must find its input wrong; returns what it threw. */
  private static CollectiveException fails(Group.RankFunction<?> function) {
    RankFailedException e =
        assertThrows(RankFailedException.class, () -> Group.threads(3, OPTIONS, function));
    return assertInstanceOf(InvalidInputException.class, e.getCause());
  }
}
