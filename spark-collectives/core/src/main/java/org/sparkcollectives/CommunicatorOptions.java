package org.sparkcollectives;

import java.io.Serializable;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.sparkcollectives.cost.CostModel;
import org.sparkcollectives.internal.select.Selector;
import org.sparkcollectives.internal.vector.JavaCodec;
import org.sparkcollectives.internal.vector.VectorErrors;
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
 * @param onFailure told once why a communicator, with those that share its links, broke: of what an
 *     operation failed, or what {@link Communicator#abort} was given; before the links are closed
 *     and other ranks notice
 * @param onWait told by a rank's thread what it called last, the latest at the end, once an
 *     operation has taken a second or breaks off as a peer has left; who hears all ranks can tell
 *     whether they called the same, and stop them through the cancellation
 */
public record CommunicatorOptions(
    Duration timeout,
    Policy policy,
    Supplier<ObjectCodec> codec,
    Cancellation cancellation,
    Consumer<Throwable> onFailure,
    Consumer<List<Call>> onWait) {

  /** Two minutes per operation, the cheapest algorithms, Java serialization. */
  public static final CommunicatorOptions DEFAULT =
      new CommunicatorOptions(
          Duration.ofMinutes(2),
          Policy.DEFAULT,
          JavaCodec::new,
          Cancellation.NONE,
          e -> {},
          Nobody.LISTENS);

  /**
   * Checks that nothing is null, and the timeout.
   *
   * @param timeout how long an operation may take at most
   * @param policy how algorithms and block sizes are chosen
   * @param codec makes the serializer of objects, called once per communicator
   * @param cancellation asked at every wait
   * @param onFailure told once why a communicator, with those that share its links, broke, before
   *     the links are closed and other ranks notice
   * @param onWait told what a rank called last, once an operation has taken a second or breaks off
   */
  public CommunicatorOptions {
    VectorErrors.requireGiven(timeout, "timeout", "operations end by it");
    VectorErrors.requireGiven(policy, "policy", "algorithms are chosen by it");
    VectorErrors.requireGiven(codec, "codec", "it makes the serializer of objects");
    VectorErrors.requireGiven(
        cancellation, "cancellation", "every wait asks it; Cancellation.NONE never ends one");
    VectorErrors.requireGiven(onFailure, "failure listener", "it is told why a communicator broke");
    VectorErrors.requireGiven(onWait, "wait listener", "it is told what a rank called last");
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
    return new CommunicatorOptions(value, policy, codec, cancellation, onFailure, onWait);
  }

  /**
   * The same with an algorithm for a collective.
   *
   * @param collective the collective
   * @param slug the algorithm's name
   * @return the options
   */
  public CommunicatorOptions withAlgorithm(Collective collective, String slug) {
    VectorErrors.requireGiven(collective, "collective", "the algorithm is for one");
    VectorErrors.requireGiven(slug, "name of the algorithm", "the collective's operations use it");
    return withPolicy(policy.withRules(collective, Rules.always(slug)));
  }

  /**
   * The same with another cost model.
   *
   * @param value what communication costs
   * @return the options
   */
  public CommunicatorOptions withModel(CostModel value) {
    VectorErrors.requireGiven(value, "model", "algorithms are chosen by what it says they cost");
    return new CommunicatorOptions(
        timeout, policy.withModel(value), codec, cancellation, onFailure, onWait);
  }

  /**
   * The same with another way to choose.
   *
   * @param value how algorithms and block sizes are chosen
   * @return the options
   */
  public CommunicatorOptions withPolicy(Policy value) {
    return new CommunicatorOptions(timeout, value, codec, cancellation, onFailure, onWait);
  }

  /**
   * The same with another serializer.
   *
   * @param value makes the serializer
   * @return the options
   */
  public CommunicatorOptions withCodec(Supplier<ObjectCodec> value) {
    return new CommunicatorOptions(timeout, policy, value, cancellation, onFailure, onWait);
  }

  /**
   * The same with another cancellation.
   *
   * @param value asked at every wait
   * @return the options
   */
  public CommunicatorOptions withCancellation(Cancellation value) {
    return new CommunicatorOptions(timeout, policy, codec, value, onFailure, onWait);
  }

  /**
   * The same with another listener.
   *
   * @param value told once why a communicator, with those that share its links, broke, before the
   *     links are closed
   * @return the options
   */
  public CommunicatorOptions withFailureListener(Consumer<Throwable> value) {
    return new CommunicatorOptions(timeout, policy, codec, cancellation, value, onWait);
  }

  /**
   * The same with another listener to what ranks called that wait.
   *
   * @param value told what a rank called last, once an operation has taken a second or breaks off
   * @return the options
   */
  public CommunicatorOptions withWaitListener(Consumer<List<Call>> value) {
    return new CommunicatorOptions(timeout, policy, codec, cancellation, onFailure, value);
  }

  /** Whether somebody hears what ranks call. */
  boolean heard() {
    return onWait != Nobody.LISTENS;
  }

  /**
   * A collective that a rank has called.
   *
   * @param communicator the communicator's identity, the same on all its ranks
   * @param number which of the communicator's operations it is, from 1
   * @param fingerprint the same for ranks that called the same, most likely for no others
   * @param rank the rank, such as {@code rank 3 on host-b (executor 2)}
   * @param what collective, vector, root, algorithm and operator, in words
   * @serial exclude
   */
  @SuppressWarnings("InvalidBlockTag") // Javadoc knows it: no form that users could rely on
  public record Call(long communicator, long number, int fingerprint, String rank, String what)
      implements Serializable {}

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

  /** Who does not hear what ranks call. */
  private enum Nobody implements Consumer<List<Call>> {
    LISTENS;

    @Override
    public void accept(List<Call> calls) {}
  }
}
