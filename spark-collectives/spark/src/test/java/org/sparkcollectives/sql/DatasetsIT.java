package org.sparkcollectives.sql;

import static org.apache.spark.sql.functions.array;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.expr;
import static org.apache.spark.sql.functions.struct;
import static org.apache.spark.sql.functions.sum;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.QueryExecution;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.PythonUserDefinedType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.QueryExecutionListener;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.spark.RddCollectives;
import org.sparkcollectives.spark.internal.bridge.Scala;
import org.sparkcollectives.spark.internal.sql.ColumnVectors;
import org.sparkcollectives.testing.Jobs;
import org.sparkcollectives.testing.SharedCluster;
import org.sparkcollectives.vector.ReduceOp;

/** Collectives on datasets, held against Spark SQL's own aggregates. */
@Timeout(300)
class DatasetsIT {
  private static final int SHUFFLE_PARTITIONS = 13;
  private static SparkSession session;

  @TempDir static Path folder;

  @BeforeAll
  static void start() {
    SparkConf conf =
        SharedCluster.get()
            .conf("datasets", 2, 2, "512m")
            .set("spark.sql.warehouse.dir", folder.toString())
            .set("spark.sql.adaptive.enabled", "true")
            .set("spark.sql.autoBroadcastJoinThreshold", "-1")
            .set("spark.sql.shuffle.partitions", String.valueOf(SHUFFLE_PARTITIONS));
    session = SparkSession.builder().config(conf).getOrCreate();
  }

  @AfterAll
  static void stop() {
    session.stop();
  }

  /** Rows 0, 1, 2 and so on, with a column of each type. */
  private static Dataset<Row> rows(long count, int partitions) {
    return session
        .range(0, count, 1, partitions)
        .select(
            col("id"),
            expr("id * 0.5D").as("d"),
            expr("cast(id * 2 as float)").as("f"),
            expr("cast(id - 50 as int)").as("i"),
            expr("array(id * 1D, 1D, -id * 1D)").as("ds"),
            expr("array(cast(id as float), 2F)").as("fs"),
            expr("array(id, id * id)").as("ls"),
            expr("array(cast(id as int), 7)").as("is"),
            expr("if(id = 70, null, id * 1D)").as("holes"),
            expr("array(1D, if(id = 70, null, id * 1D))").as("nulls"),
            expr("if(id = 70, null, array(id * 1D))").as("gaps"),
            expr("cast(id as string)").as("text"),
            expr("array(id > 1)").as("flags"),
            expr("cast(id as decimal(10, 2))").as("money"));
  }

  private static double total(Dataset<Row> rows, String number) {
    return ((Number) rows.agg(sum(col(number))).first().get(0)).doubleValue();
  }

  private static double[] totals(Dataset<Row> rows, String array, int length) {
    String sums =
        IntStream.range(0, length)
            .mapToObj(i -> "cast(sum(" + array + "[" + i + "]) as double)")
            .collect(Collectors.joining(", ", "array(", ")"));
    return rows.selectExpr(sums).first().<Double>getList(0).stream()
        .mapToDouble(Double::doubleValue)
        .toArray();
  }

  private static <V> V sumOf(Dataset<?> rows, String column, Class<V> type) {
    RddCollectives<V> vectors = DatasetCollectives.of(rows).vectors(column, type);
    return vectors.twoTreeReduce(ReduceOp.SUM);
  }

  @Test
  @Tag("cross-version")
  void columnsOfEachType() {
    checkColumnsOfEachType(3);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 17})
  void columnsOfEachType(int partitions) {
    checkColumnsOfEachType(partitions);
  }

  private static void checkColumnsOfEachType(int partitions) {
    Dataset<Row> rows = rows(100, partitions);
    assertEquals(total(rows, "d"), sumOf(rows, "d", Double.class));
    assertEquals((float) total(rows, "f"), sumOf(rows, "f", Float.class));
    assertEquals((long) total(rows, "id"), sumOf(rows, "id", Long.class));
    assertEquals((int) total(rows, "i"), sumOf(rows, "i", Integer.class));
    assertArrayEquals(totals(rows, "ds", 3), sumOf(rows, "ds", double[].class));
    float[] floats = sumOf(rows, "fs", float[].class);
    assertArrayEquals(totals(rows, "fs", 2), new double[] {floats[0], floats[1]});
    long[] longs = sumOf(rows, "ls", long[].class);
    assertArrayEquals(totals(rows, "ls", 2), Arrays.stream(longs).asDoubleStream().toArray());
    int[] ints = sumOf(rows, "is", int[].class);
    assertArrayEquals(totals(rows, "is", 2), Arrays.stream(ints).asDoubleStream().toArray());
  }

  @Test
  void allRanksHoldTheSum() {
    Broadcast<double[]> sum =
        DatasetCollectives.of(rows(100, 6))
            .vectors("ds", double[].class)
            .twoTreeAllReduce(ReduceOp.SUM);
    assertArrayEquals(new double[] {4950, 100, -4950}, sum.value());
    Dataset<Double> read =
        session.range(0, 8, 1, 8).map(new PlusFirst(sum), Encoders.DOUBLE()); // on the executors
    assertEquals(List.of(4950.0, 4957.0), List.of(read.first(), read.collectAsList().get(7)));
  }

  @Test
  void scansFollowTheOrderOfTheDataset() {
    Dataset<Row> sorted = rows(60, 7).repartition(5).orderBy(col("id").desc());
    JavaRDD<Long> prefixes =
        DatasetCollectives.of(sorted).vectors("id", Long.class).twoTreeScan(ReduceOp.SUM);
    long[] expected = LongStream.range(0, 60).map(i -> 59 - i).toArray();
    Arrays.parallelPrefix(expected, Long::sum);
    assertEquals(Arrays.stream(expected).boxed().toList(), prefixes.collect());
    JavaRDD<double[]> arrays =
        DatasetCollectives.of(sorted).vectors("ds", double[].class).twoTreeScan(ReduceOp.SUM);
    assertEquals(
        Arrays.stream(expected).mapToObj(i -> (double) i).toList(),
        arrays.map(prefix -> prefix[0]).collect());
  }

  @Test
  void elementsOutliveTheirRow() {
    RddCollectives<double[]> vectors =
        DatasetCollectives.of(rows(9, 2)).vectors("ds", double[].class);
    double[] all = vectors.gather();
    assertEquals(27, all.length);
    for (int i = 0; i < 9; i++) {
      assertArrayEquals(new double[] {i, 1, -i}, Arrays.copyOfRange(all, 3 * i, 3 * i + 3));
    }
  }

  @Test
  @Tag("cross-version")
  void adaptiveExecutionChoosesTheLastStage() {
    Dataset<Row> grouped =
        rows(200, 9)
            .groupBy(expr("id % 50").as("key"))
            .agg(sum("d").as("d"), sum("id").as("id"))
            .select(col("key"), col("d"), array(col("d"), expr("id * 1D")).as("both"));
    assertEquals(total(grouped, "d"), sumOf(grouped, "d", Double.class));
    assertArrayEquals(totals(grouped, "both", 2), sumOf(grouped, "both", double[].class));
    JavaRDD<Double> coalesced = ColumnVectors.of(grouped, "d", Double.class);
    assertTrue(coalesced.getNumPartitions() < SHUFFLE_PARTITIONS, "small partitions in one");
    assertTrue(scopes(coalesced).stream().anyMatch(s -> s.startsWith("WholeStageCodegen")));
    Dataset<Row> other = rows(70, 3).select(col("id").as("key"), col("ds"));
    Dataset<Row> joined = grouped.repartition(11).join(other, "key");
    assertArrayEquals(totals(joined, "ds", 3), sumOf(joined, "ds", double[].class));
    assertEquals(total(joined, "d"), sumOf(joined, "d", Double.class));
  }

  @Test
  @Tag("cross-version")
  void withoutAdaptiveExecutionAndWithoutCompiledStages() {
    SparkSession other = session.newSession();
    other.conf().set("spark.sql.adaptive.enabled", "false");
    other.conf().set("spark.sql.codegen.wholeStage", "false");
    Dataset<Row> grouped =
        other.range(0, 200, 1, 9).groupBy(expr("id % 50").as("key")).agg(sum("id").as("total"));
    JavaRDD<Long> totals =
        DatasetCollectives.of(grouped).vectors("total", Long.class).twoTreeScan(ReduceOp.SUM);
    assertEquals(SHUFFLE_PARTITIONS, totals.getNumPartitions());
    assertEquals(199 * 100L, totals.reduce(Math::max));
  }

  @Test
  void callsOnTheSameVectorsShareTheShuffles() {
    RddCollectives<Long> vectors =
        DatasetCollectives.of(rows(100, 9).repartition(5)).vectors("id", Long.class);
    int jobs =
        Jobs.of(
            session.sparkContext(),
            () -> {
              assertEquals(4950, vectors.twoTreeReduce(ReduceOp.SUM));
              assertEquals(99, vectors.twoTreeReduce(ReduceOp.MAX));
            });
    assertEquals(2, jobs, "a job for each call, and none for the shuffle again");
  }

  @Test
  @Tag("cross-version")
  void callsAreNoQueriesToListeners() {
    List<String> heard = Collections.synchronizedList(new ArrayList<>());
    QueryExecutionListener listener =
        new QueryExecutionListener() {
          @Override
          public void onSuccess(String action, QueryExecution query, long nanos) {
            heard.add(action);
          }

          @Override
          public void onFailure(String action, QueryExecution query, Exception reason) {
            heard.add(action);
          }
        };
    Dataset<Row> rows = rows(10, 2).repartition(3);
    Jobs.settle(session.sparkContext());
    session.listenerManager().register(listener);
    try {
      assertEquals(45L, sumOf(rows, "id", Long.class));
      Jobs.settle(session.sparkContext());
      assertEquals(List.of(), heard);
      assertEquals(10, rows.collectAsList().size());
      Jobs.settle(session.sparkContext());
      assertEquals(1, heard.size(), heard::toString);
    } finally {
      session.listenerManager().unregister(listener);
    }
  }

  @Test
  void cachedAndUnitedDatasets() {
    Dataset<Row> cached = rows(50, 5).repartition(3).cache();
    try {
      assertArrayEquals(totals(cached, "ds", 3), sumOf(cached, "ds", double[].class));
      assertEquals(total(cached, "i"), sumOf(cached, "i", Integer.class).doubleValue());
      Dataset<Row> both = cached.union(rows(20, 2)).filter("id % 3 = 1");
      long[] longs = sumOf(both, "ls", long[].class);
      assertArrayEquals(totals(both, "ls", 2), Arrays.stream(longs).asDoubleStream().toArray());
    } finally {
      cached.unpersist(true);
    }
  }

  @Test
  void programsGetTheRows() {
    JavaRDD<Double> results =
        DatasetCollectives.of(rows(100, 3))
            .collectively(
                (communicator, own) -> {
                  double mine = 0;
                  while (own.hasNext()) {
                    mine += own.next().<Double>getAs("d");
                  }
                  double[] sum = communicator.allReduce(new double[] {mine}, ReduceOp.SUM);
                  return Collections.singleton(sum[0]).iterator();
                });
    assertEquals(List.of(2475.0, 2475.0, 2475.0), results.collect());
    Dataset<Long> numbers = session.range(0, 40, 1, 23).as(Encoders.LONG());
    List<Long> sums =
        DatasetCollectives.of(numbers)
            .collectively(
                (communicator, own) -> {
                  long mine = 0;
                  while (own.hasNext()) {
                    mine += own.next();
                  }
                  long[] sum = communicator.allReduce(new long[] {mine}, ReduceOp.SUM);
                  return Collections.singleton(sum[0]).iterator();
                })
            .collect();
    assertEquals(Set.of(780L), new HashSet<>(sums));
  }

  @Test
  void columnsWithinColumns() {
    Dataset<Row> nested =
        rows(10, 2).select(struct(col("ds"), col("d")).as("s"), col("d").as("a.b"));
    assertArrayEquals(new double[] {45, 10, -45}, sumOf(nested, "s.ds", double[].class));
    assertEquals(22.5, sumOf(nested, "`a.b`", Double.class));
    assertEquals(45L, sumOf(rows(10, 2), "ID", Long.class), "as Spark SQL compares names");
  }

  @Test
  void nothingToCombine() {
    RddCollectives<Double> none =
        DatasetCollectives.of(rows(10, 2).filter("id > 10")).vectors("d", Double.class);
    assertThrows(UnsupportedOperationException.class, () -> none.twoTreeReduce(ReduceOp.SUM));
  }

  @Test
  void nulls() {
    Dataset<Row> rows = rows(100, 2);
    assertRefused(
        () -> sumOf(rows, "holes", Double.class),
        "a value of column 'holes' in partition 1 is null: ",
        ". Drop such rows (df.na.drop) or fill them (df.na.fill) first.");
    assertRefused(
        () -> sumOf(rows, "gaps", double[].class),
        "a value of column 'gaps' in partition 1 is null: ",
        ". Drop such rows (df.na.drop) first.");
    assertRefused(
        () -> sumOf(rows, "nulls", double[].class),
        "a value of column 'nulls' in partition 1 has a null at index 1 of 2: ",
        ". Replace nulls");
    String[] columns = {"holes", "gaps", "nulls"};
    Dataset<Row> dropped = rows.na().drop(columns);
    assertEquals(total(rows, "holes"), sumOf(dropped, "holes", Double.class));
    assertArrayEquals(new double[] {4880}, sumOf(dropped, "gaps", double[].class));
    Dataset<Row> filled = rows.na().fill(0, columns);
    assertEquals(total(rows, "holes"), sumOf(filled, "holes", Double.class));
    assertRefused(() -> sumOf(filled, "gaps", double[].class));
    Dataset<Row> replaced = rows.select(expr("transform(nulls, x -> coalesce(x, 0))").as("nulls"));
    assertArrayEquals(new double[] {100, 4880}, sumOf(replaced, "nulls", double[].class));
  }

  @Test
  void columnsThatCannotBe() {
    Dataset<Row> rows = rows(10, 2).select("id", "ds", "text", "flags", "money");
    InvalidInputException missing =
        assertRefused(
            () -> sumOf(rows, "features", double[].class),
            "the name 'features' is not that of one column: the columns are id (bigint), ds"
                + " (array<double>), text (string), flags (array<boolean>), money (decimal(10,2)).");
    assertInstanceOf(AnalysisException.class, missing.getCause());
    assertRefused(() -> sumOf(rows, "*", double[].class), "the name '*' is not that of one column");
    assertRefused(
        () -> sumOf(rows.join(rows(3, 1).select("id")), "id", Long.class),
        "the name 'id' is not that of one column");
    for (String column : List.of("text", "flags", "money")) {
      assertRefused(
          () -> sumOf(rows, column, double[].class),
          "the values of column '" + column + "' are no vectors: they are of type ",
          "the columns are id (bigint), ds (array<double>), text (string)",
          ". Choose another column, or cast this one (col(\"" + column + "\").cast(\"");
    }
    assertRefused(
        () -> sumOf(rows, "ds", float[].class),
        "the values of column 'ds' are no float[]: its type array<double> gives elements of"
            + " double[]. Ask for these: vectors[Array[Double]](\"ds\"), in Java vectors(\"ds\","
            + " double[].class).");
    assertRefused(() -> sumOf(rows, "id", int[].class), "gives elements of java.lang.Long");
    assertRefused(() -> sumOf(session.emptyDataFrame(), "id", Long.class), "the columns are none.");
  }

  @Test
  @Tag("cross-version")
  void theCastThatIsAdvisedMakesVectors() {
    Dataset<Row> rows =
        rows(10, 2)
            .select(
                col("money"),
                expr("array(money, 1)").as("prices"),
                expr("array(cast(id as smallint), 1S)").as("shorts"),
                col("flags"),
                struct(col("id")).as("pair"),
                expr("map(id, 1D)").as("weights"));
    String advice = "Choose another column, or cast this one (col(\"%s\").cast(\"%s\")).";
    assertRefused(() -> sumOf(rows, "money", double[].class), advice.formatted("money", "double"));
    Dataset<Row> doubles = rows.select(col("money").cast("double").as("money"));
    assertEquals(45.0, sumOf(doubles, "money", Double.class));
    for (String column : List.of("prices", "shorts", "flags")) {
      assertRefused(
          () -> sumOf(rows, column, double[].class), advice.formatted(column, "array<double>"));
      Dataset<Row> cast = rows.select(col(column).cast("array<double>").as(column));
      assertEquals(column.equals("flags") ? 8 : 45, sumOf(cast, column, double[].class)[0], column);
    }
    for (String column : List.of("pair", "weights")) {
      InvalidInputException refused = assertRefused(() -> sumOf(rows, column, double[].class));
      assertTrue(refused.getMessage().endsWith(". Choose another column."), refused.getMessage());
    }
  }

  @Test
  @Tag("cross-version")
  void aTypeThatOnlyPythonKnows() {
    StructType schema =
        new StructType()
            .add("id", DataTypes.LongType)
            .add(
                "point",
                new PythonUserDefinedType(
                    DataTypes.createArrayType(DataTypes.DoubleType, false), "shapes.PointUDT", ""));
    assertRefused(
        () -> sumOf(session.createDataFrame(List.of(), schema), "point", double[].class),
        "the values of column 'point' are no vectors: they are of a user's type, kept as"
            + " array<double>, and vectors are double, ",
        ". Choose another column.");
  }

  private static InvalidInputException assertRefused(Runnable call, String... parts) {
    InvalidInputException e = assertThrows(InvalidInputException.class, call::run);
    for (String part : parts) {
      assertTrue(e.getMessage().contains(part), e::getMessage);
    }
    return e;
  }

  /** The names of the operators of the physical plan that an RDD is computed by. */
  private static Set<String> scopes(JavaRDD<?> rdd) {
    Set<String> names = new HashSet<>();
    Deque<RDD<?>> open = new ArrayDeque<>(List.of(rdd.rdd()));
    while (!open.isEmpty()) {
      RDD<?> next = open.remove();
      if (next.scope().isDefined()) {
        names.add(next.scope().get().name());
      }
      Scala.asJava(next.dependencies()).forEach(dependency -> open.add(dependency.rdd()));
    }
    return names;
  }

  /** Adds the first number of a vector to each element. */
  private record PlusFirst(Broadcast<double[]> vector)
      implements org.apache.spark.api.java.function.MapFunction<Long, Double> {
    @Override
    public Double call(Long element) {
      return vector.value()[0] + element;
    }
  }
}
