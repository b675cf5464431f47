package org.sparkcollectives.python;

import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.spark.JavaCollectives;
import org.sparkcollectives.spark.RddCollectives;
import org.sparkcollectives.vector.ReduceOp;

/**
 * Collectives on vectors of bytes, for programs of PySpark: its gateway finds the class by its name
 * and calls the methods with what Python has.
 *
 * <p>A vector is the bytes of an array of NumPy, as {@code ndarray.tobytes()} gives them on
 * machines of today: numbers one after another, the lowest byte of each first. Every method takes
 * the name of their type: {@code float64}, {@code float32}, {@code int64} or {@code int32}; where
 * vectors are combined that of the operator: {@code sum}, {@code prod}, {@code min} or {@code max};
 * and the algorithm's slug, or null ({@code None}) for the cheapest. All vectors have one length
 * where they are combined.
 *
 * <p>Methods throw what those of {@link RddCollectives} throw, and an {@link
 * org.sparkcollectives.error.InvalidInputException} for names that they do not know and elements
 * that are no such bytes, or are what Python has pickled.
 */
public final class PythonGateway {
  private static final Map<String, ReduceOp<Object>> OPERATORS =
      Map.of("sum", ReduceOp.SUM, "prod", ReduceOp.PROD, "min", ReduceOp.MIN, "max", ReduceOp.MAX);

  private PythonGateway() {}

  /**
   * Combines all vectors; every executor that took part holds the result.
   *
   * @param vectors the vectors
   * @param type the type of their numbers
   * @param operator the operator
   * @param algorithm the algorithm's slug, or null for the cheapest
   * @return the result as an array of numbers, for {@link #bytes} and {@link #each}
   */
  public static Broadcast<Object> allReduce(
      JavaRDD<byte[]> vectors, String type, String operator, @Nullable String algorithm) {
    return of(vectors, type).allReduce(operator(operator), algorithm);
  }

  /**
   * Combines all vectors and brings the result to the driver.
   *
   * @param vectors the vectors
   * @param type the type of their numbers
   * @param operator the operator
   * @param algorithm the algorithm's slug, or null for the cheapest
   * @return the result
   */
  public static byte[] reduce(
      JavaRDD<byte[]> vectors, String type, String operator, @Nullable String algorithm) {
    return inBytes(of(vectors, type).reduce(operator(operator), algorithm), type);
  }

  /**
   * Replaces each vector by the combination of all up to and including it.
   *
   * @param vectors the vectors
   * @param type the type of their numbers
   * @param operator the operator
   * @param algorithm the algorithm's slug, or null for the cheapest
   * @return the combinations, in the same partitions
   */
  public static JavaRDD<byte[]> scan(
      JavaRDD<byte[]> vectors, String type, String operator, @Nullable String algorithm) {
    return inBytes(of(vectors, type).scan(operator(operator), algorithm), type);
  }

  /**
   * Replaces each vector by the combination of all before it, and the first by the operator's
   * neutral element.
   *
   * @param vectors the vectors
   * @param type the type of their numbers
   * @param operator the operator
   * @param algorithm the algorithm's slug, or null for the cheapest
   * @return the combinations, in the same partitions
   */
  public static JavaRDD<byte[]> exscan(
      JavaRDD<byte[]> vectors, String type, String operator, @Nullable String algorithm) {
    return inBytes(of(vectors, type).exscan(operator(operator), algorithm), type);
  }

  /**
   * Combines all vectors; each partition of the result holds a part.
   *
   * @param vectors the vectors
   * @param type the type of their numbers
   * @param operator the operator
   * @param algorithm the algorithm's slug, or null for the cheapest
   * @return the parts, as {@link RddCollectives#reduceScatter(ReduceOp)} makes them
   */
  public static JavaRDD<byte[]> reduceScatter(
      JavaRDD<byte[]> vectors, String type, String operator, @Nullable String algorithm) {
    return inBytes(of(vectors, type).reduceScatter(operator(operator), algorithm), type);
  }

  /**
   * Puts all vectors end to end; every executor that took part holds the result.
   *
   * @param vectors the vectors, of any lengths
   * @param type the type of their numbers
   * @param algorithm the algorithm's slug, or null for the cheapest
   * @return the result as an array of numbers, for {@link #bytes} and {@link #each}
   */
  public static Broadcast<Object> allGather(
      JavaRDD<byte[]> vectors, String type, @Nullable String algorithm) {
    return of(vectors, type).allGather(algorithm);
  }

  /**
   * Puts all vectors end to end and brings the result to the driver.
   *
   * @param vectors the vectors, of any lengths
   * @param type the type of their numbers
   * @param algorithm the algorithm's slug, or null for the cheapest
   * @return the result
   */
  public static byte[] gather(JavaRDD<byte[]> vectors, String type, @Nullable String algorithm) {
    return inBytes(of(vectors, type).gather(algorithm), type);
  }

  /**
   * Cuts each partition's vector into parts, and gives partition d all parts d.
   *
   * @param vectors the vectors, of any lengths
   * @param type the type of their numbers
   * @param algorithm the algorithm's slug, or null for the cheapest
   * @return one vector in each partition, as {@link RddCollectives#allToAll()} makes them
   */
  public static JavaRDD<byte[]> allToAll(
      JavaRDD<byte[]> vectors, String type, @Nullable String algorithm) {
    return inBytes(of(vectors, type).allToAll(algorithm), type);
  }

  /**
   * What a collective would do if it were called now, and why, in words.
   *
   * @param vectors the vectors, the first of which is computed
   * @param collective its name, such as {@code allreduce}
   * @param type the type of their numbers
   * @param operator the operator, or null where nothing is combined
   * @param algorithm the algorithm's slug, or null for the cheapest
   * @return several lines
   */
  public static String explain(
      JavaRDD<byte[]> vectors,
      String collective,
      String type,
      @Nullable String operator,
      @Nullable String algorithm) {
    return of(vectors, type)
        .explain(
            collective(collective), operator == null ? null : operator(operator), algorithm, null)
        .text();
  }

  /**
   * A result that the executors hold, at the driver.
   *
   * @param result what {@link #allReduce} or {@link #allGather} has returned
   * @param type the type of its numbers
   * @return the bytes
   */
  public static byte[] bytes(Broadcast<Object> result, String type) {
    return inBytes(result.value(), type);
  }

  /**
   * A result that the executors hold, as an element of every partition: for the workers of Python,
   * which do not see the executors' memory.
   *
   * @param context the application
   * @param result what {@link #allReduce} or {@link #allGather} has returned
   * @param type the type of its numbers
   * @param partitions how many partitions
   * @return an RDD of as many partitions, each with all bytes of the result
   */
  public static JavaRDD<byte[]> each(
      SparkContext context, Broadcast<Object> result, String type, int partitions) {
    NumberForm form = NumberForm.of(type);
    return JavaSparkContext.fromSparkContext(context)
        .parallelize(IntStream.range(0, partitions).boxed().toList(), partitions)
        .map(partition -> form.bytes(result.value()));
  }

  /** Of any elements: the erased type of an RDD that Python hands over says nothing of them. */
  private static RddCollectives<Object> of(JavaRDD<?> vectors, String type) {
    NumberForm form = NumberForm.of(type);
    return JavaCollectives.of(vectors.map(form::array));
  }

  private static JavaRDD<byte[]> inBytes(JavaRDD<Object> arrays, String type) {
    NumberForm form = NumberForm.of(type);
    return arrays.map(form::bytes);
  }

  private static byte[] inBytes(Object array, String type) {
    return NumberForm.of(type).sent(array);
  }

  private static Collective collective(@Nullable String name) {
    try {
      return Collective.ofSlug(String.valueOf(name));
    } catch (IllegalArgumentException unknown) {
      throw InvalidInputException.of(
          quoted(name) + " is no collective",
          "they are named in lower case, as in settings",
          "name one of "
              + Arrays.stream(Collective.values())
                  .map(Collective::slug)
                  .collect(Collectors.joining(", ")));
    }
  }

  private static ReduceOp<Object> operator(@Nullable String name) {
    ReduceOp<Object> known = name == null ? null : OPERATORS.get(name);
    if (known == null) {
      throw InvalidInputException.of(
          quoted(name) + " is no operator",
          "Python's functions do not run in Java",
          "name one of sum, prod, min, max");
    }
    return known;
  }

  /** As Python writes it. */
  static String quoted(@Nullable String name) {
    return name == null ? "None" : "'" + name + "'";
  }
}
