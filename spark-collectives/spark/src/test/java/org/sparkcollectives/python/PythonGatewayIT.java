package org.sparkcollectives.python;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.testing.SharedCluster;

/** The methods as the gateway calls them: found by name and number of arguments, plain values. */
@Timeout(180)
class PythonGatewayIT {
  private static final String NAME = "org.sparkcollectives.python.PythonGateway";

  private static JavaSparkContext context;

  @BeforeAll
  static void start() {
    context = new JavaSparkContext(SharedCluster.get().conf("python", 2, 2, "512m"));
  }

  @AfterAll
  static void stop() {
    context.stop();
  }

  private static Object call(String method, @Nullable Object... arguments) throws Exception {
    List<Method> named =
        Arrays.stream(Class.forName(NAME).getMethods())
            .filter(each -> each.getName().equals(method))
            .filter(each -> each.getParameterCount() == arguments.length)
            .toList();
    assertEquals(1, named.size(), "the gateway cannot tell which " + method + " is meant");
    try {
      return named.get(0).invoke(null, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    }
  }

  private static byte[] doubles(double... numbers) {
    ByteBuffer bytes = ByteBuffer.allocate(8 * numbers.length).order(ByteOrder.LITTLE_ENDIAN);
    Arrays.stream(numbers).forEach(bytes::putDouble);
    return bytes.array();
  }

  /** Vectors (1, -1) to (6, -6) in three partitions. */
  private static JavaRDD<byte[]> vectors() {
    List<byte[]> all =
        Stream.of(1, 2, 3, 4, 5, 6).map(i -> doubles(i, -i)).collect(Collectors.toList());
    return context.parallelize(all, 3);
  }

  @SuppressWarnings("unchecked")
  private static List<String> hex(Object rdd) {
    return ((JavaRDD<byte[]>) rdd)
        .collect().stream().map(PythonGatewayIT::hex).collect(Collectors.toList());
  }

  private static String hex(byte[] bytes) {
    return java.util.HexFormat.of().formatHex(bytes);
  }

  @Test
  void everyMethodTakesAndGivesPlainValues() throws Exception {
    Set<Class<?>> plain =
        Set.of(
            JavaRDD.class,
            Broadcast.class,
            SparkContext.class,
            String.class,
            byte[].class,
            int.class);
    List<Method> methods =
        Arrays.stream(Class.forName(NAME).getMethods())
            .filter(method -> Modifier.isStatic(method.getModifiers()))
            .toList();
    assertEquals(11, methods.size());
    for (Method method : methods) {
      assertTrue(plain.contains(method.getReturnType()), method.toString());
      assertTrue(plain.containsAll(List.of(method.getParameterTypes())), method.toString());
    }
  }

  @Test
  void resultsAtTheDriver() throws Exception {
    assertArrayEquals(doubles(21, -21), (byte[]) call("reduce", vectors(), "float64", "sum", null));
    assertArrayEquals(
        doubles(6, -1), (byte[]) call("reduce", vectors(), "float64", "max", "two-tree"));
    byte[] all = (byte[]) call("gather", vectors(), "float64", null);
    assertArrayEquals(doubles(1, -1, 2, -2, 3, -3, 4, -4, 5, -5, 6, -6), all);
  }

  @Test
  void resultsOnTheExecutors() throws Exception {
    for (Object sum :
        List.of(
            call("allReduce", vectors(), "float64", "sum", null),
            call("allReduce", vectors(), "float64", "sum", "ring"))) {
      assertArrayEquals(doubles(21, -21), (byte[]) call("bytes", sum, "float64"));
      String bytes = hex(doubles(21, -21));
      assertEquals(
          List.of(bytes, bytes, bytes), hex(call("each", context.sc(), sum, "float64", 3)));
    }
    Object whole = call("allGather", vectors(), "float64", null);
    assertEquals(96, ((byte[]) call("bytes", whole, "float64")).length);
    assertEquals(
        List.of(hex(doubles()), hex(doubles(21)), hex(doubles(-21))),
        hex(call("reduceScatter", vectors(), "float64", "sum", null)));
    assertEquals(3, hex(call("allToAll", vectors(), "float64", null)).size());
  }

  @Test
  void scansKeepPartitions() throws Exception {
    List<String> prefixes = hex(call("scan", vectors(), "float64", "sum", null));
    assertEquals(Stream.of(1, 3, 6, 10, 15, 21).map(i -> hex(doubles(i, -i))).toList(), prefixes);
    List<String> before = hex(call("exscan", vectors(), "float64", "sum", null));
    assertEquals(hex(doubles(0, 0)), before.get(0));
    assertEquals(prefixes.subList(0, 5), before.subList(1, 6));
  }

  @Test
  void allTypesOfNumbers() throws Exception {
    byte[] ones = {1, 0, 0, 0, 0, 0, 0, 1};
    JavaRDD<byte[]> two = context.parallelize(List.of(ones, ones), 2);
    assertEquals("0200000000000002", hex((byte[]) call("reduce", two, "int64", "sum", null)));
    assertEquals("0200000000000002", hex((byte[]) call("reduce", two, "int32", "sum", null)));
    byte[] halves = ByteBuffer.allocate(4).order(ByteOrder.LITTLE_ENDIAN).putFloat(0.5f).array();
    JavaRDD<byte[]> floats = context.parallelize(List.of(halves, halves), 2);
    assertEquals("0000803f", hex((byte[]) call("reduce", floats, "float32", "sum", null)));
  }

  @Test
  void aCallIsExplained() throws Exception {
    String text = (String) call("explain", vectors(), "allreduce", "float64", "sum", null);
    assertTrue(text.contains("vector: 2 x double, 16 bytes"), text);
    String gather = (String) call("explain", vectors(), "allgather", "float64", null, null);
    assertTrue(gather.startsWith("allgather of 3 partitions"), gather);
  }

  @Test
  void whatIsNotKnownIsNamed() {
    assertEquals(
        "'float16' is no type of numbers: vectors have numbers of a type that arrays of Java have."
            + " Name one of float64, float32, int64, int32.",
        refusal("reduce", vectors(), "float16", "sum", null));
    assertEquals(
        "None is no type of numbers: vectors have numbers of a type that arrays of Java have."
            + " Name one of float64, float32, int64, int32.",
        refusal("reduce", vectors(), null, "sum", null));
    assertEquals(
        "'mean' is no operator: Python's functions do not run in Java. Name one of sum, prod, min,"
            + " max.",
        refusal("reduce", vectors(), "float64", "mean", null));
    String collectives =
        " is no collective: they are named in lower case, as in settings. Name one of broadcast,"
            + " reduce, allreduce, scan, exscan, reduce_scatter, allgather, alltoall, scatter,"
            + " gather, barrier.";
    assertEquals(
        "'allReduce'" + collectives,
        refusal("explain", vectors(), "allReduce", "float64", "sum", null));
    assertEquals("None" + collectives, refusal("explain", vectors(), null, "float64", "sum", null));
    JavaRDD<byte[]> odd = context.parallelize(List.of(new byte[12]), 1);
    String text = refusal("reduce", odd, "float64", "sum", null);
    assertTrue(text.contains("a vector of 12 bytes has no numbers of type float64"), text);
    JavaRDD<String> words = context.parallelize(List.of("one", "two"), 2);
    String ofWords = refusal("reduce", words, "float64", "sum", null);
    assertTrue(ofWords.contains("an element is of the class java.lang.String: "), ofWords);
  }

  @Test
  void resultsOfAnotherTypeAreRefused() throws Exception {
    Object sum = call("allReduce", vectors(), "float64", "sum", null);
    for (String type : List.of("int32", "float32", "int64")) {
      String text =
          "a vector of numbers of type float64 has no bytes of type "
              + type
              + ": a result is made of the type that its call has named. Give float64.";
      assertEquals(text, refusal("bytes", sum, type));
      JavaRDD<?> each = (JavaRDD<?>) call("each", context.sc(), sum, type, 2);
      Exception e = assertThrows(Exception.class, each::collect);
      assertTrue(String.valueOf(e.getMessage()).contains(text), e.getMessage());
    }
  }

  @Test
  void noOperator() {
    assertEquals(
        "None is no operator: Python's functions do not run in Java. Name one of sum, prod, min,"
            + " max.",
        refusal("reduce", vectors(), "float64", null, null));
  }

  private static String refusal(String method, @Nullable Object... arguments) {
    Exception thrown = assertThrows(Exception.class, () -> call(method, arguments));
    Throwable cause = thrown;
    while (!(cause instanceof InvalidInputException) && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return String.valueOf(cause.getMessage());
  }
}
