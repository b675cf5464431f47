package org.sparkcollectives.spark.internal.body;

import static java.util.Objects.requireNonNull;

import java.io.Serial;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.vector.Vector;
import org.sparkcollectives.spark.internal.conf.CollectiveConf;
import org.sparkcollectives.spark.internal.conf.Settings;
import org.sparkcollectives.spark.internal.input.Combiner;
import org.sparkcollectives.spark.internal.input.LocalFold;
import org.sparkcollectives.spark.internal.input.Part;
import org.sparkcollectives.spark.internal.input.RankInput;
import org.sparkcollectives.spark.internal.input.SparseSum;
import org.sparkcollectives.spark.internal.rendezvous.RankReport;
import org.sparkcollectives.spark.internal.rendezvous.RankRole;
import org.sparkcollectives.spark.internal.rendezvous.RankSession;
import org.sparkcollectives.spark.internal.rendezvous.Shape;
import org.sparkcollectives.spark.internal.result.BlockStore;

/**
 * A rank that brings vectors: it folds its partitions one after another, as they are computed, and
 * goes to the rendezvous with what has become of them. No record, of which a process takes longer
 * to read the first.
 */
public final class VectorRank implements RankBody {
  @Serial private static final long serialVersionUID = 1L;

  /** Elements that may come with the end of a task; Spark sends up to 1 MiB so. */
  private static final int FEW = 1 << 14;

  private final VectorBody body;

  /** How large all operands together, and one, may be to be combined where ranks meet. */
  private final long smallBytes;

  private final long maxBytes;

  /**
   * A rank of a collective.
   *
   * @param body the collective
   * @param conf the application's settings
   */
  public VectorRank(VectorBody body, CollectiveConf conf) {
    this.body = body;
    this.smallBytes = conf.get(Settings.REPRODUCIBLE) ? 0 : conf.get(Settings.SMALL_BYTES);
    this.maxBytes = conf.get(Settings.MAX_BYTES);
  }

  @Override
  public @Nullable String algorithm() {
    return body.algorithm();
  }

  @Override
  public @Nullable Object run(RankSession session, Iterator<RankInput> input) {
    LocalFold fold = body.fold();
    List<Part> parts =
        ofExecutor(session, body.apart() ? each(fold, input) : together(fold, input));
    List<Shape> shapes = new ArrayList<>();
    for (Part part : parts) {
      shapes.add(fold.shape(part));
    }
    byte[] small = small(parts, session);
    if (parts.isEmpty() || (small != null && requireNonNull(body.combiner()).onArrays())) {
      session.leave(shapes, small);
      return null;
    }
    RankRole role = session.join(shapes, small);
    if (role instanceof RankRole.Member member) {
      return body.run(member.communicator(), parts, session);
    }
    return role instanceof RankRole.Combine combine
        ? body.combined(sum(parts.get(0).partition(), combine.operands()), session)
        : null;
  }

  /** Operands are arrays here, and what has become of them is an array for the user. */
  @Override
  public Object combine(List<RankReport.Left> left) {
    Combiner combiner = requireNonNull(body.combiner());
    Part sum = part(combiner, left.get(0));
    for (RankReport.Left next : left.subList(1, left.size())) {
      sum = combiner.combine(sum, part(combiner, next));
    }
    return sum.operand();
  }

  private static Part part(Combiner combiner, RankReport.Left left) {
    return new Part(left.partition(), combiner.read(requireNonNull(left.operand())));
  }

  /** What this rank brings for its executor, where its ranks combine their operands first. */
  private List<Part> ofExecutor(RankSession session, List<Part> own) {
    Combiner combiner = body.combiner();
    if (combiner == null) {
      return own;
    }
    Mates mates = Mates.of(session);
    return !mates.alone() && Mates.combine(session, combiner, mates.consecutive())
        ? mates.sum(session, own, combiner)
        : own;
  }

  /** The rank's only operand, serialized, if it is to be combined with others and small. */
  private byte @Nullable [] small(List<Part> parts, RankSession session) {
    Combiner combiner = body.combiner();
    long most = Math.min(smallBytes / session.ranks(), maxBytes);
    if (combiner == null || parts.size() != 1 || most == 0) {
      return null;
    }
    return combiner.bytes(parts.get(0).operand(), most);
  }

  /** All operands combined in rank order. */
  private Object sum(int partition, List<byte[]> operands) {
    Combiner combiner = requireNonNull(body.combiner());
    Object sum = combiner.read(operands.get(0));
    for (byte[] next : operands.subList(1, operands.size())) {
      sum = combiner.combine(sum, combiner.read(next), partition);
    }
    return sum;
  }

  /** An operand for each partition that has elements. */
  private static List<Part> each(LocalFold fold, Iterator<RankInput> input) {
    List<Part> parts = new ArrayList<>();
    while (input.hasNext()) {
      RankInput next = input.next();
      Object operand = next.fold(fold, null);
      if (operand != null) {
        parts.add(new Part(next.partition(), operand));
      }
    }
    return parts;
  }

  /** One operand of all partitions, named after the first that has elements. */
  static List<Part> together(LocalFold fold, Iterator<RankInput> input) {
    Object operand = null;
    int first = -1;
    while (input.hasNext()) {
      RankInput next = input.next();
      operand = next.fold(fold, operand);
      first = operand != null && first < 0 ? next.partition() : first;
    }
    return operand == null ? List.of() : List.of(new Part(first, fold.folded(operand, first)));
  }

  /**
   * A result for the driver. A vector that is not short is left for it, and null is returned; or an
   * empty value of the class that it is to get, where it is left as an array.
   */
  static @Nullable Object forDriver(RankSession session, LocalFold fold, Object result) {
    if (held(result) <= FEW) {
      return fold.restore(result);
    }
    boolean array = BlockStore.takesArray(result); // no sparse vector, and no very long one
    Object like = null;
    try {
      like = array ? fold.emptyLike(Vector.of(result)) : null;
    } catch (RuntimeException e) { // an adapter of the user's that knows no empty values
      array = false;
    }
    long results = session.attempt().results();
    if (array) {
      BlockStore.putArray(results, Vector.of(result));
    } else {
      BlockStore.putSerialized(results, fold.restore(result));
    }
    session.leftResult();
    return like;
  }

  /** How many elements a vector keeps; 0 for objects. */
  private static int held(Object result) {
    if (result instanceof SparseSum sum) {
      return sum.indices().length;
    }
    return Vector.takes(result) ? Vector.of(result).length() : 0;
  }

  /** Stores a result that all ranks have, once for each executor. */
  static void store(RankSession session, LocalFold fold, Object result) {
    if (session.firstOfExecutor()) {
      int replicas = session.onOneExecutor() ? session.attempt().conf().get(Settings.REPLICAS) : 1;
      BlockStore.put(session.attempt().results(), fold.restore(result), replicas);
    }
  }
}
