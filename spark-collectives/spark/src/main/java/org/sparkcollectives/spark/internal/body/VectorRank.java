package org.sparkcollectives.spark.internal.body;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.spark.internal.conf.Settings;
import org.sparkcollectives.spark.internal.input.LocalFold;
import org.sparkcollectives.spark.internal.input.Part;
import org.sparkcollectives.spark.internal.input.RankInput;
import org.sparkcollectives.spark.internal.rendezvous.RankSession;
import org.sparkcollectives.spark.internal.rendezvous.Shape;
import org.sparkcollectives.spark.internal.result.BlockStore;

/**
 * A rank that brings vectors: it folds its partitions one after another, as they are computed, and
 * goes to the rendezvous with what has become of them.
 *
 * @param body the collective
 */
public record VectorRank(VectorBody body) implements RankBody {

  @Override
  public @Nullable Object run(RankSession session, Iterator<RankInput> input) {
    LocalFold fold = body.fold();
    List<Part> parts = body.apart() ? each(fold, input) : together(fold, input);
    List<Shape> shapes = parts.stream().map(fold::shape).toList();
    Communicator communicator = session.join(shapes);
    return communicator == null ? null : body.run(communicator, parts, session);
  }

  /** An operand for each partition that has elements. */
  private static List<Part> each(LocalFold fold, Iterator<RankInput> input) {
    List<Part> parts = new ArrayList<>();
    while (input.hasNext()) {
      RankInput next = input.next();
      Object operand = fold.fold(null, next.partition(), next.elements());
      if (operand != null) {
        parts.add(new Part(next.partition(), operand));
      }
    }
    return parts;
  }

  /** One operand, named after the first partition that has elements. */
  private static List<Part> together(LocalFold fold, Iterator<RankInput> input) {
    Object operand = null;
    int first = -1;
    while (input.hasNext()) {
      RankInput next = input.next();
      operand = fold.fold(operand, next.partition(), next.elements());
      first = operand != null && first < 0 ? next.partition() : first;
    }
    return operand == null ? List.of() : List.of(new Part(first, operand));
  }

  /** Stores a result that all ranks have, once for each executor. */
  static void store(RankSession session, LocalFold fold, Object result) {
    if (session.firstOfExecutor()) {
      int replicas = session.onOneExecutor() ? session.attempt().conf().get(Settings.REPLICAS) : 1;
      BlockStore.put(session.attempt().results(), fold.restore(result), replicas);
    }
  }
}
