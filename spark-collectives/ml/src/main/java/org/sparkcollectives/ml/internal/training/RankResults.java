package org.sparkcollectives.ml.internal.training;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.rdd.RDD;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.ml.internal.bridge.SplitObject;
import org.sparkcollectives.spark.CollectiveFunction;
import org.sparkcollectives.spark.JavaCollectives;
import org.sparkcollectives.spark.internal.job.NamedProgram;

/**
 * What the ranks of a program have returned, on their executors until this is closed, in a form
 * that does not depend on Spark's serializer.
 *
 * @param <R> the results' class, which Java can serialise
 */
public final class RankResults<R> implements AutoCloseable {
  private final JavaRDD<Object> pieces;

  private RankResults(JavaRDD<Object> pieces) {
    this.pieces = pieces;
  }

  /**
   * Runs a program in one barrier stage.
   *
   * @param rows the rows
   * @param what what the user has asked for, such as "training"
   * @param program what each rank does
   * @param <T> the rows' class
   * @param <R> the results' class
   * @return what the ranks have returned
   */
  public static <T, R> RankResults<R> of(
      RDD<T> rows, String what, CollectiveFunction<T, R> program) {
    return new RankResults<>(
        JavaCollectives.of(rows.toJavaRDD()).collectively(new Pieces<>(what, program)));
  }

  /** A program whose results are cut in pieces. */
  private record Pieces<T, R>(String operation, CollectiveFunction<T, R> program)
      implements CollectiveFunction<T, Object>, NamedProgram {
    @Override
    public Iterator<Object> call(Communicator communicator, Iterator<T> elements) throws Exception {
      ArrayList<R> results = new ArrayList<>();
      program.call(communicator, elements).forEachRemaining(results::add);
      return SplitObject.of(results).iterator();
    }
  }

  /**
   * Fetches what a rank has returned, by a single task.
   *
   * @param rank the rank
   * @return its results
   */
  public List<R> of(int rank) {
    return fetched(new int[] {rank}).findFirst().orElseThrow();
  }

  /**
   * Fetches what some ranks have returned.
   *
   * @param ranks the ranks
   * @return the results of each, in this order
   */
  public Stream<List<R>> fetched(int[] ranks) {
    return Stream.of(pieces.collectPartitions(ranks)).map(RankResults::read);
  }

  /**
   * The ranks.
   *
   * @return how many there were
   */
  public int ranks() {
    return pieces.getNumPartitions();
  }

  /** Removes what the ranks have returned. */
  @Override
  public void close() {
    pieces.unpersist(false);
  }

  @SuppressWarnings("unchecked") // what this class has written
  private static <R> List<R> read(List<Object> pieces) {
    try {
      return (List<R>) SplitObject.read(pieces);
    } catch (IOException | ClassNotFoundException e) {
      throw new IllegalStateException("the results of a rank cannot be read", e);
    }
  }
}
