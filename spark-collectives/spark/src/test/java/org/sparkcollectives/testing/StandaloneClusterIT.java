package org.sparkcollectives.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The cluster of processes itself: it computes, takes submitted jobs, and leaves nothing behind.
 */
@Timeout(180)
class StandaloneClusterIT {
  private static final Path LOGS =
      Path.of(System.getProperty("cluster.logs", "target/cluster-logs"));

  /** What Linux says that a process has in its memory. */
  private static final Path MAPS = Path.of("/proc/self/maps");

  @Test
  void runsTasksInOtherProcessesAndEndsThem() throws Exception {
    List<ProcessHandle> processes;
    try (StandaloneCluster cluster = StandaloneCluster.start(LOGS, 2, 2, 2048)) {
      SparkConf conf = cluster.conf("processes", 2, 2, "512m");
      try (JavaSparkContext context = new JavaSparkContext(conf)) {
        Set<Long> pids =
            new HashSet<>(
                ExecutorPlaces.atOnce(
                        context.parallelize(IntStream.range(0, 4).boxed().toList(), 4))
                    .map(i -> ProcessHandle.current().pid())
                    .collect());
        assertEquals(2, pids.size(), pids.toString());
        assertFalse(pids.contains(ProcessHandle.current().pid()));
        processes = cluster.executors();
        assertTrue(
            processes.stream().map(ProcessHandle::pid).toList().containsAll(pids), pids.toString());
      }
    }
    for (ProcessHandle executor : processes) { // its worker may have ended it, and ended before it
      executor.onExit().get(30, TimeUnit.SECONDS);
    }
  }

  /** Without the archive everything works as well, and takes more of the processors' time. */
  @Test
  @Timeout(420) // the archive may be made first
  void executorsStartFromTheArchiveOfTheirInstallation() throws Exception {
    String installations = System.getProperty(Installation.FOLDER, "of the test itself, without");
    boolean kept = System.getProperty(Installation.FOLDER) != null;
    try (StandaloneCluster cluster = StandaloneCluster.start(LOGS, 1, 1, 1024)) {
      if (kept) { // another process may be making it
        Duration longest = Duration.ofSeconds(Installation.ARCHIVE_SECONDS);
        Await.until("the archive", longest, cluster::hasArchive);
      }
      try (JavaSparkContext context = new JavaSparkContext(cluster.conf("archive", 1, 1, "512m"))) {
        boolean mapped =
            context.parallelize(List.of(1), 1).map(one -> maps(installations, ".jsa")).first();
        assertEquals(kept && Files.exists(MAPS), mapped);
      }
    }
  }

  /** Whether this process has a file below a folder in its memory, as far as the system says. */
  private static boolean maps(String folder, String suffix) throws IOException {
    if (!Files.exists(MAPS)) {
      return false;
    }
    try (Stream<String> lines = Files.lines(MAPS)) {
      return lines.anyMatch(line -> line.contains(folder) && line.endsWith(suffix));
    }
  }

  @Test
  void takesSubmittedApplications(@TempDir Path folder) throws IOException {
    Path jar = ClassJar.write(folder.resolve("count.jar"), CountJob.class);
    try (StandaloneCluster cluster = StandaloneCluster.start(LOGS, 1, 2, 1024)) {
      StandaloneCluster.Submitted end =
          cluster.submit(
              CountJob.class.getName(),
              jar,
              Map.of("spark.executor.memory", "512m"),
              List.of("1000"),
              Duration.ofSeconds(90));
      assertEquals(0, end.exitCode(), end.output());
      assertTrue(end.output().contains("counted 1000 on " + cluster.masterUrl()), end.output());
    }
  }
}
