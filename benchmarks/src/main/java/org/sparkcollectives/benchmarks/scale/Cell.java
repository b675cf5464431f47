package org.sparkcollectives.benchmarks.scale;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;

/**
 * The selected algorithm of an operation, and its time.
 *
 * @param perHost how many ranks share a host
 * @param ranks p
 * @param collective its name
 * @param bytes the size of a rank's vector
 * @param algorithm the algorithm's name
 * @param blocks into how many blocks it cuts the vector
 * @param way how the time was found
 * @param micros the time, in microseconds
 * @param boundMicros the time that no algorithm beats
 */
@JsonPropertyOrder({
  "perHost",
  "ranks",
  "collective",
  "bytes",
  "algorithm",
  "blocks",
  "way",
  "micros",
  "boundMicros",
  "overBound"
})
public record Cell(
    int perHost,
    int ranks,
    String collective,
    long bytes,
    String algorithm,
    int blocks,
    String way,
    double micros,
    double boundMicros) {

  /** The time as a multiple of the bound. */
  @JsonProperty
  public double overBound() {
    return micros / boundMicros;
  }
}
