package org.sparkcollectives.spark.internal.result;

import java.util.BitSet;
import java.util.Iterator;
import org.apache.spark.api.java.function.Function2;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.spark.internal.input.Combiner;
import org.sparkcollectives.vector.ReduceOp;

/**
 * Replaces each element of a partition by the combination of all before it, including itself or
 * not.
 *
 * @param op the operator
 * @param exclusive whether an element itself is left out
 * @param prefixes what precedes a partition, as the part of its number
 * @param preceded the partitions that something precedes
 * @param <T> the elements' class
 */
public record ScanElements<T>(
    ReduceOp<?> op, boolean exclusive, ExecutorBroadcast<?> prefixes, BitSet preceded)
    implements Function2<Integer, Iterator<T>, Iterator<T>> {

  @Override
  public Iterator<T> call(Integer partition, Iterator<T> elements) {
    if (!elements.hasNext()) {
      return elements;
    }
    Combiner combiner = new Combiner(op);
    Object prefix = preceded.get(partition) ? prefixes.part(partition) : null;
    return new Running<>(
        this, combiner, partition, elements, prefix == null ? null : combiner.copy(prefix));
  }

  /** The prefixes of a partition, each made when it is asked for. */
  private static final class Running<T> implements Iterator<T> {
    private final ScanElements<T> scan;
    private final Combiner combiner;
    private final int partition;
    private final Iterator<T> elements;
    private @Nullable Object sum;

    Running(
        ScanElements<T> scan,
        Combiner combiner,
        int partition,
        Iterator<T> elements,
        @Nullable Object sum) {
      this.scan = scan;
      this.combiner = combiner;
      this.partition = partition;
      this.elements = elements;
      this.sum = sum;
    }

    @Override
    public boolean hasNext() {
      return elements.hasNext();
    }

    @Override
    @SuppressWarnings("unchecked")
    public T next() {
      Object operand = combiner.operand(elements.next(), partition);
      Object before = sum;
      Object after = before == null ? combiner.copy(operand) : after(before, operand);
      sum = after;
      if (!scan.exclusive()) {
        return (T) combiner.restore(combiner.copy(after));
      }
      if (before == null) {
        return (T) combiner.restore(combiner.neutral(operand));
      }
      return (T) combiner.restore(before);
    }

    /** In place of what precedes, where that is not given away, and keeping no part of elements. */
    private Object after(Object before, Object operand) {
      boolean objects = combiner.op().onObjects();
      return combiner.combine(
          scan.exclusive() ? combiner.copy(before) : before,
          objects ? combiner.copy(operand) : operand,
          partition);
    }
  }
}
