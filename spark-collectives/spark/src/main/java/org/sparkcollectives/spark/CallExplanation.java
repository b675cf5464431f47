package org.sparkcollectives.spark;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toList;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.text.Counted;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.select.Explanation;

/**
 * What a collective on an RDD would do if it were called now, and why; made by {@link
 * RddCollectives#explain(Collective, org.sparkcollectives.vector.ReduceOp)}.
 *
 * @param collective what is asked for
 * @param partitions how many partitions the RDD has
 * @param executors where the ranks are, each computing its share of the partitions, in rank order
 * @param vector what an element is, in words
 * @param members how many ranks exchange vectors: fewer than there are where those of an executor
 *     combine what they bring first
 * @param combining why ranks of an executor combine first or do not, as a sentence
 * @param links what vectors travel by, and whether they are encrypted, as a sentence
 * @param algorithm the algorithm beside all others, or null where vectors are so short that they
 *     travel with tasks' results or the messages in which ranks meet, and none runs
 */
public record CallExplanation(
    Collective collective,
    int partitions,
    List<Executor> executors,
    String vector,
    int members,
    String combining,
    String links,
    @Nullable Explanation algorithm) {

  /**
   * An executor that would have ranks.
   *
   * @param id its number, as Spark names it
   * @param host its host, as Spark names it
   * @param ranks how many ranks it has
   */
  public record Executor(String id, String host, int ranks) {}

  /**
   * Copies the list.
   *
   * @param collective what is asked for
   * @param partitions how many partitions the RDD has
   * @param executors where the ranks are
   * @param vector what an element is
   * @param members how many ranks exchange vectors
   * @param combining whether ranks of an executor combine first
   * @param links what vectors travel by
   * @param algorithm the algorithm beside all others, or null
   */
  public CallExplanation {
    executors = List.copyOf(executors);
  }

  /**
   * How many ranks there would be.
   *
   * @return the tasks of the barrier stage
   */
  public int ranks() {
    return executors.stream().mapToInt(Executor::ranks).sum();
  }

  /**
   * The explanation for people.
   *
   * @return several lines: ranks and hosts, the vector, what executors combine, links, and the
   *     algorithm with all candidates
   */
  public String text() {
    var hosts =
        executors.stream().collect(groupingBy(Executor::host, LinkedHashMap::new, toList()));
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "%s of %s: %s in %s on %s, one barrier stage%n",
            collective.slug(),
            Counted.of(partitions, "partition"),
            Counted.of(ranks(), "rank"),
            Counted.of(executors.size(), "executor"),
            Counted.of(hosts.size(), "host")));
    hosts.forEach(
        (host, there) ->
            text.append(
                String.format(
                    Locale.ROOT,
                    "  %s: %s%n",
                    host,
                    there.stream()
                        .map(
                            each ->
                                String.format(
                                    Locale.ROOT, "executor %s (%d)", each.id(), each.ranks()))
                        .collect(joining(", ")))));
    text.append("vector: %s%n".formatted(vector));
    text.append("combining: %s%n".formatted(combining));
    text.append("links: %s%n".formatted(links));
    text.append(
        algorithm == null
            ? "algorithm: none; vectors this short travel with the results of tasks, or the messages in"
                + " which ranks meet"
                + " (spark.collectives.small.maxBytes)%n".formatted()
            : algorithm.text());
    return text.toString();
  }

  @Override
  public String toString() {
    return text();
  }
}
