package org.sparkcollectives.benchmarks.ml;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.ml.linalg.VectorUDT;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.storage.StorageLevel;
import org.sparkcollectives.benchmarks.report.Folders;

/**
 * What is learnt from: rows with a label and features.
 *
 * @param name its name in tables
 * @param file text in LIBSVM's format, plain or compressed by gzip, whose labels count from 0 or
 *     are -1 and 1; empty for rows that are made
 * @param features how many features a row has
 * @param classes how many classes the labels tell apart, at least 2; 0 if a label is no class's
 *     number
 * @param rows how many rows are made
 * @param nonZero how many features of such a row are not zero
 */
record TrainingSet(String name, String file, int features, int classes, int rows, int nonZero)
    implements Serializable {
  private static final String SPARSE = "sparse:";
  private static final String DENSE = "dense:";
  private static final int SPARSE_ROWS = 20_000;
  private static final int SPARSE_NON_ZERO = 100;
  private static final int DENSE_ROWS = 100_000;
  private static final int MOST_CLASSES = 1000; // a larger label is rather a measured value
  private static final String DIGITS = "digits";

  /**
   * Reads what a user writes.
   *
   * @param text {@code digits}, {@code sparse:FEATURES}, {@code dense:FEATURES}, {@code NAME=FILE}
   *     or {@code FILE=FEATURES}
   * @return what it names
   * @throws IllegalArgumentException if it is none of these, or its file cannot be read
   */
  static TrainingSet parse(String text) {
    try {
      if (text.equals(DIGITS)) {
        return ofFile(text, Folders.data().resolve("digits-train.libsvm.gz").toString());
      }
      if (text.startsWith(SPARSE)) {
        int features = features(text, text.substring(SPARSE.length()));
        return new TrainingSet(
            text, "", features, 2, SPARSE_ROWS, Math.min(features, SPARSE_NON_ZERO));
      }
      if (text.startsWith(DENSE)) {
        int features = features(text, text.substring(DENSE.length()));
        return new TrainingSet(text, "", features, 2, DENSE_ROWS, features);
      }
      int equals = text.lastIndexOf('=');
      if (equals > 0) {
        return ofFile(text.substring(0, equals), text.substring(equals + 1));
      }
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("'" + text + "' ends in no number of features", e);
    }
    throw new IllegalArgumentException(
        "'"
            + text
            + "' is no problem: write digits, sparse:FEATURES, dense:FEATURES, NAME=FILE or"
            + " FILE=FEATURES");
  }

  private static int features(String text, String number) {
    int features = Integer.parseInt(number);
    if (features < 1) {
      throw new IllegalArgumentException(
          "'" + text + "' has no features to learn from: write a number from 1 on");
    }
    return features;
  }

  private static TrainingSet ofFile(String before, String after) {
    boolean counted = after.matches("\\d+");
    Path file = Path.of(counted ? before : after).toAbsolutePath();
    if (!Files.isReadable(file)) {
      throw new IllegalArgumentException("there is no file " + file + " that can be read");
    }
    Columns columns = columns(file);
    int features = counted ? features(before + "=" + after, after) : columns.features;
    if (features < columns.features) {
      throw new IllegalArgumentException(
          "'"
              + before
              + "="
              + after
              + "' has too few features: a row of the file has one with the index "
              + columns.features
              + ". Give this number or a larger one, or the file alone as NAME=FILE.");
    }
    return new TrainingSet(
        counted ? String.valueOf(file.getFileName()) : before,
        file.toString(),
        features,
        columns.classes,
        0,
        0);
  }

  /** The largest index, and how many classes there are. */
  private record Columns(int features, int classes) {}

  /** What the rows of a text in LIBSVM's format have. */
  private static Columns columns(Path file) {
    try (InputStream bytes = Files.newInputStream(file);
        BufferedReader lines =
            new BufferedReader(
                new InputStreamReader(
                    file.toString().endsWith(".gz") ? new GZIPInputStream(bytes) : bytes,
                    StandardCharsets.UTF_8))) {
      int features = 0;
      int classes = 2;
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        String row = line.strip();
        if (row.isEmpty() || row.startsWith("#")) {
          continue;
        }
        double label = Double.parseDouble(row.replaceFirst("\\s.*", ""));
        boolean known =
            label == -1 || (label == Math.rint(label) && label >= 0 && label < MOST_CLASSES);
        classes = known && classes > 0 ? Math.max(classes, (int) label + 1) : 0;
        String last = row.replaceFirst(".*\\s", ""); // indices ascend
        int colon = last.indexOf(':');
        features =
            colon < 0 ? features : Math.max(features, Integer.parseInt(last.substring(0, colon)));
      }
      if (features == 0) {
        throw new IOException("it has no features");
      }
      return new Columns(features, classes);
    } catch (IOException | NumberFormatException e) {
      throw new IllegalArgumentException(
          file + " is no text in LIBSVM's format: " + e.getMessage(), e);
    }
  }

  /**
   * The rows, cached.
   *
   * @param session the application
   * @param partitions how many partitions they lie in
   * @param seed where the random numbers start
   * @return columns {@code label} and {@code features}
   */
  Dataset<Row> cached(SparkSession session, int partitions, long seed) {
    Dataset<Row> data =
        file.isEmpty() ? made(session, partitions, seed) : read(session, partitions);
    Dataset<Row> cached = data.persist(StorageLevel.MEMORY_ONLY());
    cached.count();
    return cached;
  }

  private Dataset<Row> read(SparkSession session, int partitions) {
    Column label = functions.col("label");
    return session
        .read()
        .format("libsvm")
        .option("numFeatures", features)
        .load(file)
        .withColumn("label", functions.when(label.lt(0), 0.0).otherwise(label)) // of -1 and 1
        .repartition(partitions);
  }

  private Dataset<Row> made(SparkSession session, int partitions, long seed) {
    List<Integer> numbers = IntStream.range(0, partitions).boxed().toList();
    StructType columns =
        new StructType()
            .add("label", DataTypes.DoubleType, false)
            .add("features", new VectorUDT(), false);
    return session.createDataFrame(
        JavaSparkContext.fromSparkContext(session.sparkContext())
            .parallelize(numbers, partitions)
            .flatMap(partition -> rows(seed + partition, share(partition, partitions))),
        columns);
  }

  /** How many of the rows a partition has, which together have all. */
  int share(int partition, int partitions) {
    return rows / partitions + (partition < rows % partitions ? 1 : 0);
  }

  private Iterator<Row> rows(long seed, int count) {
    SplittableRandom random = new SplittableRandom(seed);
    List<Row> made = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      made.add(nonZero == features ? dense(random) : sparse(random));
    }
    return made.iterator();
  }

  private Row dense(SplittableRandom random) {
    double[] values = random.doubles(features, -1, 1).toArray();
    double margin = 0;
    for (int i = 0; i < features; i++) {
      margin += weight(i) * values[i];
    }
    return RowFactory.create(label(margin, random), Vectors.dense(values));
  }

  /** Half of the features are frequent ones, by a power law; the others any. */
  private Row sparse(SplittableRandom random) {
    TreeSet<Integer> chosen = new TreeSet<>();
    while (chosen.size() < nonZero) {
      chosen.add(
          random.nextBoolean()
              ? (int) (features * Math.pow(random.nextDouble(), 4))
              : random.nextInt(features));
    }
    int[] indices = chosen.stream().mapToInt(Integer::intValue).toArray();
    double[] values = new double[indices.length];
    Arrays.fill(values, 1);
    double margin = Arrays.stream(indices).mapToDouble(TrainingSet::weight).sum();
    return RowFactory.create(label(margin, random), Vectors.sparse(features, indices, values));
  }

  private static double label(double margin, SplittableRandom random) {
    return random.nextDouble() < 1 / (1 + Math.exp(-margin / 3)) ? 1 : 0;
  }

  /** The true weight of a feature, from -1 to 1. */
  private static double weight(int feature) {
    return new SplittableRandom(feature).nextDouble(-1, 1);
  }
}
