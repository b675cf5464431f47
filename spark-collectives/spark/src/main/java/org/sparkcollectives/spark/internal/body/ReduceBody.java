package org.sparkcollectives.spark.internal.body;

import java.io.Serial;
import java.io.Serializable;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.spark.internal.conf.Settings;
import org.sparkcollectives.spark.internal.input.Combiner;
import org.sparkcollectives.spark.internal.input.Part;
import org.sparkcollectives.spark.internal.input.SparseSum;
import org.sparkcollectives.spark.internal.rendezvous.Attempt;
import org.sparkcollectives.spark.internal.rendezvous.RankSession;
import org.sparkcollectives.spark.internal.result.BlockStore;
import org.sparkcollectives.vector.ReduceOp;

/**
 * A rank of a reduce or an allreduce. No record, of which a process takes longer to read the first.
 */
public final class ReduceBody implements VectorBody {
  @Serial private static final long serialVersionUID = 1L;

  private final Combiner fold;
  private final @Nullable String algorithm;
  private final boolean everywhere;

  /**
   * A rank of a reduce or an allreduce.
   *
   * @param fold combines elements
   * @param algorithm its slug, or null for the cheapest
   * @param everywhere whether every executor stores the result; otherwise the root returns it
   */
  public ReduceBody(Combiner fold, @Nullable String algorithm, boolean everywhere) {
    this.fold = fold;
    this.algorithm = algorithm;
    this.everywhere = everywhere;
  }

  @Override
  public Combiner fold() {
    return fold;
  }

  @Override
  public @Nullable String algorithm() {
    return algorithm;
  }

  @Override
  public boolean ordered() {
    return !fold.op().commutative();
  }

  @Override
  public Combiner combiner() {
    return fold;
  }

  /** {@inheritDoc} An array becomes part of the result's broadcast; not all objects can. */
  @Override
  public @Nullable Object combined(Object sum, RankSession session) {
    Object value = fold.restore(sum);
    if (everywhere && (fold.op().onObjects() || !(value instanceof Serializable))) {
      Attempt attempt = session.attempt();
      BlockStore.put(attempt.results(), value, attempt.conf().get(Settings.REPLICAS));
      return null;
    }
    return value;
  }

  @Override
  public @Nullable Object run(Communicator communicator, List<Part> parts, RankSession session) {
    Object own = parts.get(0).operand();
    boolean sparse = session.sparse();
    Object sum = sparse ? SparseSum.packed(own) : fold.dense(own);
    ReduceOp<Object> op = sparse ? SparseSum.OF_PACKED : fold.op();
    Communicator by = communicator.by(algorithm);
    Object result = everywhere ? by.allReduce(sum, op) : by.reduce(sum, op, 0);
    Object whole = sparse ? SparseSum.unpacked(result) : result;
    if (everywhere) {
      VectorRank.store(session, fold, whole);
      return null;
    }
    return communicator.rank() == 0 ? VectorRank.forDriver(session, fold, whole) : null;
  }
}
