package org.sparkcollectives.benchmarks.loopback;

import com.sun.management.ThreadMXBean;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.InterruptedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.CommunicatorOptions;
import org.sparkcollectives.Group;
import org.sparkcollectives.GroupOptions;
import org.sparkcollectives.benchmarks.memory.MemoryProbe;
import org.sparkcollectives.cost.CostModel;
import org.sparkcollectives.cost.LevelCost;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.testing.Introductions;
import org.sparkcollectives.vector.ReduceOp;

/**
 * A process that is one rank. It opens the group that it is introduced to, and then reads orders
 * from standard input and answers each with a line.
 */
final class RankProcess {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static final long BYTES_PER_ROUND = 64L << 20;
  private static final int MOST_OPERATIONS = 200;
  private static final int FEWEST_OPERATIONS = 3;

  /** The line that says that the ranks have met. */
  static final String CONNECTED = "connected";

  /** The first word of orders to watch memory. */
  static final String MEMORY = "memory";

  private static final int WARM_UP_OPERATIONS = 10;
  private static final int WATCHED_OPERATIONS = 10;

  private RankProcess() {}

  /**
   * How many operations a round has. Each multiplies the values by the number of ranks, so there
   * are few enough to stay far from infinity.
   *
   * @param elements the vector's length
   */
  static int operations(int elements) {
    long fitting = BYTES_PER_ROUND / ((long) elements * Double.BYTES);
    return (int) Math.max(FEWEST_OPERATIONS, Math.min(MOST_OPERATIONS, fitting));
  }

  /**
   * Serves until standard input ends.
   *
   * @param args rank, number of ranks, α and β (NaN for the library's)
   * @throws IOException if the network fails
   */
  public static void main(String[] args) throws IOException {
    int rank = Integer.parseInt(args[0]);
    int size = Integer.parseInt(args[1]);
    LevelCost given = CostModel.DEFAULT.network();
    double alpha = Double.parseDouble(args[2]);
    double beta = Double.parseDouble(args[3]);
    alpha = Double.isNaN(alpha) ? given.alphaNanos() : alpha;
    beta = Double.isNaN(beta) ? given.betaNanosPerByte() : beta;
    LevelCost messages = new LevelCost(alpha, beta, Math.min(alpha, given.gapNanos()));
    CostModel model = CostModel.DEFAULT.withHost(messages).withNetwork(messages);
    BufferedReader orders =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    // The JVM keeps a table of each jar of the class path from its first use on: 16 MiB and more.
    Collections.list(ClassLoader.getSystemResources("no such resource"));
    MemoryProbe.Usage idle = MemoryProbe.inUse();
    GroupOptions.Builder options =
        GroupOptions.builder()
            .sharedMemory("")
            .communicator(CommunicatorOptions.DEFAULT.withTimeout(TIMEOUT).withModel(model));
    try (Group group = Introductions.open(orders, rank, size, "127.0.0.1", options);
        Communicator communicator = group.communicator()) {
      communicator.barrier();
      System.out.println(CONNECTED);
      for (String order = orders.readLine(); order != null; order = orders.readLine()) {
        String[] words = order.split(" ", -1);
        System.out.println(
            words[0].equals(MEMORY)
                ? memory(communicator, words, idle)
                : time(communicator, words));
      }
    }
  }

  private static double time(Communicator communicator, String[] order) {
    String slug = order[0].equals(LoopbackCommand.AUTO) ? null : order[0];
    int operations = Integer.parseInt(order[2]);
    double[] vector = values(communicator, Integer.parseInt(order[1]));
    communicator.barrier();
    long start = System.nanoTime();
    for (int i = 0; i < operations; i++) {
      communicator.by(slug).allReduce(vector, ReduceOp.SUM);
    }
    return (System.nanoTime() - start) / 1e3 / operations;
  }

  private static double[] values(Communicator communicator, int elements) {
    return new SplittableRandom(communicator.rank()).doubles(elements).toArray();
  }

  /**
   * Runs operations until all is compiled, then some whose allocations are counted, then some while
   * the memory in use is watched.
   *
   * @return bytes of the operation that allocates least; bytes in use above the idle process at the
   *     peak, the vector's own among them
   */
  private static String memory(Communicator communicator, String[] order, MemoryProbe.Usage idle)
      throws IOException {
    Collective collective = Collective.ofSlug(order[1]);
    String slug = order[2].equals(LoopbackCommand.AUTO) ? null : order[2];
    double[] vector = values(communicator, Integer.parseInt(order[3]));
    for (int i = 0; i < WARM_UP_OPERATIONS; i++) {
      run(communicator, collective, vector, slug);
    }
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long least = Long.MAX_VALUE;
    for (int i = 0; i < WATCHED_OPERATIONS; i++) {
      communicator.barrier();
      long before = threads.getCurrentThreadAllocatedBytes();
      run(communicator, collective, vector, slug);
      least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
    }
    communicator.barrier();
    long above = MemoryProbe.inUse().total() - idle.total();
    MemoryProbe.start();
    for (int i = 0; i < WATCHED_OPERATIONS; i++) {
      communicator.barrier();
      run(communicator, collective, vector, slug);
    }
    communicator.barrier();
    try {
      return least + " " + (above + MemoryProbe.stop().total());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while memory was watched");
    }
  }

  private static void run(
      Communicator communicator, Collective collective, double[] vector, @Nullable String slug) {
    switch (collective) {
      case BROADCAST -> communicator.by(slug).broadcast(vector, 0);
      case REDUCE -> communicator.by(slug).reduce(vector, ReduceOp.MAX, 0);
      case ALLREDUCE -> communicator.by(slug).allReduce(vector, ReduceOp.MAX);
      case SCAN -> communicator.by(slug).scan(vector, ReduceOp.MAX);
      default ->
          throw new IllegalArgumentException("the memory of " + collective + " is not watched");
    }
  }
}
