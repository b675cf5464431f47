package org.sparkcollectives.benchmarks.chaos;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.vector.ReduceOp;

/**
 * Collectives of random kinds and sizes, drawn from a seed, which every rank checks: values follow
 * from seed, call, rank and index. The first is an allreduce of the most elements.
 */
public final class Workload {
  private static final int KINDS = 10;
  private static final int FIRST_OF_PARTS = 7;
  private static final int VALUES = 1000;

  private final Random random;
  private final long seed;
  private final int calls;
  private final int most;
  private int call;
  private String what = "not begun";
  private long start = System.nanoTime();

  /**
   * Draws.
   *
   * @param seed of all that is random, equal on all ranks
   * @param calls how many collectives
   * @param most the most elements of a vector
   */
  public Workload(long seed, int calls, int most) {
    this.random = new Random(seed);
    this.seed = seed;
    this.calls = calls;
    this.most = most;
  }

  /** A result that is not right. */
  public static final class WrongResult extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    /**
     * Says what is wrong.
     *
     * @param message which result differs, and where
     */
    public WrongResult(String message) {
      super(message);
    }
  }

  /**
   * Runs all, and a barrier.
   *
   * @param all the ranks, of which all draw the same
   * @throws WrongResult if a result is wrong
   */
  public void run(Communicator all) {
    begin("before the first collective");
    for (call = 0; call < calls; call++) {
      boolean first = call == 0;
      int kind = first ? 0 : random.nextInt(KINDS);
      int drawn = (int) Math.exp(random.nextDouble() * Math.log(most));
      int root = random.nextInt(all.size());
      one(all, kind, first ? most : drawn, root);
    }
    begin("barrier");
    all.barrier();
  }

  /** The collective that runs, or was the last. */
  String what() {
    return "call " + call + ", " + what;
  }

  /** The nanoseconds since it was called; before the first one since {@link #run} was. */
  long nanos() {
    return System.nanoTime() - start;
  }

  private void begin(String name) {
    what = name;
    start = System.nanoTime();
  }

  private void one(Communicator all, int kind, int length, int root) {
    int p = all.size();
    int rank = all.rank();
    double[] own = values(rank, length);
    double[] parts = kind >= FIRST_OF_PARTS ? values(rank, p * length) : own;
    String of = " of " + length + " elements";
    switch (kind) {
      case 0 -> {
        begin("allreduce" + of);
        check(all.allReduce(own, ReduceOp.SUM), sum(0, p, length));
      }
      case 1 -> {
        begin("broadcast" + of);
        check(all.broadcast(own, root), values(root, length));
      }
      case 2 -> {
        begin("reduce" + of);
        double[] sum = all.reduce(own, ReduceOp.SUM, root);
        if (rank == root) {
          check(sum, sum(0, p, length));
        }
      }
      case 3 -> {
        begin("scan" + of);
        check(all.scan(own, ReduceOp.SUM), sum(0, rank + 1, length));
      }
      case 4 -> {
        begin("exscan" + of);
        check(all.exscan(own, ReduceOp.SUM), sum(0, rank, length));
      }
      case 5 -> {
        begin("allgather" + of);
        check(all.allGather(own), IntStream.range(0, p).mapToObj(r -> values(r, length)));
      }
      case 6 -> {
        begin("gather" + of);
        double[] gathered = all.gather(own, root);
        if (gathered != null) {
          check(gathered, IntStream.range(0, p).mapToObj(r -> values(r, length)));
        }
      }
      case 7 -> {
        begin("scatter" + of);
        check(all.scatter(parts, root), part(values(root, p * length), rank, length));
      }
      case 8 -> {
        begin("reducescatter" + of);
        check(all.reduceScatter(parts, ReduceOp.SUM), part(sum(0, p, p * length), rank, length));
      }
      default -> {
        begin("alltoall" + of);
        check(
            all.allToAll(parts),
            IntStream.range(0, p).mapToObj(r -> part(values(r, p * length), rank, length)));
      }
    }
  }

  private double[] values(int rank, int length) {
    double[] values = new double[length];
    long state = (seed + call) * 31 + rank;
    for (int i = 0; i < length; i++) {
      state = state * 6364136223846793005L + 1442695040888963407L;
      values[i] = (state >>> 33) % VALUES;
    }
    return values;
  }

  private double[] sum(int from, int to, int length) {
    double[] sum = new double[length];
    for (int rank = from; rank < to; rank++) {
      double[] values = values(rank, length);
      Arrays.setAll(sum, i -> sum[i] + values[i]);
    }
    return sum;
  }

  private static double[] part(double[] vector, int index, int length) {
    return Arrays.copyOfRange(vector, index * length, (index + 1) * length);
  }

  private void check(double[] found, Stream<double[]> expected) {
    check(found, expected.flatMapToDouble(Arrays::stream).toArray());
  }

  private void check(double[] found, double[] expected) {
    int differs = Arrays.mismatch(found, expected);
    if (differs >= 0) {
      throw new WrongResult("the result of " + what() + " differs at index " + differs);
    }
  }
}
