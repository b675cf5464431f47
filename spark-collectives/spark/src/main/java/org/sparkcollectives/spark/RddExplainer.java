package org.sparkcollectives.spark;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaRDD;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.internal.select.Selector;
import org.sparkcollectives.internal.vector.FixedVector;
import org.sparkcollectives.internal.vector.VectorErrors;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.select.Explanation;
import org.sparkcollectives.select.Request;
import org.sparkcollectives.spark.internal.conf.CollectiveConf;
import org.sparkcollectives.spark.internal.conf.Encryption;
import org.sparkcollectives.spark.internal.conf.Settings;
import org.sparkcollectives.spark.internal.input.Combiner;
import org.sparkcollectives.spark.internal.input.Concatenator;
import org.sparkcollectives.spark.internal.input.ExecutorSlots;
import org.sparkcollectives.spark.internal.input.Lineage;
import org.sparkcollectives.spark.internal.input.Part;
import org.sparkcollectives.spark.internal.job.PlannedRanks;
import org.sparkcollectives.spark.internal.job.Preconditions;
import org.sparkcollectives.spark.internal.rendezvous.Shape;
import org.sparkcollectives.spark.internal.rendezvous.Shapes;
import org.sparkcollectives.vector.ReduceOp;

/**
 * Finds out what a call of {@link RddCollectives} would do, at the driver: it goes the same way as
 * far as that is known without the ranks.
 *
 * @param <T> the elements' class
 */
final class RddExplainer<T> {
  private static final String OPERATION = "explain";

  /** The collectives that an RDD has, those to which each rank brings elements. */
  private static final List<Collective> OF_ELEMENTS =
      List.of(
          Collective.REDUCE,
          Collective.ALLREDUCE,
          Collective.SCAN,
          Collective.EXSCAN,
          Collective.REDUCE_SCATTER,
          Collective.ALLGATHER,
          Collective.ALLTOALL,
          Collective.GATHER);

  private final JavaRDD<T> rdd;
  private final SparkContext context;
  private final Collective collective;
  private final @Nullable ReduceOp<? super T> op;
  private final boolean exclusive;

  RddExplainer(JavaRDD<T> rdd, Collective asked, @Nullable ReduceOp<? super T> op) {
    this.rdd = rdd;
    this.context = rdd.context();
    this.collective = asked == Collective.SCAN ? Collective.EXSCAN : asked; // as a call does it
    this.op = asked.reducing() ? op : null;
    this.exclusive = asked == Collective.EXSCAN;
  }

  /** What an element is for the collective. */
  private record Operand(String words, Object operand, int units, long bytes) {}

  /** The ranks that exchange vectors, and why these. */
  private record Members(List<ExecutorSlots> executors, String why) {}

  CallExplanation explain(@Nullable String algorithm, @Nullable T element) {
    requireCallable();
    return Preconditions.unlessStopped(context, OPERATION, () -> explained(algorithm, element));
  }

  private CallExplanation explained(@Nullable String algorithm, @Nullable T element) {
    CollectiveConf conf = new RddJobs<>(rdd).check(OPERATION, collective, algorithm, op);
    if (exclusive && op != null) {
      new Combiner(op).requireNeutral();
    }
    if (rdd.getNumPartitions() == 0) {
      throw RddJobs.noElements(); // as the call would
    }
    if (collective.divided() && op != null && op.onObjects()) {
      throw VectorErrors.wholeObjects(op.name());
    }
    Lineage lineage = Lineage.of(rdd.rdd());
    int unusedButChecked = Preconditions.checkLineage(lineage, OPERATION);
    Operand operand = operand(element == null ? first(lineage) : element, conf);
    PlannedRanks planned =
        PlannedRanks.of(context, OPERATION, lineage, ordered() || conf.get(Settings.REPRODUCIBLE));
    Members members = members(planned.executors(), conf);
    return new CallExplanation(
        collective,
        lineage.partitions(),
        executors(planned.executors()),
        operand.words(),
        members.executors().size(),
        members.why(),
        links(members.executors(), conf),
        gathered(operand, planned.executors().size(), conf)
            ? null
            : algorithm(members.executors(), operand, conf, algorithm));
  }

  private void requireCallable() {
    if (!OF_ELEMENTS.contains(collective)) {
      String known = OF_ELEMENTS.stream().map(Collective::slug).collect(Collectors.joining(", "));
      throw InvalidInputException.of(
          collective.slug() + " of an RDD cannot be explained",
          "there is none: it works on a value of the driver or on none",
          "name one of " + known);
    }
    if (collective.reducing() && op == null) {
      throw InvalidInputException.of(
          collective.slug() + " without an operator cannot be explained",
          "it combines elements",
          "give the operator that the call will have, such as ReduceOp.SUM");
    }
  }

  /** Whether there is one result, whole: then the ranks of an executor combine first. */
  private boolean whole() {
    return collective.reducing() && !collective.prefix() && !collective.divided();
  }

  /** Whether ranks have consecutive partitions, in rank order. */
  private boolean ordered() {
    boolean anyOrder = collective.reducing() && !collective.prefix();
    return !anyOrder || (op != null && !op.commutative());
  }

  private T first(Lineage lineage) {
    if (lineage.barrier()) {
      throw InvalidInputException.of(
          OPERATION + " cannot look at the first element",
          "the RDD is made by a barrier stage, of which Spark computes all partitions or none",
          "give an element");
    }
    List<T> first = rdd.take(1);
    if (first.isEmpty()) {
      throw RddJobs.noElements();
    }
    return first.get(0);
  }

  private Operand operand(T element, CollectiveConf conf) {
    if (op == null) {
      FixedVector part = new Concatenator().vector(element, "the element");
      long length = (long) part.length() * rdd.getNumPartitions();
      return new Operand(
          words(part.length(), part.type().label(), part.byteCount()) + " from each partition",
          part.array(),
          (int) Math.min(length, Integer.MAX_VALUE),
          length * part.type().bytes());
    }
    Combiner combiner = combiner(op, conf);
    Object operand = combiner.operand(element, 0);
    if (op.onObjects()) {
      return new Operand("object of " + element.getClass().getTypeName(), operand, 1, 0);
    }
    Shape held = combiner.shape(new Part(0, operand));
    int units = held.length() / op.width();
    if (!held.sparse()) {
      String words = words(held.length(), held.type(), held.bytes());
      return new Operand(words, operand, units, held.bytes());
    }
    String sparse = "sparse, " + held.bytes() + " bytes; ";
    if (Shapes.sparse(List.of(held))) {
      String words = held.length() + " x " + held.type() + ", combined as objects";
      return new Operand(sparse + words, operand, 1, 0);
    }
    long bytes = Shapes.denseBytes(held);
    String words = "sent as dense " + words(held.length(), held.type(), bytes);
    return new Operand(sparse + words, operand, units, bytes);
  }

  private Combiner combiner(ReduceOp<? super T> operator, CollectiveConf conf) {
    if (whole() && !conf.get(Settings.REPRODUCIBLE)) {
      return Combiner.ofWhole(operator);
    }
    return collective.divided() ? Combiner.ofParts(operator) : new Combiner(operator);
  }

  private static String words(int length, String type, long bytes) {
    return String.format(Locale.ROOT, "%d x %s, %d bytes", length, type, bytes);
  }

  private static List<CallExplanation.Executor> executors(List<ExecutorSlots> ranks) {
    Map<ExecutorSlots, Integer> counts = new LinkedHashMap<>();
    ranks.forEach(each -> counts.merge(each, 1, Integer::sum));
    List<CallExplanation.Executor> executors = new ArrayList<>();
    counts.forEach(
        (each, count) ->
            executors.add(new CallExplanation.Executor(each.executor(), each.host(), count)));
    return executors;
  }

  // ---- what takes part

  private Members members(List<ExecutorSlots> ranks, CollectiveConf conf) {
    if (ranks.stream().distinct().count() == ranks.size()) {
      return new Members(ranks, "no; every rank has an executor of its own");
    }
    if (op == null || !whole()) {
      return new Members(ranks, "no; every rank takes part in each " + collective.slug());
    }
    if (conf.get(Settings.REPRODUCIBLE) || !conf.get(Settings.COMBINE_IN_EXECUTORS)) {
      String forbids =
          conf.get(Settings.REPRODUCIBLE)
              ? Settings.REPRODUCIBLE.key() + "=true"
              : Settings.COMBINE_IN_EXECUTORS.key() + "=false";
      return new Members(ranks, "no; " + forbids);
    }
    List<ExecutorSlots> members = new ArrayList<>();
    boolean all = true;
    for (int rank = 0; rank < ranks.size(); rank++) {
      boolean combines = op.commutative() || consecutive(ranks, ranks.get(rank));
      if (!combines || !members.contains(ranks.get(rank))) {
        members.add(ranks.get(rank));
      }
      all &= combines;
    }
    return new Members(
        members,
        all
            ? String.format(
                Locale.ROOT,
                "ranks of an executor combine their vectors in its memory first, so %d take part",
                members.size())
            : "only where ranks of an executor are consecutive, as the operator is not"
                + String.format(Locale.ROOT, " commutative; so %d take part", members.size()));
  }

  private static boolean consecutive(List<ExecutorSlots> ranks, ExecutorSlots executor) {
    int[] own =
        IntStream.range(0, ranks.size()).filter(r -> ranks.get(r).equals(executor)).toArray();
    return own[own.length - 1] - own[0] == own.length - 1;
  }

  private String links(List<ExecutorSlots> ranks, CollectiveConf conf) {
    if (ranks.size() == 1) {
      return "none; one rank takes part";
    }
    Encryption encryption = Encryption.of(context.getConf(), conf);
    boolean memory =
        Encryption.allowsSharedMemory(context.getConf(), conf) && conf.get(Settings.SHARED_MEMORY);
    long executors = ranks.stream().distinct().count();
    long hosts = ranks.stream().map(ExecutorSlots::host).distinct().count();
    List<String> kinds = new ArrayList<>();
    if (executors < ranks.size()) {
      kinds.add("memory within an executor");
    }
    if (memory && hosts < executors) {
      kinds.add("shared memory between executors of a host that has /dev/shm");
    }
    if (hosts > 1 || (!memory && executors > 1)) {
      kinds.add("TCP, " + encryption.words());
    }
    return String.join("; ", kinds);
  }

  // ---- how

  /** Whether operands like this one travel with the messages to the rendezvous. */
  private boolean gathered(Operand operand, int ranks, CollectiveConf conf) {
    long most = conf.get(Settings.SMALL_BYTES) / ranks;
    return op != null
        && whole()
        && most > 0
        && !conf.get(Settings.REPRODUCIBLE)
        && combiner(op, conf).bytes(operand.operand(), most) != null;
  }

  private Explanation algorithm(
      List<ExecutorSlots> ranks, Operand operand, CollectiveConf conf, @Nullable String algorithm) {
    List<String> hosts = ranks.stream().map(ExecutorSlots::host).toList();
    List<String> executors = ranks.stream().map(ExecutorSlots::place).toList();
    Request request =
        new Request(
            collective,
            ranks.size(),
            0,
            op != null && !op.commutative(),
            operand.units(),
            operand.bytes(),
            op == null ? null : op.name(),
            Preconditions.endpoint(context, OPERATION).racks().topology(hosts, executors));
    return new Selector(conf.policy()).explain(request, algorithm);
  }
}
