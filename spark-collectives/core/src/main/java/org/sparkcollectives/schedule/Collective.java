package org.sparkcollectives.schedule;

import java.util.Arrays;
import java.util.stream.Collectors;
import org.sparkcollectives.error.InvalidInputException;

/**
 * The collective operations, named as in the MPI standard, each with what kind of operation it is.
 */
public enum Collective {
  /** The root's vector reaches every rank. */
  BROADCAST(1, "broadcast", Flow.ONE_TO_ALL, false, false),
  /** The combination of all ranks' vectors reaches the root; the others' vectors are used up. */
  REDUCE(2, "reduce", Flow.ALL_TO_ONE, true, false),
  /** The combination of all ranks' vectors reaches every rank. */
  ALLREDUCE(3, "allreduce", Flow.ALL_TO_ALL, true, false),
  /** Rank i gets the combination of the vectors of ranks 0 to i. */
  SCAN(4, "scan", Flow.PREFIX, true, false),
  /** Rank i gets the combination of the vectors of ranks 0 to i-1; rank 0 keeps its vector. */
  EXSCAN(5, "exscan", Flow.PREFIX, true, false),
  /** Rank i gets its own part of the combination of all ranks' vectors. */
  REDUCE_SCATTER(6, "reduce_scatter", Flow.ALL_TO_ALL, true, true),
  /** Every rank gets the concatenation of all ranks' parts. */
  ALLGATHER(7, "allgather", Flow.ALL_TO_ALL, false, true),
  /** Rank s's block for rank d reaches d, for all s and d. */
  ALLTOALL(8, "alltoall", Flow.ALL_TO_ALL, false, false),
  /** Rank i gets its own part of the root's vector. */
  SCATTER(9, "scatter", Flow.ONE_TO_ALL, false, true),
  /** The root gets the concatenation of all ranks' parts. */
  GATHER(10, "gather", Flow.ALL_TO_ONE, false, true),
  /** No rank leaves before every rank has entered. */
  BARRIER(11, "barrier", Flow.ALL_TO_ALL, false, false);

  /** Who contributes and who gets a result, as the MPI standard classes its collectives. */
  private enum Flow {
    ONE_TO_ALL,
    ALL_TO_ONE,
    ALL_TO_ALL,
    PREFIX
  }

  private final int code;
  private final String slug;
  private final Flow flow;
  private final boolean reducing;
  private final boolean divided;

  Collective(int code, String slug, Flow flow, boolean reducing, boolean divided) {
    this.code = code;
    this.slug = slug;
    this.flow = flow;
    this.reducing = reducing;
    this.divided = divided;
  }

  /**
   * The name of this collective in settings, logs, documents and the JSON form.
   *
   * @return a lower-case word such as {@code reduce_scatter}
   */
  public String slug() {
    return slug;
  }

  /**
   * Whether one rank, the root, plays a special part.
   *
   * @return true for broadcast, reduce, scatter and gather
   */
  public boolean rooted() {
    return flow == Flow.ONE_TO_ALL || flow == Flow.ALL_TO_ONE;
  }

  /**
   * Whether the root's vector is all that there is at the beginning.
   *
   * @return true for broadcast and scatter
   */
  public boolean fromRoot() {
    return flow == Flow.ONE_TO_ALL;
  }

  /**
   * Whether the result of a rank is a prefix: of the vectors of the ranks up to it, or before it.
   *
   * @return true for scan and exscan
   */
  public boolean prefix() {
    return flow == Flow.PREFIX;
  }

  /**
   * Whether each rank has a part of the vector of its own, which it brings or gets.
   *
   * @return true for reduce_scatter, allgather, scatter and gather
   */
  public boolean divided() {
    return divided;
  }

  /**
   * Checks a root that a user gave.
   *
   * @param root the root
   * @param size the number of ranks
   * @throws org.sparkcollectives.error.InvalidInputException if it is no rank
   */
  public void requireRoot(int root, int size) {
    if (root < 0 || root >= size) {
      throw InvalidInputException.of(
          "root " + root + " of a " + slug + " is out of range",
          "the ranks are 0 to " + (size - 1),
          "give one of these as the root");
    }
  }

  /**
   * Whether vectors are combined with an operator.
   *
   * @return true for reduce, allreduce, scan, exscan and reduce_scatter
   */
  public boolean reducing() {
    return reducing;
  }

  /**
   * The number of this collective in message headers.
   *
   * @return 1 to 127; it never changes
   */
  public int code() {
    return code;
  }

  /**
   * The collective of a name.
   *
   * @param slug a name as returned by {@link #slug()}
   * @return the collective
   * @throws IllegalArgumentException if there is no such collective; the message lists all
   */
  public static Collective ofSlug(String slug) {
    for (Collective collective : values()) {
      if (collective.slug.equals(slug)) {
        return collective;
      }
    }
    throw new IllegalArgumentException(
        "no collective is called '"
            + slug
            + "'; the collectives are "
            + Arrays.stream(values()).map(Collective::slug).collect(Collectors.joining(", ")));
  }

  @Override
  public String toString() {
    return slug;
  }
}
