package org.sparkcollectives.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sparkcollectives.testing.SharedCluster;
import org.sparkcollectives.testing.StandaloneCluster;

/** The library as a jar that {@code spark-submit --jars} brings to driver and executors. */
@Timeout(180)
class SubmitIT {

  @Test
  void theLibraryComesWithTheApplication(@TempDir Path folder) throws IOException {
    Path library = builtJar();
    Path application = folder.resolve("application.jar");
    String job = SubmittedJob.class.getName().replace('.', '/');
    pack(application, folderOf(SubmittedJob.class), job);
    StandaloneCluster.Submitted end =
        SharedCluster.get()
            .submit(
                SubmittedJob.class.getName(),
                application,
                Map.of(
                    "spark.jars", library.toString(),
                    "spark.ui.enabled", "false",
                    "spark.executor.memory", "512m",
                    "spark.executor.cores", "2",
                    "spark.cores.max", "4"),
                List.of(),
                Duration.ofSeconds(150));
    assertEquals(0, end.exitCode(), end.output());
    assertTrue(end.output().contains("sum 10.0"), end.output());
    assertTrue(end.output().contains("failed with ArithmeticException: rank 2"), end.output());
  }

  /** The jar that users get, beside the folder of its classes. */
  private static Path builtJar() throws IOException {
    try (Stream<Path> files = Files.list(folderOf(JavaCollectives.class).getParent())) {
      return files
          .filter(
              file ->
                  file.toString().matches(".*/spark-collectives_2\\.13-[^-]+(-SNAPSHOT)?\\.jar"))
          .findFirst()
          .orElseThrow(() -> new IllegalStateException("the jar is not built"));
    }
  }

  private static Path folderOf(Class<?> type) {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().getPath());
  }

  private static void pack(Path jar, Path classes, String prefix) throws IOException {
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream out = new JarOutputStream(file);
        Stream<Path> files = Files.walk(classes)) {
      for (Path path : files.filter(Files::isRegularFile).toList()) {
        String name = classes.relativize(path).toString();
        if (name.startsWith(prefix)) {
          out.putNextEntry(new JarEntry(name));
          Files.copy(path, out);
          out.closeEntry();
        }
      }
    }
  }
}
