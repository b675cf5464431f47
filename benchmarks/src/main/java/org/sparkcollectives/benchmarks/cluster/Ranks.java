package org.sparkcollectives.benchmarks.cluster;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import org.sparkcollectives.Communicator;

/** The ranks of a communicator, which time operations. */
interface Ranks {
  /** Before an operation: idle network cards may send a burst, and each operation shall find it. */
  long PAUSE_NANOS = 1_000_000;

  /**
   * Has all ranks do a collective.
   *
   * @param order of the kind {@link Order.Kind#RUN}
   * @return their answers, in rank order
   * @throws IOException if a rank fails
   */
  List<HostAnswer> run(Order order) throws IOException;

  /**
   * What a rank does on such an order, wherever it lives: a barrier comes before each operation. An
   * operation that does not count comes first: it opens connections, and TCP begins slowly on those
   * that were idle while others had their turn.
   *
   * @param with its communicator
   * @param order the order
   * @param source the rank's values, which stay as they are
   * @return times, processor time and bytes of its network card
   */
  static HostAnswer time(Communicator with, Order order, double[] source) {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    double[] vector = source.clone();
    double[] target = new double[Operations.resultLength(order, with.rank(), with.size())];
    List<Long> starts = new ArrayList<>();
    List<Long> ends = new ArrayList<>();
    long cpu = 0;
    Operations.run(with, order, vector, target);
    with.barrier(); // nothing of it is on its way any more
    Traffic before = Traffic.now();
    double[] result = vector;
    for (int i = 0; i < order.operations(); i++) {
      System.arraycopy(source, 0, vector, 0, vector.length);
      LockSupport.parkNanos(PAUSE_NANOS);
      with.barrier();
      long cpuBefore = threads.getCurrentThreadCpuTime();
      long start = System.nanoTime();
      result = Operations.run(with, order, vector, target);
      ends.add(System.nanoTime());
      starts.add(start);
      cpu += threads.getCurrentThreadCpuTime() - cpuBefore;
    }
    with.barrier(); // what is still on its way out is counted too
    Traffic used = Traffic.now().since(before);
    return new HostAnswer(starts, ends, cpu, used.sent(), used.received(), Arrays.hashCode(result));
  }

  /**
   * A rank's random values.
   *
   * @param rank the rank
   * @param length how many
   * @return uniformly distributed in [0, 1), the same for the same rank
   */
  static double[] values(int rank, int length) {
    return new SplittableRandom(rank).doubles(length).toArray();
  }
}
