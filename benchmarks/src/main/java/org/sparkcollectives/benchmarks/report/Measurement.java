package org.sparkcollectives.benchmarks.report;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/**
 * The samples of one quantity of one contender in one setting.
 *
 * @param contender what was measured
 * @param ranks how many executors or ranks took part
 * @param partitions how many partitions the vectors lay in, one vector each; the number of ranks
 *     where there is no RDD
 * @param bytes size of a vector
 * @param quantity which part was timed
 * @param samples microseconds, in the order in which they were taken
 */
public record Measurement(
    String contender,
    int ranks,
    int partitions,
    long bytes,
    String quantity,
    List<Double> samples) {

  /** The time of a call and of all that it takes until its result is where it is needed. */
  public static final String END_TO_END = "end to end";

  /** The time of one of many operations that follow one another. */
  public static final String PER_OPERATION = "per operation";

  /** Copies the list. */
  public Measurement {
    samples = List.copyOf(samples);
  }

  /**
   * Whether contenders are compared by this quantity; otherwise it is a part of another one.
   *
   * @return true for {@link #END_TO_END} and {@link #PER_OPERATION}
   */
  @JsonIgnore
  public boolean compared() {
    return quantity.equals(END_TO_END) || quantity.equals(PER_OPERATION);
  }

  /**
   * The spread of the samples.
   *
   * @return microseconds
   */
  @JsonProperty
  public Summary summary() {
    return Summary.of(samples);
  }
}
