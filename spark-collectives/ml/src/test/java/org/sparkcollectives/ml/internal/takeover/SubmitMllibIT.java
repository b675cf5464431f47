package org.sparkcollectives.ml.internal.takeover;

import static org.apache.spark.ml.functions.array_to_vector;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.apache.spark.ml.classification.LogisticRegression;
import org.apache.spark.ml.classification.LogisticRegressionModel;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sparkcollectives.spark.CollectivesPlugin;
import org.sparkcollectives.testing.ClassJar;
import org.sparkcollectives.testing.SharedCluster;
import org.sparkcollectives.testing.StandaloneCluster;

/** The jars as users get them, with a program of MLlib that knows nothing of them. */
@Timeout(240)
@Tag("cross-version")
class SubmitMllibIT {

  /** A program of MLlib alone. */
  public static final class Program {
    private Program() {}

    /**
     * Trains a model.
     *
     * @param args the folder of the warehouse
     */
    public static void main(String[] args) {
      SparkSession session =
          SparkSession.builder().config("spark.sql.warehouse.dir", args[0]).getOrCreate();
      Dataset<Row> points =
          session
              .range(0, 200, 1, 6)
              .selectExpr(
                  "cast(id % 3 = 0 or id % 7 = 1 as double) as label",
                  "array(double(id % 3), double(id % 7), double(id % 5)) as numbers");
      points = points.withColumn("features", array_to_vector(points.col("numbers")));
      LogisticRegressionModel model =
          new LogisticRegression().setMaxIter(5).setRegParam(0.01).fit(points);
      System.out.println("trained in " + model.summary().totalIterations() + " iterations");
      session.stop();
    }
  }

  @Test
  void anUnchangedProgramIsTakenOver(@TempDir Path folder) throws IOException {
    Path application = folder.resolve("application.jar");
    ClassJar.write(application, Program.class);
    Path ml = built(MllibExtension.class, "spark-collectives-ml_2.13");
    Path library = built(CollectivesPlugin.class, "spark-collectives_2.13");
    StandaloneCluster.Submitted end =
        SharedCluster.get()
            .submit(
                Program.class.getName(),
                application,
                Map.of(
                    "spark.jars", library + "," + ml,
                    "spark.plugins", CollectivesPlugin.class.getName(),
                    "spark.ui.enabled", "false",
                    "spark.executor.memory", "512m",
                    "spark.executor.cores", "2",
                    "spark.cores.max", "4"),
                List.of(folder.toString()),
                Duration.ofSeconds(200));
    assertEquals(0, end.exitCode(), end.output());
    assertTrue(end.output().contains("trained in 5 iterations"), end.output());
    assertTrue(end.output().contains("MLlib taken over in 1 trainings"), end.output());
  }

  @Test
  void theJarHidesNobodysClasses() throws IOException {
    Path ml = built(MllibExtension.class, "spark-collectives-ml_2.13");
    try (JarFile jar = new JarFile(ml.toFile())) {
      assertEquals(
          List.of(),
          jar.stream()
              .map(JarEntry::getName)
              .filter(name -> name.endsWith(".class"))
              .filter(name -> !name.startsWith("org/sparkcollectives/ml/"))
              .filter(name -> !name.equals("org/apache/spark/rdd/CollectivesSeam.class"))
              .toList());
    }
  }

  /** Those of what is packed in have names of their own. */
  @Test
  void theLicencesOfTheJarsAreTheProjects() throws IOException {
    Path ml = built(MllibExtension.class, "spark-collectives-ml_2.13");
    Path library = built(CollectivesPlugin.class, "spark-collectives_2.13");
    for (Path each : List.of(ml, library)) {
      try (JarFile jar = new JarFile(each.toFile())) {
        for (String name : List.of("LICENSE", "NOTICE")) {
          assertEquals(
              Files.readString(Path.of("../..", name)), text(jar, "META-INF/" + name), name);
        }
      }
    }
    try (JarFile jar = new JarFile(ml.toFile())) {
      assertTrue(text(jar, "META-INF/licenses/byte-buddy").contains("Rafael Winterhalter"));
      assertTrue(text(jar, "META-INF/licenses/ASM").contains("ASM"));
    }
  }

  private static String text(JarFile jar, String name) throws IOException {
    try (InputStream stream = jar.getInputStream(jar.getEntry(name))) {
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** A jar beside the folder of the classes that are in it. */
  private static Path built(Class<?> inside, String name) throws IOException {
    URL location = inside.getProtectionDomain().getCodeSource().getLocation();
    Path place = Path.of(URI.create(location.toString()));
    if (place.toString().endsWith(".jar")) {
      return place;
    }
    try (Stream<Path> files = Files.list(place.getParent())) {
      return files
          .filter(
              file ->
                  file.getFileName()
                      .toString()
                      .matches(name.replace(".", "\\.") + "-[^-]+(-SNAPSHOT)?\\.jar"))
          .findFirst()
          .orElseThrow(() -> new IllegalStateException(name + " is not built"));
    }
  }
}
