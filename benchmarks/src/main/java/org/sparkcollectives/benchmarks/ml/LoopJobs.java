package org.sparkcollectives.benchmarks.ml;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerJobEnd;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.scheduler.StageInfo;
import scala.jdk.javaapi.CollectionConverters;

/** The jobs of a loop of Spark's own: those that one line of a source file has started. */
final class LoopJobs extends SparkListener {
  private final Map<Integer, String> lines = new HashMap<>();
  private final Map<String, List<Long>> ends = new HashMap<>();

  @Override
  public synchronized void onJobStart(SparkListenerJobStart start) {
    // The last stage bears the name of what started the job: "treeAggregate at Loss.scala:61".
    CollectionConverters.asJava(start.stageInfos()).stream()
        .max(Comparator.comparingInt(StageInfo::stageId))
        .ifPresent(last -> lines.put(start.jobId(), last.name()));
  }

  @Override
  public synchronized void onJobEnd(SparkListenerJobEnd end) {
    String line = lines.remove(end.jobId());
    if (line != null) {
      ends.computeIfAbsent(line, unused -> new ArrayList<>()).add(end.time());
    }
  }

  /**
   * When the jobs of a loop have ended since the last question.
   *
   * @param file the source file, of whose lines that counts which has started most jobs
   * @return milliseconds, in their order; nothing if there were no such jobs
   */
  synchronized List<Long> ended(String file) {
    List<Long> most = List.of();
    for (Map.Entry<String, List<Long>> line : ends.entrySet()) {
      if (line.getKey().contains(" at " + file + ":") && line.getValue().size() > most.size()) {
        most = line.getValue();
      }
    }
    ends.clear();
    return most;
  }
}
