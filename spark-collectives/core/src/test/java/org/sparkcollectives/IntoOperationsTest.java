package org.sparkcollectives;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Array;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.function.IntToLongFunction;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.error.RankFailedException;
import org.sparkcollectives.vector.ReduceOp;

/**
 * The operations that write into an array of the caller's, on every type of element: they give what
 * the operations with a new array give, and what a formula says. {@link DividedOperationsTest} runs
 * them by every algorithm.
 */
@Timeout(120)
class IntoOperationsTest {
  private static final CommunicatorOptions OPTIONS =
      CommunicatorOptions.DEFAULT.withTimeout(Duration.ofSeconds(30));
  private static final List<Class<?>> TYPES =
      List.of(double.class, float.class, long.class, int.class, byte.class);
  private static final int SEEDS = 20;
  private static final int MOST_ELEMENTS = 40;

  /** The value that a rank has at an index: small enough for exact sums in every type. */
  private static int value(int rank, int index) {
    return (31 * rank + 7 * index + 3) % 100;
  }

  private static Object array(Class<?> type, int length, IntToLongFunction element) {
    Object array = Array.newInstance(type, length);
    for (int i = 0; i < length; i++) {
      long value = element.applyAsLong(i);
      if (array instanceof double[] a) {
        a[i] = value;
      } else if (array instanceof float[] a) {
        a[i] = value;
      } else if (array instanceof long[] a) {
        a[i] = value;
      } else if (array instanceof int[] a) {
        a[i] = (int) value;
      } else {
        ((byte[]) array)[i] = (byte) value;
      }
    }
    return array;
  }

  /** An array whose content must not matter. */
  private static Object used(Class<?> type, int length) {
    return array(type, length, i -> -1 - i);
  }

  private static void assertSameContent(Object expected, Object actual, String what) {
    assertTrue(
        Arrays.deepEquals(new Object[] {expected}, new Object[] {actual}),
        () -> what + ": not " + text(expected) + ", but " + text(actual));
  }

  private static String text(Object array) {
    return Arrays.deepToString(new Object[] {array});
  }

  static List<Class<?>> types() {
    return TYPES;
  }

  @ParameterizedTest
  @MethodSource("types")
  void allGather(Class<?> type) {
    everySizeAndSeed(
        (c, counts, what) -> {
          int all = Arrays.stream(counts).sum();
          int[] starts = starts(counts);
          Object part = array(type, counts[c.rank()], i -> value(c.rank(), i));
          Object expected =
              array(
                  type,
                  all,
                  i -> {
                    int rank = owner(starts, i);
                    return value(rank, i - starts[rank]);
                  });
          Object whole = used(type, all);
          assertSame(whole, c.into(whole).allGather(part, counts), what);
          assertSameContent(expected, whole, what);
          assertSameContent(c.allGather(part, counts), whole, what);

          int equal = counts[0];
          Object own = array(type, equal, i -> value(c.rank(), i));
          Object concatenation = used(type, equal * c.size());
          assertSame(concatenation, c.into(concatenation).allGather(own), what);
          assertSameContent(
              array(type, equal * c.size(), i -> value(i / equal, i % equal)), concatenation, what);
          assertSameContent(c.allGather(own), concatenation, what);
        });
  }

  @ParameterizedTest
  @MethodSource("types")
  void allToAll(Class<?> type) {
    everySizeAndSeed(
        (c, counts, what) -> {
          int equal = counts[0];
          int length = equal * c.size();
          Object values = array(type, length, i -> value(c.rank(), i));
          Object received = used(type, length);
          assertSame(received, c.into(received).allToAll(values), what);
          assertSameContent(
              array(type, length, i -> value(i / equal, c.rank() * equal + i % equal)),
              received,
              what);
          assertSameContent(c.allToAll(values), received, what);
          assertSameContent(array(type, length, i -> value(c.rank(), i)), values, what);
        });
  }

  @ParameterizedTest
  @MethodSource("types")
  void reduceScatter(Class<?> type) {
    if (type == byte.class) {
      String message = message(c -> c.into(new byte[1]).reduceScatter(new byte[3], ReduceOp.SUM));
      assertTrue(message.contains("byte[]"), message);
      return;
    }
    everySizeAndSeed(
        (c, counts, what) -> {
          int length = Arrays.stream(counts).sum();
          Supplier<Object> vector = () -> array(type, length, i -> value(c.rank(), i));
          int start = starts(counts)[c.rank()];
          Object part = used(type, counts[c.rank()]);
          assertSame(part, c.into(part).reduceScatter(vector.get(), ReduceOp.SUM, counts), what);
          assertSameContent(
              array(type, counts[c.rank()], i -> sum(c.size(), start + i)), part, what);
          assertSameContent(c.reduceScatter(vector.get(), ReduceOp.SUM, counts), part, what);

          int first = (int) ((long) length * c.rank() / c.size());
          int count = (int) ((long) length * (c.rank() + 1) / c.size()) - first;
          Object even = used(type, count);
          assertSame(even, c.into(even).reduceScatter(vector.get(), ReduceOp.SUM), what);
          assertSameContent(array(type, count, i -> sum(c.size(), first + i)), even, what);
          assertSameContent(c.reduceScatter(vector.get(), ReduceOp.SUM), even, what);
        });
  }

  private static long sum(int size, int index) {
    return IntStream.range(0, size).mapToLong(r -> value(r, index)).sum();
  }

  private static int[] starts(int[] counts) {
    int[] starts = new int[counts.length + 1];
    for (int r = 0; r < counts.length; r++) {
      starts[r + 1] = starts[r] + counts[r];
    }
    return starts;
  }

  private static int owner(int[] starts, int index) {
    int rank = 0;
    while (starts[rank + 1] <= index) {
      rank++;
    }
    return rank;
  }

  private interface Property {
    void check(Communicator communicator, int[] counts, String what);
  }

  /** Checks with lengths of parts of which some are 0, the same on all ranks. */
  private static void everySizeAndSeed(Property property) {
    for (int size = 1; size <= 7; size++) {
      int ranks = size;
      Group.threads(
          ranks,
          OPTIONS,
          c -> {
            for (int seed = 0; seed < SEEDS; seed++) {
              SplittableRandom random = new SplittableRandom(seed);
              int[] counts =
                  random
                      .ints(ranks, -MOST_ELEMENTS / 4, MOST_ELEMENTS)
                      .map(count -> Math.max(0, count))
                      .toArray();
              property.check(c, counts, "rank " + c.rank() + " of " + ranks + ", seed " + seed);
            }
            return null;
          });
    }
  }

  @Test
  void anArrayServesOneOperationAfterTheOther() {
    Group.threads(
        4,
        OPTIONS,
        c -> {
          long[] part = new long[1];
          long[] whole = new long[4];
          long[] received = new long[4];
          for (long i = 0; i < 1000; i += 10) {
            part[0] = i + c.rank();
            c.into(whole).allGather(part);
            assertArrayEquals(new long[] {i, i + 1, i + 2, i + 3}, whole);
            c.into(received).allToAll(whole);
            long same = i + c.rank();
            assertArrayEquals(new long[] {same, same, same, same}, received);
            c.into(part).reduceScatter(received, ReduceOp.SUM);
            assertEquals(4 * i + 6, part[0]);
          }
          return null;
        });
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void nothingAsLongAsTheResultIsAllocated(int size) {
    int elements = 1 << 20;
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    Group.threads(
        size,
        OPTIONS,
        c -> {
          byte[] part = new byte[elements];
          byte[] whole = new byte[size * elements];
          byte[] received = new byte[size * elements];
          int[] vector = new int[size * elements / Integer.BYTES];
          int[] own = new int[elements / Integer.BYTES];
          List<Runnable> operations =
              List.of(
                  () -> c.by("ring").into(whole).allGather(part),
                  () -> c.by("pairwise").into(received).allToAll(whole),
                  () -> c.by("pairwise").into(own).reduceScatter(vector, ReduceOp.SUM));
          for (Runnable operation : operations) {
            operation.run(); // compiles the program
            operation.run(); // loads what is needed from the second one on
            long before = threads.getCurrentThreadAllocatedBytes();
            operation.run();
            long bytes = threads.getCurrentThreadAllocatedBytes() - before;
            assertTrue(bytes < elements / 4, bytes + " bytes");
          }
          return null;
        });
  }

  @Test
  void anArrayThatCannotHoldTheResultIsRefusedBeforeAnythingIsSent() {
    Object nothing = nothing();
    int[] own = new int[6];
    refused(
        c -> c.into(nothing).allGather(new int[2]),
        "the array for the result of allgather on rank 0 is null",
        "without into");
    refused(c -> c.into(nothing).allToAll(new int[6]), "result of alltoall on rank 0 is null");
    refused(
        c -> c.into(nothing).reduceScatter(new int[6], ReduceOp.SUM),
        "result of reduce_scatter on rank 0 is null");
    refused(
        c -> c.into(own).allGather(own),
        "rank 0 gives one array as its vector and for the result of allgather",
        "give another array");
    refused(c -> c.into(own).allToAll(own), "and for the result of alltoall");
    refused(
        c -> c.into(own).reduceScatter(own, ReduceOp.SUM), "and for the result of reduce_scatter");
    refused(
        c -> c.<Object>into(new float[6]).allGather(new int[2]),
        "rank 0 gives float[] for the result of allgather",
        "of the vector, int[]");
    refused(
        c -> c.<Object>into("a text").allToAll(new byte[6]),
        "rank 0 gives java.lang.String for the result of alltoall",
        "of the vector, byte[]");
    refused(
        c -> c.<Object>into(new long[2]).reduceScatter(new double[6], ReduceOp.SUM),
        "rank 0 gives long[] for the result of reduce_scatter",
        "of the vector, double[]");
    refused(
        c -> c.into(new int[5]).allGather(new int[2]),
        "rank 0 gives an array of 5 elements for the result of allgather",
        "give an array of 6 elements");
    refused(
        c -> c.into(new int[6]).allGather(new int[2], new int[] {2, 3, 2}),
        "an array of 6 elements for the result of allgather",
        "give an array of 7");
    refused(
        c -> c.into(new int[7]).allToAll(new int[6]),
        "an array of 7 elements for the result of alltoall",
        "give an array of 6");
    refused(
        c -> c.into(new int[6]).reduceScatter(new int[6], ReduceOp.SUM),
        "an array of 6 elements for the result of reduce_scatter",
        "give an array of 2");
    refused(
        c -> c.into(new int[2]).reduceScatter(new int[6], ReduceOp.SUM, new int[] {1, 2, 3}),
        "an array of 2 elements for the result of reduce_scatter",
        "give an array of 1");
    refused(
        c -> c.into(new int[4]).allToAll(new int[4]), "4 elements cannot be divided into equal");
    refused(c -> c.<Object>into(new int[6]).allGather(nothing), "the vector of rank 0 is null");
  }

  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"}) // as a careless caller does
  private static <T> T nothing() {
    return null;
  }

  /** Rank 0 alone makes a mistake; the communicator still works afterwards, on all ranks. */
  private static void refused(Group.RankFunction<?> mistake, String... parts) {
    String message =
        Group.threads(
                3,
                OPTIONS,
                c -> {
                  String said = "";
                  if (c.rank() == 0) {
                    said =
                        assertThrows(InvalidInputException.class, () -> mistake.run(c))
                            .getMessage();
                  }
                  assertEquals(3, c.allReduce(new int[] {1}, ReduceOp.SUM)[0]);
                  return said;
                })
            .get(0);
    for (String part : parts) {
      assertTrue(message.toLowerCase(Locale.ROOT).contains(part.toLowerCase(Locale.ROOT)), message);
    }
  }

  private static String message(Group.RankFunction<?> function) {
    RankFailedException e =
        assertThrows(RankFailedException.class, () -> Group.threads(3, OPTIONS, function));
    return assertInstanceOf(InvalidInputException.class, e.getCause()).getMessage();
  }
}
