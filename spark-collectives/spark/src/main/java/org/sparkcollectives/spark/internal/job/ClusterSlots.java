package org.sparkcollectives.spark.internal.job;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.SparkContext;
import org.apache.spark.resource.ResourceProfile;
import org.apache.spark.resource.ResourceProfile$;
import org.apache.spark.status.api.v1.ExecutorSummary;
import org.sparkcollectives.spark.internal.bridge.Scala;
import org.sparkcollectives.spark.internal.input.ExecutorSlots;
import org.sparkcollectives.spark.internal.input.Slots;

/** How many tasks of a stage the application's executors can run at once, as of now. */
public final class ClusterSlots {
  private static final String DRIVER = "driver"; // as Spark lists it among executors

  private ClusterSlots() {}

  /** How many there are; 0 while no executor has registered. */
  static int count(SparkContext context, ResourceProfile profile) {
    return slots(context, profile).total();
  }

  /**
   * Where they are. Executors that Spark excludes after failures have none, nor have those that are
   * being decommissioned, which take no new tasks.
   *
   * @param context the application
   * @param profile what a task needs
   * @return the slots; none while no executor has registered
   */
  public static Slots slots(SparkContext context, ResourceProfile profile) {
    int cpus = ResourceProfile$.MODULE$.getTaskCpusOrDefaultForProfile(profile, context.getConf());
    List<ExecutorSlots> executors = new ArrayList<>();
    int excluded = 0;
    for (ExecutorSummary each : Scala.asJava(context.statusStore().executorList(true))) {
      int slots = each.totalCores() / cpus;
      if (slots > 0
          && !context.taskScheduler().getExecutorDecommissionState(each.id()).isDefined()
          && context
              .resourceProfileManager()
              .canBeScheduled(profile.id(), each.resourceProfileId())) {
        if (each.isExcluded()) {
          excluded += slots;
        } else {
          executors.add(new ExecutorSlots(each.id(), host(each.hostPort()), slots));
        }
      }
    }
    int known = executors.stream().mapToInt(ExecutorSlots::slots).sum();
    // With those of excluded executors, without those of decommissioned ones.
    long all = context.maxNumConcurrentTasks(profile);
    int scheduled = (int) (excluded == 0 ? all : all * known / (known + excluded));
    if (known == 0 && scheduled > 0) { // an executor of which Spark's listeners do not know yet
      return new Slots(List.of(new ExecutorSlots("", "", scheduled)), scheduled);
    }
    return new Slots(executors, Math.min(known, scheduled));
  }

  /** How many executors have registered, whether they can run such a task or not. */
  static int executors(SparkContext context) {
    return (int)
        Scala.asJava(context.statusStore().executorList(true)).stream()
            .filter(each -> context.isLocal() || !each.id().equals(DRIVER))
            .count();
  }

  private static String host(String address) {
    int port = address.lastIndexOf(':');
    return port < 0 ? address : address.substring(0, port);
  }
}
