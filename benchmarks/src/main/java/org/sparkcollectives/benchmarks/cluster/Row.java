package org.sparkcollectives.benchmarks.cluster;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.benchmarks.report.Summary;

/**
 * What one contender needed for one collective on vectors of one size.
 *
 * @param collective the collective's name
 * @param bytes the vector's size
 * @param contender {@link ClusterCommand#SELECTED}, an algorithm's name, or that of other software
 * @param algorithm the algorithm that ran
 * @param blocks how many blocks it cut the vector into, 0 where that is not known
 * @param samples microseconds from the first rank's start to the last rank's end, per operation
 * @param boundMicros the lower bound, or null where no rate is known
 * @param predictedMicros what the calibrated cost model predicts, or null for software that it does
 *     not know
 * @param load what the operation asked of network cards and processors, or null where that was not
 *     measured
 */
record Row(
    String collective,
    long bytes,
    String contender,
    String algorithm,
    int blocks,
    List<Double> samples,
    @Nullable Double boundMicros,
    @Nullable Double predictedMicros,
    @Nullable Load load) {

  /**
   * What an operation asked of network cards and processors, on average; bytes are 0 where hosts
   * have no network cards.
   *
   * @param mostSent bytes that the busiest network card sent, with headers of large pieces and the
   *     barrier before
   * @param mostReceived bytes that the busiest network card received
   * @param totalSent bytes that all network cards sent
   * @param mostCpuMicros processor time of the busiest rank
   * @param totalCpuMicros processor time of all ranks
   * @param machineBusy the share of all processors' time that was used by anything, 0 to 1, or null
   *     where the operations took too little time to tell
   */
  record Load(
      long mostSent,
      long mostReceived,
      long totalSent,
      double mostCpuMicros,
      double totalCpuMicros,
      @Nullable Double machineBusy) {}

  Row {
    samples = List.copyOf(samples);
  }

  /** The spread of the samples in microseconds. */
  @JsonProperty
  Summary summary() {
    return Summary.of(samples);
  }

  /** The median over the lower bound, or null where there is none. */
  @JsonProperty
  @Nullable Double overBound() {
    return boundMicros == null || boundMicros == 0 ? null : summary().median() / boundMicros;
  }

  /** The median over the prediction, or null where there is none. */
  @JsonProperty
  @Nullable Double overPredicted() {
    return predictedMicros == null ? null : summary().median() / predictedMicros;
  }
}
