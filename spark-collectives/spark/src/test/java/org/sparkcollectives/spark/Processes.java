package org.sparkcollectives.spark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaSparkContext;

/** What executors hold, as they see it themselves. */
final class Processes {
  private Processes() {}

  /**
   * One executor's holdings.
   *
   * @param pid its process
   * @param threads live threads
   * @param files open files
   * @param sockets open sockets
   * @param heapMiB heap in use after a collection
   */
  record State(long pid, int threads, int files, int sockets, long heapMiB) {}

  /** The states of all executors that a wave of tasks meets, by process. */
  static Map<Long, State> executors(JavaSparkContext context, int slots) {
    Map<Long, State> byPid = new TreeMap<>();
    context
        .parallelize(IntStream.range(0, slots).boxed().toList(), slots)
        .map(
            i -> {
              Thread.sleep(300);
              State state = here();
              return new long[] {
                state.pid(), state.threads(), state.files(), state.sockets(), state.heapMiB()
              };
            })
        .collect()
        .forEach(n -> byPid.put(n[0], new State(n[0], (int) n[1], (int) n[2], (int) n[3], n[4])));
    return byPid;
  }

  /** The processes of all executors. */
  static List<Long> pids(JavaSparkContext context, int slots) {
    return List.copyOf(executors(context, slots).keySet());
  }

  /** The state of this process. */
  static State here() {
    System.gc();
    List<String> open = openFiles();
    long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() >> 20;
    return new State(
        ProcessHandle.current().pid(),
        ManagementFactory.getThreadMXBean().getThreadCount(),
        open.size(),
        (int) open.stream().filter(target -> target.startsWith("socket:")).count(),
        heap);
  }

  private static List<String> openFiles() {
    try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
      return files.map(Processes::target).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String target(Path link) {
    try {
      return Files.readSymbolicLink(link).toString();
    } catch (IOException closedMeanwhile) {
      return "";
    }
  }
}
