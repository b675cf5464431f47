package org.sparkcollectives.benchmarks.chaos;

import static scala.jdk.javaapi.CollectionConverters.asJava;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.storage.BlockId;

/** What an application of Spark holds beside its driver: its executors, and blocks. */
public final class ApplicationState {
  private final JavaSparkContext context;
  private final int slots;

  /**
   * Looks at an application.
   *
   * @param context the application
   * @param slots executors of one core
   */
  public ApplicationState(JavaSparkContext context, int slots) {
    this.context = context;
    this.slots = slots;
  }

  /**
   * What each executor holds.
   *
   * @return what they say themselves, by process
   * @throws IOException if one does not say it
   */
  public Map<Long, Held> executors() throws IOException {
    List<String> lines =
        context
            .parallelize(IntStream.range(0, slots).boxed().toList(), slots)
            .map(
                i -> {
                  TimeUnit.MILLISECONDS.sleep(500); // so that each executor gets one
                  return ProcessHandle.current().pid() + " " + Held.here().line();
                })
            .collect();
    Map<Long, Held> byPid = new TreeMap<>();
    for (String line : lines) {
      String[] parts = line.split(" ", 2);
      byPid.put(Long.parseLong(parts[0]), Held.parse(parts[1]));
    }
    return byPid;
  }

  /**
   * The blocks of driver and executors, when Spark has cleaned up, or after a while. Spark removes
   * what was broadcast once its garbage collector has found that nobody has it.
   *
   * @param enough from how many on it is not worth waiting
   * @param seconds how long to wait
   * @return their names
   * @throws IOException if the wait is interrupted
   */
  public List<String> settledBlocks(int enough, int seconds) throws IOException {
    List<String> now = blocks();
    for (int i = 0; i < seconds && now.size() > enough; i++) {
      System.gc();
      try {
        TimeUnit.SECONDS.sleep(1);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted while Spark cleans up", e);
      }
      now = blocks();
    }
    return now;
  }

  private List<String> blocks() {
    return asJava(context.sc().env().blockManager().master().getMatchingBlockIds(id -> true, false))
        .stream()
        .map(BlockId::name)
        .toList();
  }
}
