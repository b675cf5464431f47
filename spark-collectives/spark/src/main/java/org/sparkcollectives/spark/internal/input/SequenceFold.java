package org.sparkcollectives.spark.internal.input;

import java.io.Serial;
import java.util.Iterator;
import org.apache.spark.api.java.function.Function2;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.error.AbortedException;
import org.sparkcollectives.error.CollectiveException;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.internal.vector.VectorErrors;
import org.sparkcollectives.vector.ReduceOp;

/**
 * Adds the elements of a partition to a zero, as {@code RDD.aggregate} does, and combines what has
 * become of partitions by an operator on objects.
 *
 * @param <T> the elements' class
 * @param <U> the aggregate's class
 */
public final class SequenceFold<T, U> extends Combiner {
  @Serial private static final long serialVersionUID = 1L;

  private final ReduceOp.SerializableSupplier<U> zero;
  private final Function2<U, T, U> add;

  /** Whether the aggregate is still the zero, or a copy, that the fold has made itself. */
  private transient boolean own;

  /**
   * Makes the fold.
   *
   * @param zero makes the zero
   * @param add adds an element
   * @param combine combines aggregates
   */
  public SequenceFold(
      ReduceOp.SerializableSupplier<U> zero, Function2<U, T, U> add, ReduceOp<? super U> combine) {
    super(combine);
    this.zero = zero;
    this.add = add;
  }

  /**
   * An operator on objects that a function makes.
   *
   * @param combine combines two aggregates, the first of which it may change and return
   * @param <U> their class
   * @return the operator, not commutative
   */
  public static <U> ReduceOp<U> operator(Function2<U, U, U> combine) {
    return ReduceOp.<U>ofObjects(
        "combOp", false, (left, right) -> Calls.checked(combine, left, right));
  }

  /**
   * Checks, at the driver, before anything is computed, that aggregates can be combined.
   *
   * @param zero makes the zero
   * @param combine combines aggregates
   * @param <U> the aggregate's class
   * @throws InvalidInputException if the operator is null or does not take the zero
   */
  public static <U> void checkZero(
      ReduceOp.SerializableSupplier<U> zero, ReduceOp<? super U> combine) {
    VectorErrors.requireOperator(combine);
    if (combine.onObjects()) {
      return;
    }
    U made = made(zero);
    try {
      Object unusedButTaken = new Combiner(combine).operand(made, 0);
    } catch (InvalidInputException e) {
      throw InputErrors.zeroNotTaken(
          made == null ? "null" : "a " + made.getClass().getTypeName(), combine.name(), e);
    }
  }

  /**
   * Makes a zero at the driver.
   *
   * @param zero makes it
   * @param <U> its class
   * @return the zero
   * @throws CollectiveException if its function throws
   */
  public static <U> U made(ReduceOp.SerializableSupplier<U> zero) {
    try {
      return zero.get();
    } catch (CollectiveException | VirtualMachineError e) {
      throw e;
    } catch (Throwable e) { // it may be neither RuntimeException nor Error
      if (Calls.isInterruption(e)) {
        Thread.currentThread().interrupt();
        throw AbortedException.interrupted(e);
      }
      throw InputErrors.zeroNotMade(e);
    }
  }

  /**
   * {@inheritDoc} An aggregate may be a number or a vector of MLlib, as elements may. The operand
   * is changed as others are combined with it, so it is a copy: the array of an aggregate may be
   * that of an element. Only a zero that has been added to in place, as an array, is none.
   */
  @Override
  public Object folded(Object sum, int partition) {
    if (op().onObjects()) {
      return sum;
    }
    Object operand = operand(sum, partition);
    return own && operand == sum ? operand : copy(operand);
  }

  /**
   * The operand of no elements.
   *
   * @param partition the partition that has none, for messages
   * @return the zero's
   */
  public Object ofNone(int partition) {
    return folded(made(), partition);
  }

  private U made() {
    own = true;
    return zero.get();
  }

  @Override
  @SuppressWarnings("unchecked")
  public @Nullable Object fold(@Nullable Object before, int partition, Iterator<?> elements) {
    if (!elements.hasNext()) {
      return before;
    }
    U sum = before == null ? made() : (U) before;
    while (elements.hasNext()) {
      T element = (T) elements.next();
      U next = Calls.checked(add, sum, element);
      if (next == element && next != null) { // what others may hold is not changed
        sum = (U) (op().onObjects() ? copy(next) : restore(copy(operand(next, partition))));
        own = true;
      } else {
        own &= next == sum;
        sum = next;
      }
    }
    if (sum == null) {
      throw InputErrors.nullAggregate(partition);
    }
    return sum;
  }
}
