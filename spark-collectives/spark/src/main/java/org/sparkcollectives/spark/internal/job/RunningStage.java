package org.sparkcollectives.spark.internal.job;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkJobInfo;
import org.apache.spark.SparkStageInfo;
import org.apache.spark.scheduler.Pool;
import org.apache.spark.scheduler.Schedulable;
import org.apache.spark.scheduler.TaskSet;
import org.apache.spark.scheduler.TaskSetManager;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.text.Counted;
import org.sparkcollectives.spark.internal.rendezvous.Attempt;
import scala.Option;

/**
 * A stage of which tasks run now, as Spark's scheduler knows it: listeners hear of tasks late.
 *
 * @param job the number of its job
 * @param stage its number
 * @param tasks how many of its tasks run
 * @param ended whether its job has ended, and these tasks are left over
 * @param tags the tags of its job
 */
record RunningStage(int job, int stage, int tasks, boolean ended, List<String> tags) {
  private static final String TAGS = "spark.job.tags";
  private static final String OF_CALLS = "spark-collectives-";

  /** All of them, of all jobs of the application. */
  static List<RunningStage> of(SparkContext context) {
    List<RunningStage> running = new ArrayList<>();
    addAll(context.taskScheduler().rootPool(), running);
    return running;
  }

  private static void addAll(Pool pool, List<RunningStage> running) {
    for (Schedulable each : pool.schedulableQueue()) {
      if (each instanceof Pool inner) {
        addAll(inner, running);
      } else if (each instanceof TaskSetManager manager && manager.runningTasks() > 0) {
        TaskSet tasks = manager.taskSet();
        running.add(
            new RunningStage(
                tasks.priority(), // which is the job's number
                tasks.stageId(),
                manager.runningTasks(),
                manager.isZombie(),
                tags(tasks.properties())));
      }
    }
  }

  private static List<String> tags(@Nullable Properties properties) {
    String tags = properties == null ? null : properties.getProperty(TAGS);
    return tags == null ? List.of() : Arrays.asList(tags.split(","));
  }

  /** The tag of the job of an attempt. */
  static String tag(Attempt attempt) {
    return OF_CALLS + attempt.job() + "." + attempt.epoch();
  }

  /** Whether the stage is of a job of one of the library's calls, which is still under way. */
  boolean isForACall() {
    return !ended && tags.stream().anyMatch(tag -> tag.startsWith(OF_CALLS));
  }

  /** Whether a job with this tag waits for the stage, which another job may have begun. */
  boolean isFor(String tag, SparkContext context) {
    if (tags.contains(tag)) {
      return true;
    }
    for (int tagged : context.statusTracker().getJobIdsForTag(tag)) {
      Option<SparkJobInfo> info = context.statusTracker().getJobInfo(tagged);
      if (info.isDefined() && Arrays.stream(info.get().stageIds()).anyMatch(id -> id == stage)) {
        return true;
      }
    }
    return false;
  }

  /** The stage, for messages. */
  String describe(SparkContext context) {
    Option<SparkStageInfo> info = context.statusTracker().getStageInfo(stage);
    String name = info.isDefined() ? " (" + info.get().name() + ")" : "";
    return "job " + job + name + " with " + Counted.of(tasks, "task");
  }
}
