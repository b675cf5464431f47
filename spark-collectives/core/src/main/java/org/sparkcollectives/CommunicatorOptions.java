package org.sparkcollectives;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.sparkcollectives.cost.CostModel;
import org.sparkcollectives.internal.select.Selector;
import org.sparkcollectives.internal.vector.JavaCodec;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.select.Explanation;
import org.sparkcollectives.select.Policy;
import org.sparkcollectives.select.Request;
import org.sparkcollectives.select.Rules;
import org.sparkcollectives.transport.Cancellation;
import org.sparkcollectives.vector.ObjectCodec;

/**
 * How a communicator works. Must be equal on all its ranks.
 *
 * @param timeout how long an operation may take at most
 * @param policy how algorithms and block sizes are chosen
 * @param codec makes the serializer of objects, called once per communicator
 * @param cancellation asked at every wait
 * @param onFailure told why an operation failed, before the links are closed and other ranks notice
 */
public record CommunicatorOptions(
    Duration timeout,
    Policy policy,
    Supplier<ObjectCodec> codec,
    Cancellation cancellation,
    Consumer<Throwable> onFailure) {

  /** Two minutes per operation, the cheapest algorithms, Java serialization. */
  public static final CommunicatorOptions DEFAULT =
      new CommunicatorOptions(
          Duration.ofMinutes(2), Policy.DEFAULT, JavaCodec::new, Cancellation.NONE, e -> {});

  /**
   * Checks the timeout.
   *
   * @param timeout how long an operation may take at most
   * @param policy how algorithms and block sizes are chosen
   * @param codec makes the serializer of objects, called once per communicator
   * @param cancellation asked at every wait
   * @param onFailure told why an operation failed, before the links are closed and other ranks
   *     notice
   */
  public CommunicatorOptions {
    if (timeout.isNegative() || timeout.isZero()) {
      throw CommunicatorErrors.timeoutNotPositive(timeout);
    }
  }

  /**
   * The same with another timeout.
   *
   * @param value how long an operation may take at most
   * @return the options
   */
  public CommunicatorOptions withTimeout(Duration value) {
    return new CommunicatorOptions(value, policy, codec, cancellation, onFailure);
  }

  /**
   * The same with an algorithm for a collective.
   *
   * @param collective the collective
   * @param slug the algorithm's name
   * @return the options
   */
  public CommunicatorOptions withAlgorithm(Collective collective, String slug) {
    return withPolicy(policy.withRules(collective, Rules.always(slug)));
  }

  /**
   * The same with another cost model.
   *
   * @param value what communication costs
   * @return the options
   */
  public CommunicatorOptions withModel(CostModel value) {
    return new CommunicatorOptions(
        timeout, policy.withModel(value), codec, cancellation, onFailure);
  }

  /**
   * The same with another way to choose.
   *
   * @param value how algorithms and block sizes are chosen
   * @return the options
   */
  public CommunicatorOptions withPolicy(Policy value) {
    return new CommunicatorOptions(timeout, value, codec, cancellation, onFailure);
  }

  /**
   * The same with another serializer.
   *
   * @param value makes the serializer
   * @return the options
   */
  public CommunicatorOptions withCodec(Supplier<ObjectCodec> value) {
    return new CommunicatorOptions(timeout, policy, value, cancellation, onFailure);
  }

  /**
   * The same with another cancellation.
   *
   * @param value asked at every wait
   * @return the options
   */
  public CommunicatorOptions withCancellation(Cancellation value) {
    return new CommunicatorOptions(timeout, policy, codec, value, onFailure);
  }

  /**
   * The same with another listener.
   *
   * @param value told why an operation failed, before the links are closed
   * @return the options
   */
  public CommunicatorOptions withFailureListener(Consumer<Throwable> value) {
    return new CommunicatorOptions(timeout, policy, codec, cancellation, value);
  }

  /**
   * Which algorithm communicators with these options use for an operation that names none, and why.
   *
   * @param request the operation
   * @return the choice beside all other algorithms
   * @throws org.sparkcollectives.error.InvalidInputException if no algorithm can do it
   */
  public Explanation explain(Request request) {
    return new Selector(policy).explain(request, null);
  }
}
