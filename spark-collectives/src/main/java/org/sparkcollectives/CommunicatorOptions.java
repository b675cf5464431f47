package org.sparkcollectives;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.sparkcollectives.cost.CostModel;
import org.sparkcollectives.error.Errors;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.transport.Cancellation;
import org.sparkcollectives.vector.JavaCodec;
import org.sparkcollectives.vector.ObjectCodec;

/**
 * How a communicator works. Must be equal on all its ranks.
 *
 * @param timeout how long an operation may take at most
 * @param algorithms the algorithms to use, by collective; the cheapest where there is none
 * @param model what communication costs, for choosing algorithms and block sizes
 * @param codec makes the serializer of objects, called once per communicator
 * @param cancellation asked at every wait
 * @param onFailure told why an operation failed, before the links are closed and other ranks notice
 */
public record CommunicatorOptions(
    Duration timeout,
    Map<Collective, String> algorithms,
    CostModel model,
    Supplier<ObjectCodec> codec,
    Cancellation cancellation,
    Consumer<Throwable> onFailure) {

  /** Two minutes per operation, the cheapest algorithms, Java serialization. */
  public static final CommunicatorOptions DEFAULT =
      new CommunicatorOptions(
          Duration.ofMinutes(2),
          Map.of(),
          CostModel.DEFAULT,
          JavaCodec::new,
          Cancellation.NONE,
          e -> {});

  /**
   * Copies the map.
   *
   * @param timeout how long an operation may take at most
   * @param algorithms the algorithms to use, by collective; the cheapest where there is none
   * @param model what communication costs, for choosing algorithms and block sizes
   * @param codec makes the serializer of objects, called once per communicator
   * @param cancellation asked at every wait
   * @param onFailure told why an operation failed, before the links are closed and other ranks
   *     notice
   */
  public CommunicatorOptions {
    if (timeout.isNegative() || timeout.isZero()) {
      throw Errors.timeoutNotPositive(timeout);
    }
    algorithms = Map.copyOf(algorithms);
  }

  /**
   * The same with another timeout.
   *
   * @param value how long an operation may take at most
   * @return the options
   */
  public CommunicatorOptions withTimeout(Duration value) {
    return new CommunicatorOptions(value, algorithms, model, codec, cancellation, onFailure);
  }

  /**
   * The same with an algorithm for a collective.
   *
   * @param collective the collective
   * @param slug the algorithm's name
   * @return the options
   */
  public CommunicatorOptions withAlgorithm(Collective collective, String slug) {
    Map<Collective, String> map = new EnumMap<>(Collective.class);
    map.putAll(algorithms);
    map.put(collective, slug);
    return new CommunicatorOptions(timeout, map, model, codec, cancellation, onFailure);
  }

  /**
   * The same with another cost model.
   *
   * @param value what communication costs
   * @return the options
   */
  public CommunicatorOptions withModel(CostModel value) {
    return new CommunicatorOptions(timeout, algorithms, value, codec, cancellation, onFailure);
  }

  /**
   * The same with another serializer.
   *
   * @param value makes the serializer
   * @return the options
   */
  public CommunicatorOptions withCodec(Supplier<ObjectCodec> value) {
    return new CommunicatorOptions(timeout, algorithms, model, value, cancellation, onFailure);
  }

  /**
   * The same with another cancellation.
   *
   * @param value asked at every wait
   * @return the options
   */
  public CommunicatorOptions withCancellation(Cancellation value) {
    return new CommunicatorOptions(timeout, algorithms, model, codec, value, onFailure);
  }

  /**
   * The same with another listener.
   *
   * @param value told why an operation failed, before the links are closed
   * @return the options
   */
  public CommunicatorOptions withFailureListener(Consumer<Throwable> value) {
    return new CommunicatorOptions(timeout, algorithms, model, codec, cancellation, value);
  }
}
