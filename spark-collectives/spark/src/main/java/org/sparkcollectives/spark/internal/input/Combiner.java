package org.sparkcollectives.spark.internal.input;

import java.io.IOException;
import java.io.Serial;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.internal.vector.ElementType;
import org.sparkcollectives.internal.vector.FixedVector;
import org.sparkcollectives.internal.vector.Vector;
import org.sparkcollectives.internal.vector.VectorErrors;
import org.sparkcollectives.spark.internal.rendezvous.RendezvousErrors;
import org.sparkcollectives.spark.internal.rendezvous.Shape;
import org.sparkcollectives.spark.internal.rendezvous.SparkCodec;
import org.sparkcollectives.vector.ReduceOp;

/**
 * Combines elements by an operator, without changing them. Elements are primitive arrays, values
 * that an adapter turns into such, or objects where the operator is one on objects. For one thread.
 */
public sealed class Combiner implements LocalFold permits SequenceFold {
  @Serial private static final long serialVersionUID = 1L;

  private final ReduceOp<?> op;
  private final boolean divided;
  private final boolean keepsSparse;

  /** The partition that a sum began with, for messages. */
  private transient int first;

  private transient @Nullable ElementForm form;
  private transient @Nullable SparkCodec codec;

  /**
   * Makes a combiner.
   *
   * @param op the operator
   */
  public Combiner(ReduceOp<?> op) {
    this(op, false, false);
  }

  private Combiner(ReduceOp<?> op, boolean divided, boolean keepsSparse) {
    this.op = op;
    this.divided = divided;
    this.keepsSparse = keepsSparse;
  }

  /**
   * A combiner for elements whose sum is wanted whole: operands of sparse vectors are {@link
   * SparseSum}s, where the operator is the sum.
   *
   * @param op the operator
   * @return the combiner
   */
  public static Combiner ofWhole(ReduceOp<?> op) {
    return new Combiner(op, false, op == ReduceOp.SUM);
  }

  /**
   * A combiner whose result is cut into parts; it refuses elements that have none.
   *
   * @param op the operator, on arrays
   * @return the combiner
   */
  public static Combiner ofParts(ReduceOp<?> op) {
    return new Combiner(op, true, false);
  }

  /**
   * The operator.
   *
   * @return it, as one on whatever operands are
   */
  @SuppressWarnings("unchecked")
  public ReduceOp<Object> op() {
    return (ReduceOp<Object>) op;
  }

  @Override
  public @Nullable Object fold(@Nullable Object before, int partition, Iterator<?> elements) {
    Object sum = before;
    while (elements.hasNext()) {
      Object next = operand(elements.next(), partition);
      if (sum == null) {
        first = partition;
        sum = next instanceof SparseSum ? next : copy(next);
      } else {
        sum = combine(sum, next, partition);
      }
    }
    return sum;
  }

  @Override
  public Object operand(@Nullable Object element, int partition) {
    Supplier<String> where = () -> "an element of partition " + partition;
    if (element == null) {
      throw VectorErrors.nullValue(where.get());
    }
    if (op.onObjects()) {
      return element;
    }
    SparseSum sparse = keepsSparse ? form().sparse(element) : null;
    if (sparse != null) {
      return sparse;
    }
    Object array = form().array(element);
    Object operand = array == null ? element : array;
    op.requireOperand(operand);
    return operand;
  }

  @Override
  public Object restore(Object operand) {
    return operand instanceof SparseSum sum ? form().restore(sum) : form().restore(operand);
  }

  @Override
  public Shape shape(Part part) {
    String number = divided ? form().number() : null;
    if (number != null) {
      throw InputErrors.noParts("the vector of partition " + part.partition(), number);
    }
    return shape(part.partition(), part.operand());
  }

  private Shape shape(int partition, Object operand) {
    if (op.onObjects()) {
      return new Shape(partition, "object", -1, 0, false);
    }
    if (operand instanceof SparseSum sum) {
      String type = ElementType.DOUBLE.label();
      return new Shape(partition, type, sum.length(), sum.bytes(), true);
    }
    FixedVector vector = Vector.of(operand);
    long bytes = vector.byteCount();
    return new Shape(partition, vector.type().label(), vector.length(), bytes, false);
  }

  /**
   * Combines two operands.
   *
   * @param left the left operand, which is changed
   * @param right the right operand
   * @param partition the partition that the right one is of, for messages
   * @return {@code left ⊕ right}, in place of the left one where operands are arrays
   */
  public Object combine(Object left, Object right, int partition) {
    return combine(first, left, partition, right);
  }

  /**
   * Whether two operands can be combined.
   *
   * @param left an operand
   * @param right another one
   * @return false for vectors of different lengths or types
   */
  public boolean alike(Part left, Part right) {
    Shape one = shape(left);
    Shape other = shape(right);
    return one.type().equals(other.type()) && one.length() == other.length();
  }

  /**
   * Combines what two ranks have.
   *
   * @param left the left operand, which is changed, and a partition that it is of
   * @param right the right operand
   * @return {@code left ⊕ right}, as of the left partition
   */
  public Part combine(Part left, Part right) {
    return new Part(
        left.partition(),
        combine(left.partition(), left.operand(), right.partition(), right.operand()));
  }

  private Object combine(int leftPartition, Object left, int partition, Object right) {
    if (op.onObjects()) {
      Object result = op().combineObjects(left, right);
      return result == right ? copy(right) : result;
    }
    if (left instanceof SparseSum || right instanceof SparseSum) {
      return plus(leftPartition, left, partition, right);
    }
    FixedVector sum = Vector.of(left);
    FixedVector next = Vector.of(right);
    if (sum.type() != next.type() || sum.length() != next.length()) {
      throw shapesDiffer(leftPartition, left, partition, right);
    }
    sum.combine(op, sum, 0, next, 0, 0, sum.length());
    return left;
  }

  private Object plus(int leftPartition, Object left, int partition, Object right) {
    int length = SparseSum.length(left);
    if (length < 0 || length != SparseSum.length(right)) {
      throw shapesDiffer(leftPartition, left, partition, right);
    }
    return SparseSum.plus(left, right);
  }

  private InvalidInputException shapesDiffer(
      int leftPartition, Object left, int partition, Object right) {
    return RendezvousErrors.shapesDiffer(
        "the operator '" + op.name() + "'",
        List.of(
            shape(leftPartition, left).toString(),
            shape(partition, right) + (leftPartition == partition ? " too" : "")));
  }

  /**
   * The operand with all elements.
   *
   * @param operand an operand
   * @return it, or an array where it was sparse
   */
  public Object dense(Object operand) {
    return operand instanceof SparseSum sum ? sum.dense() : operand;
  }

  /**
   * An operand's bytes, if they are few.
   *
   * @param operand the operand
   * @param most how many they may be
   * @return the bytes for {@link #read}, or null if there are more
   */
  public byte @Nullable [] bytes(Object operand, long most) {
    try {
      if (op.onObjects()) {
        return codec().encode(operand, most);
      }
      long bytes = operand instanceof SparseSum sum ? sum.bytes() : Vector.of(operand).byteCount();
      return bytes > most // whatever a serializer makes of its numbers, so that ranks agree
          ? null
          : codec().encode(SparseSum.packed(operand), 2 * bytes);
    } catch (IOException e) {
      throw VectorErrors.notSerializable(operand.getClass().getTypeName(), e);
    }
  }

  /**
   * Whether elements are primitive arrays themselves, as far as it has seen: then operands of the
   * same type and length take as many bytes.
   *
   * @return false where an adapter makes operands of elements, or operands are objects
   */
  public boolean onArrays() {
    return !op.onObjects() && form().isArray();
  }

  /**
   * The operand of bytes.
   *
   * @param bytes what {@link #bytes} has made, in this process or another one
   * @return the operand
   */
  public Object read(byte[] bytes) {
    try {
      Object operand = codec().decode(ByteBuffer.wrap(bytes));
      return keepsSparse ? SparseSum.unpacked(operand) : operand;
    } catch (IOException e) {
      throw VectorErrors.notReadable("a received object", e);
    }
  }

  /**
   * Copies an operand.
   *
   * @param operand the operand
   * @return one that shares nothing with it
   */
  public Object copy(Object operand) {
    if (!op.onObjects()) {
      FixedVector source = Vector.of(operand);
      FixedVector copy = (FixedVector) source.allocate(source.length());
      copy.copy(source, 0, 0, source.length());
      return copy.array();
    }
    try {
      return codec().copy(operand);
    } catch (IOException e) {
      throw VectorErrors.notSerializable(operand.getClass().getTypeName(), e);
    }
  }

  /**
   * The neutral element.
   *
   * @param operand an operand, whose shape it has
   * @return the neutral element
   * @throws org.sparkcollectives.error.InvalidInputException if the operator has none
   */
  public Object neutral(Object operand) {
    Object neutral = op.identityLike(operand);
    if (neutral == null) {
      throw op.hasIdentity()
          ? VectorErrors.nullIdentity(op.name())
          : InputErrors.noNeutralElement(op.name());
    }
    return neutral;
  }

  /**
   * Checks, before anything is computed, that the operator has a neutral element.
   *
   * @throws org.sparkcollectives.error.InvalidInputException if it has none
   */
  public void requireNeutral() {
    if (!op.hasIdentity()) {
      throw InputErrors.noNeutralElement(op.name());
    }
  }

  @Override
  public @Nullable Object emptyLike(FixedVector vector) {
    return form().isArray() ? null : form().restore(((FixedVector) vector.allocate(0)).array());
  }

  private SparkCodec codec() {
    SparkCodec known = codec;
    if (known == null) {
      known = new SparkCodec();
      codec = known;
    }
    return known;
  }

  private ElementForm form() {
    ElementForm known = form;
    if (known == null) {
      known = new ElementForm();
      form = known;
    }
    return known;
  }
}
