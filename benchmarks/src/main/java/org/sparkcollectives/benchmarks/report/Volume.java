package org.sparkcollectives.benchmarks.report;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Collection;
import java.util.List;

/**
 * What the driver's network card carried for one contender in one setting, per operation.
 *
 * @param contender what was measured
 * @param base the contender that it is compared with; empty if there is none
 * @param partitions how many partitions the vectors lay in
 * @param bytes size of a vector
 * @param sent bytes that the driver sent, in the order of the rounds, with headers of large pieces
 * @param received bytes that it received, likewise
 */
public record Volume(
    String contender,
    String base,
    int partitions,
    long bytes,
    List<Long> sent,
    List<Long> received) {

  /** Copies the lists. */
  public Volume {
    sent = List.copyOf(sent);
    received = List.copyOf(received);
  }

  /**
   * The median of the bytes sent.
   *
   * @return bytes
   */
  @JsonProperty
  public long medianSent() {
    return median(sent);
  }

  /**
   * The median of the bytes received.
   *
   * @return bytes
   */
  @JsonProperty
  public long medianReceived() {
    return median(received);
  }

  /**
   * Both medians together.
   *
   * @return bytes
   */
  public long total() {
    return medianSent() + medianReceived();
  }

  private static long median(Collection<Long> samples) {
    return Math.round(Summary.of(samples.stream().map(Long::doubleValue).toList()).median());
  }
}
