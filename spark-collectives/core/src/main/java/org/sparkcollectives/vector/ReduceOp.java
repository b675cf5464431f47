package org.sparkcollectives.vector;

import java.io.Serial;
import java.io.Serializable;
import java.lang.reflect.Array;
import java.util.function.DoubleBinaryOperator;
import java.util.function.IntBinaryOperator;
import java.util.function.LongBinaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * An associative operator ⊕ that combines vectors element by element, or whole objects. An operator
 * that is not declared commutative is only ever applied to operands in rank order.
 *
 * @param <V> what it combines; {@code Object} for operators on numeric vectors, which check the
 *     element type when they meet it
 */
@SuppressWarnings("UnusedTypeParameter") // V ties an operator to the vectors that it is used on
public final class ReduceOp<V> implements Serializable {
  @Serial private static final long serialVersionUID = 1L;

  /** The sum; integers wrap around. */
  public static final ReduceOp<Object> SUM = numeric("sum", Arithmetic.SUM);

  /** The product; integers wrap around. */
  public static final ReduceOp<Object> PROD = numeric("product", Arithmetic.PROD);

  /** The minimum, as {@link Math#min(double, double)} has it: NaN wins, -0.0 is below 0.0. */
  public static final ReduceOp<Object> MIN = numeric("minimum", Arithmetic.MIN);

  /** The maximum, as {@link Math#max(double, double)} has it: NaN wins, 0.0 is above -0.0. */
  public static final ReduceOp<Object> MAX = numeric("maximum", Arithmetic.MAX);

  /** A tuple is received as a whole, so that it has to fit a buffer. */
  private static final int MOST_WIDTH = 1 << 27;

  /** For messages. */
  private final String name;

  /** Whether operands may be exchanged. */
  private final boolean commutative;

  /** How many array elements make one operand, at least 1. */
  private final int width;

  /** Combines ranges of arrays. */
  private final Kernel kernel;

  private ReduceOp(String name, boolean commutative, int width, Kernel kernel) {
    OperatorErrors.requireGiven(name, "name of an operator", "messages name the operator by it");
    if (width < 1 || width > MOST_WIDTH) {
      throw OperatorErrors.width(name, width, MOST_WIDTH);
    }
    this.name = name;
    this.commutative = commutative;
    this.width = width;
    this.kernel = kernel;
  }

  private static ReduceOp<Object> numeric(String name, Arithmetic kernel) {
    return new ReduceOp<>(name, true, 1, kernel);
  }

  /** An operator's function, which is not null. */
  private static <F> F given(String name, F function) {
    OperatorErrors.requireGiven(
        function, "function of the operator '" + name + "'", "it combines the operands");
    return function;
  }

  /**
   * A constant of this class is the same in every process.
   *
   * @return what travels
   */
  @Serial
  private Object writeReplace() {
    return kernel instanceof Arithmetic arithmetic ? new Constant(arithmetic) : this;
  }

  /** What travels for a constant: who reads it looks at no method of operators. */
  private static final class Constant implements Serializable {
    @Serial private static final long serialVersionUID = 1L;

    private final Arithmetic kernel;

    Constant(Arithmetic kernel) {
      this.kernel = kernel;
    }

    /**
     * The constant.
     *
     * @return it
     */
    @Serial
    private Object readResolve() {
      return switch (kernel) {
        case SUM -> SUM;
        case PROD -> PROD;
        case MIN -> MIN;
        case MAX -> MAX;
      };
    }
  }

  /**
   * The arithmetic operators, on arrays of all types of numbers. A constant, so that an operator
   * travels as a name; and the loops of a type are loaded when the first array of it comes.
   */
  enum Arithmetic implements Kernel {
    /** Adds. */
    SUM,
    /** Multiplies. */
    PROD,
    /** Takes the smaller one. */
    MIN,
    /** Takes the larger one. */
    MAX;

    @Override
    public @Nullable Kernel on(Class<?> arrays) {
      if (arrays == double[].class) {
        return DoubleKernel.Arithmetic.of(this);
      } else if (arrays == float[].class) {
        return FloatKernel.Arithmetic.of(this);
      } else if (arrays == long[].class) {
        return LongKernel.Arithmetic.of(this);
      } else if (arrays == int[].class) {
        return IntKernel.Arithmetic.of(this);
      }
      return null;
    }

    @Override
    public String accepts() {
      return "double[], float[], long[] and int[]";
    }

    @Override
    public boolean hasIdentity() {
      return true;
    }

    @Override
    public @Nullable Object identityLike(Object shape) {
      Kernel kernel = on(shape.getClass());
      return kernel == null ? null : kernel.identityLike(shape);
    }
  }

  /**
   * An operator on {@code double[]}, element by element.
   *
   * @param name for messages
   * @param commutative whether operands may be exchanged
   * @param operator associative and serializable
   * @return the operator
   */
  public static ReduceOp<Object> ofDouble(
      String name, boolean commutative, SerializableDoubleOperator operator) {
    return new ReduceOp<>(name, commutative, 1, new DoubleKernel.Elements(given(name, operator)));
  }

  /**
   * An operator on {@code float[]}, element by element.
   *
   * @param name for messages
   * @param commutative whether operands may be exchanged
   * @param operator associative and serializable
   * @return the operator
   */
  public static ReduceOp<Object> ofFloat(
      String name, boolean commutative, SerializableFloatOperator operator) {
    return new ReduceOp<>(name, commutative, 1, new FloatKernel.Elements(given(name, operator)));
  }

  /**
   * An operator on {@code long[]}, element by element.
   *
   * @param name for messages
   * @param commutative whether operands may be exchanged
   * @param operator associative and serializable
   * @return the operator
   */
  public static ReduceOp<Object> ofLong(
      String name, boolean commutative, SerializableLongOperator operator) {
    return new ReduceOp<>(name, commutative, 1, new LongKernel.Elements(given(name, operator)));
  }

  /**
   * An operator on {@code int[]}, element by element.
   *
   * @param name for messages
   * @param commutative whether operands may be exchanged
   * @param operator associative and serializable
   * @return the operator
   */
  public static ReduceOp<Object> ofInt(
      String name, boolean commutative, SerializableIntOperator operator) {
    return new ReduceOp<>(name, commutative, 1, new IntKernel.Elements(given(name, operator)));
  }

  /**
   * An operator on tuples of {@code width} consecutive doubles, such as matrices laid out one after
   * the other.
   *
   * @param name for messages
   * @param commutative whether operands may be exchanged
   * @param width doubles in a tuple, 1 to 2<sup>27</sup>; vectors are never split within one
   * @param operator associative and serializable
   * @return the operator
   * @throws org.sparkcollectives.error.InvalidInputException if the width is none of these
   */
  public static ReduceOp<Object> ofDoubleTuples(
      String name, boolean commutative, int width, DoubleTupleOperator operator) {
    return new ReduceOp<>(
        name, commutative, width, new DoubleKernel.Tuples(width, given(name, operator)));
  }

  /**
   * An operator on whole objects, which are shipped by the application's serializer.
   *
   * @param name for messages
   * @param commutative whether operands may be exchanged
   * @param operator associative and serializable; it may change and return its left operand, also
   *     the one that the caller of a collective gave, but must not change the right one. Nor may it
   *     put parts of the right one that a later combination changes into the left one: it copies
   *     them ({@code new ArrayList<>(theirs)}), or elements of a cached RDD change
   * @param <T> the objects' class
   * @return the operator
   */
  public static <T> ReduceOp<T> ofObjects(
      String name, boolean commutative, SerializableBinaryOperator<T> operator) {
    return new ReduceOp<>(name, commutative, 1, new ObjectKernel<>(given(name, operator), null));
  }

  /**
   * As {@link #ofObjects(String, boolean, SerializableBinaryOperator)}, with a neutral element,
   * which an exclusive scan gives to the first rank.
   *
   * @param name for messages
   * @param commutative whether operands may be exchanged
   * @param operator associative and serializable; it may change and return its left operand, as
   *     there
   * @param identity makes a neutral element
   * @param <T> the objects' class
   * @return the operator
   */
  public static <T> ReduceOp<T> ofObjects(
      String name,
      boolean commutative,
      SerializableBinaryOperator<T> operator,
      SerializableSupplier<T> identity) {
    OperatorErrors.requireGiven(
        identity,
        "function that makes the neutral element of '" + name + "'",
        "an operator without one is made without that argument");
    return new ReduceOp<>(
        name, commutative, 1, new ObjectKernel<>(given(name, operator), identity));
  }

  /**
   * The operator's name.
   *
   * @return the name, for messages
   */
  public String name() {
    return name;
  }

  /**
   * Whether operands may be exchanged.
   *
   * @return true when combining in any order is right
   */
  public boolean commutative() {
    return commutative;
  }

  /**
   * How many consecutive array elements make one operand.
   *
   * @return 1 or more; a vector's length is a multiple of it
   */
  public int width() {
    return width;
  }

  /**
   * Whether the operator combines objects as wholes, so that an array is one operand.
   *
   * @return true for {@link #ofObjects}
   */
  public boolean onObjects() {
    return kernel.onObjects();
  }

  /**
   * Whether the operator has a neutral element, which an exclusive scan gives to the first rank.
   *
   * @return true for the constants of this class, and objects with an identity
   */
  public boolean hasIdentity() {
    return kernel.hasIdentity();
  }

  /**
   * A neutral element that has the shape of a given value. That of the sum of floating-point
   * numbers is 0.0, which makes 0.0 of -0.0.
   *
   * @param shape a value of the right class and length
   * @return a new value e with e ⊕ x = x, or null where the operator has none
   */
  public @Nullable Object identityLike(Object shape) {
    return kernel.identityLike(shape);
  }

  /**
   * Combines a run of array elements: {@code dst[dstAt + i] = left[leftAt + i] ⊕ right[rightAt +
   * i]}. {@code dst} may be an operand at the same index.
   *
   * @param left left operands, an array
   * @param leftAt index of the first
   * @param right right operands, an array of the same class
   * @param rightAt index of the first
   * @param dst results, an array of the same class
   * @param dstAt index of the first
   * @param count array elements, a multiple of {@link #width()}
   */
  public void combine(
      Object left, int leftAt, Object right, int rightAt, Object dst, int dstAt, int count) {
    Kernel own = kernel.on(dst.getClass());
    if (own == null) {
      throw OperatorErrors.type(this, dst.getClass().getTypeName());
    }
    own.combine(left, leftAt, right, rightAt, dst, dstAt, count);
  }

  /**
   * Combines two objects.
   *
   * @param left the left operand
   * @param right the right operand
   * @return {@code left ⊕ right}
   */
  public Object combineObjects(Object left, Object right) {
    if (!onObjects()) {
      throw OperatorErrors.type(this, left.getClass().getTypeName());
    }
    Object result = kernel.combineObjects(left, right);
    if (result == null) {
      throw OperatorErrors.returnedNull(name);
    }
    return result;
  }

  /**
   * Checks that a value can be an operand: any object for {@link #ofObjects}, otherwise an array of
   * a class that the operator works on and of whole tuples.
   *
   * @param value the value
   * @throws org.sparkcollectives.error.InvalidInputException if it cannot
   */
  public void requireOperand(Object value) {
    if (onObjects()) {
      return;
    }
    if (kernel.on(value.getClass()) == null) {
      throw OperatorErrors.type(this, value.getClass().getTypeName());
    }
    int length = Array.getLength(value);
    if (length % width != 0) {
      throw OperatorErrors.notWholeTuples(this, length);
    }
  }

  /**
   * Checks that the operator combines objects as wholes.
   *
   * @throws org.sparkcollectives.error.InvalidInputException if it does not
   */
  public void requireOnObjects() {
    if (!onObjects()) {
      throw OperatorErrors.type(this, "objects");
    }
  }

  /**
   * What the operator works on, for messages.
   *
   * @return such as {@code double[]}
   */
  public String accepts() {
    return kernel.accepts();
  }

  @Override
  public String toString() {
    return name;
  }

  /** A serializable operator on doubles. */
  @FunctionalInterface
  public interface SerializableDoubleOperator extends DoubleBinaryOperator, Serializable {}

  /** A serializable operator on floats. */
  @FunctionalInterface
  public interface SerializableFloatOperator extends Serializable {
    /**
     * Combines two floats.
     *
     * @param left the left operand
     * @param right the right operand
     * @return {@code left ⊕ right}
     */
    float applyAsFloat(float left, float right);
  }

  /** A serializable operator on longs. */
  @FunctionalInterface
  public interface SerializableLongOperator extends LongBinaryOperator, Serializable {}

  /** A serializable operator on ints. */
  @FunctionalInterface
  public interface SerializableIntOperator extends IntBinaryOperator, Serializable {}

  /** A serializable operator on tuples of doubles. */
  @FunctionalInterface
  public interface DoubleTupleOperator extends Serializable {
    /**
     * Combines two tuples. The three arrays never overlap.
     *
     * @param left holds the left operand
     * @param leftAt index of its first number
     * @param right holds the right operand
     * @param rightAt index of its first number
     * @param result takes {@code left ⊕ right} from index 0; all zeros before
     */
    void combine(double[] left, int leftAt, double[] right, int rightAt, double[] result);
  }

  /**
   * A serializable operator on objects.
   *
   * @param <T> the objects' class
   */
  @FunctionalInterface
  public interface SerializableBinaryOperator<T>
      extends java.util.function.BinaryOperator<T>, Serializable {}

  /**
   * A serializable supplier.
   *
   * @param <T> what it makes
   */
  @FunctionalInterface
  public interface SerializableSupplier<T> extends java.util.function.Supplier<T>, Serializable {}
}
