package org.sparkcollectives.spark.internal.rendezvous;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sparkcollectives.spark.JavaCollectives;
import org.sparkcollectives.testing.SharedCluster;
import org.sparkcollectives.vector.ReduceOp;

/** An application whose ranks get to know each other by broadcast variables. */
@Tag("cross-version") // what is broadcast is read without Spark's own serializer
@Timeout(180)
class HandoutIT {
  private static final int EXECUTORS = 2;
  private static final int CORES = 2;
  private static final int RANKS = EXECUTORS * CORES;
  private static final int LONG = 20_000;
  private static JavaSparkContext context;

  @BeforeAll
  static void start() {
    context =
        new JavaSparkContext(
            SharedCluster.get()
                .conf("handout", EXECUTORS, CORES, "512m")
                .set("spark.collectives.members.maxBytes", "1"));
  }

  @AfterAll
  static void stop() {
    context.stop();
  }

  private static double[] vector(int element) {
    double[] vector = new double[LONG];
    Arrays.fill(vector, element);
    return vector;
  }

  /** How many broadcast variables a sum of all ranks' vectors takes. */
  private static long broadcastsOfASum() {
    List<Integer> numbers = IntStream.range(0, RANKS).boxed().toList();
    JavaRDD<double[]> vectors = context.parallelize(numbers, RANKS).map(HandoutIT::vector);
    double[] sum = vector(RANKS * (RANKS - 1) / 2);
    long before = context.broadcast(0).id();
    assertArrayEquals(sum, JavaCollectives.of(vectors).allReduce(ReduceOp.SUM, "ring").value());
    return context.broadcast(0).id() - before;
  }

  @Test
  void membersAreHandedOutWhereExecutorsDoNotKnowThem() {
    long first = broadcastsOfASum();
    long least = first;
    // The first rank is on either executor, by chance; members that were so before are known.
    for (int calls = 0; calls < 100 && least == first; calls++) {
      least = Math.min(least, broadcastsOfASum());
    }
    assertEquals(least + 1, first);
  }

  @Test
  void whatIsHandedOutIsGotByAShortReference() throws IOException {
    byte[] bytes = new byte[100_000];
    bytes[99_999] = 7;
    Handout.Handed handed = new Broadcasts(context.sc()).give(bytes);
    byte[] reference = handed.reference();
    assertTrue(reference.length < 2048, reference.length + " bytes");
    assertArrayEquals(bytes, Broadcasts.take(reference));
    List<Integer> sums =
        context
            .parallelize(List.of(1, 2, 3, 4), 4)
            .map(i -> i * Broadcasts.take(reference)[99_999])
            .collect();
    assertEquals(List.of(7, 14, 21, 28), sums);
    handed.end();
    handed.end();
    assertThrows(IOException.class, () -> Broadcasts.take(new byte[] {1, 2, 3}));
  }
}
