package org.sparkcollectives.ml.internal.training;

import static java.util.Objects.requireNonNull;

import breeze.linalg.DenseVector;
import breeze.optimize.CachedDiffFunction;
import breeze.optimize.DiffFunction;
import breeze.optimize.FirstOrderMinimizer;
import breeze.optimize.FirstOrderMinimizer.ConvergenceReason;
import breeze.optimize.FirstOrderMinimizer.State;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.Serial;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.ml.linalg.Vector;
import org.apache.spark.ml.optim.aggregator.DifferentiableLossAggregator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.spark.CollectiveFunction;
import scala.Function1;
import scala.Option;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * A rank of a training: Breeze's optimiser runs on every rank, takes the same steps on each, and
 * asks for an objective that all ranks compute together.
 *
 * @param <T> the rows' class
 * @param <A> MLlib's aggregator
 */
final class RankProgram<T, A extends DifferentiableLossAggregator<T, A>>
    implements CollectiveFunction<T, Trained> {
  @Serial private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(RankProgram.class);

  @SuppressWarnings({"unchecked", "rawtypes"}) // Java sees Scala's doubles as objects
  private static final ClassTag<Object> DOUBLE = (ClassTag) ClassTag$.MODULE$.Double();

  private final String training;
  private final Function1<Broadcast<Vector>, A> aggregators;
  private final Penalty penalty;
  private final Optimizer optimizer;
  private final Vector initial;

  RankProgram(
      String training,
      Function1<Broadcast<Vector>, A> aggregators,
      Penalty penalty,
      Optimizer optimizer,
      Vector initial) {
    this.training = training;
    this.aggregators = aggregators;
    this.penalty = penalty;
    this.optimizer = optimizer;
    this.initial = initial;
  }

  @Override
  public Iterator<Trained> call(Communicator communicator, Iterator<T> elements)
      throws IOException, ClassNotFoundException {
    List<T> rows = new ArrayList<>();
    elements.forEachRemaining(rows::add);
    Objective<T, A> objective = new Objective<>(communicator, rows, aggregators, penalty);
    FirstOrderMinimizer<DenseVector<Object>, DiffFunction<DenseVector<Object>>> minimizer =
        optimizer.make();
    DiffFunction<DenseVector<Object>> function =
        minimizer.adjustFunction(
            new CachedDiffFunction<>(
                new RankFunction(objective::at), DenseVector.canCopyDenseVector(DOUBLE)));

    KeptState kept = newestOfAll(communicator);
    State<DenseVector<Object>, Object, Object> state =
        kept == null
            ? minimizer.initialState(function, DenseVectors.over(initial.toArray().clone()))
            : kept.restore(minimizer, optimizer.memory());
    List<Double> values = new ArrayList<>();
    if (kept == null) {
      values.add(state.adjustedValue());
    } else {
      Arrays.stream(kept.objective()).forEach(values::add);
    }
    int resumedAt = state.iter();

    var states = minimizer.infiniteIterations(function, state);
    states.next(); // the state itself
    Option<ConvergenceReason> reason = ended(minimizer, state);
    while (reason.isEmpty()) {
      State<DenseVector<Object>, Object, Object> next = states.next();
      values.add(next.adjustedValue());
      if (next.iter() > state.iter()) { // not one that a failed search has left
        KeptStates.keep(training, new KeptStates.Newest(next, array(values)));
      }
      state = next;
      if (communicator.rank() == 0) {
        LOG.info("{}: iteration {}, objective {}", training, state.iter(), state.adjustedValue());
      }
      reason = ended(minimizer, state);
    }
    communicator.barrier(); // until then another may need the state
    KeptStates.forget(training);
    if (communicator.rank() != 0) {
      return Collections.emptyIterator();
    }
    return List.of(
            new Trained(
                DenseVectors.array(state.x()),
                array(values),
                reason.get().reason(),
                communicator.size(),
                resumedAt,
                objective))
        .iterator();
  }

  private static Option<ConvergenceReason> ended(
      FirstOrderMinimizer<DenseVector<Object>, DiffFunction<DenseVector<Object>>> minimizer,
      State<DenseVector<Object>, Object, Object> state) {
    return minimizer.convergenceCheck().apply(state, state.convergenceInfo());
  }

  /** The newest state that an earlier attempt has left with any rank; null when there is none. */
  private @Nullable KeptState newestOfAll(Communicator communicator)
      throws IOException, ClassNotFoundException {
    KeptStates.Newest own = KeptStates.newest(training);
    int[] iterations = communicator.allGather(new int[] {own == null ? -1 : own.state().iter()});
    int holder = 0;
    for (int rank = 1; rank < iterations.length; rank++) {
      holder = iterations[rank] > iterations[holder] ? rank : holder;
    }
    if (iterations[holder] < 0) {
      return null;
    }
    byte[] bytes = null;
    if (communicator.rank() == holder) {
      LOG.info("{}: goes on from iteration {}", training, iterations[holder]);
      bytes = bytes(new KeptState(requireNonNull(own).state(), own.objective()));
    }
    try (ObjectInputStream in =
        new LoadedObjects(communicator.objects().broadcast(bytes, holder))) {
      return (KeptState) in.readObject();
    }
  }

  private static byte[] bytes(KeptState state) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(state);
    }
    return bytes.toByteArray();
  }

  private static double[] array(List<Double> values) {
    return values.stream().mapToDouble(Double::doubleValue).toArray();
  }

  /** Objects of the classes that the task sees. */
  private static final class LoadedObjects extends ObjectInputStream {
    LoadedObjects(byte[] bytes) throws IOException {
      super(new ByteArrayInputStream(bytes));
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass description)
        throws IOException, ClassNotFoundException {
      try {
        return Class.forName(
            description.getName(), false, Thread.currentThread().getContextClassLoader());
      } catch (ClassNotFoundException e) {
        return super.resolveClass(description);
      }
    }
  }
}
