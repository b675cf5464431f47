package org.sparkcollectives.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReference;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sparkcollectives.testing.SharedCluster;
import org.sparkcollectives.testing.StandaloneCluster;

/** The library as {@code spark-submit} brings it to driver and executors. */
@Timeout(180)
class SubmitIT {
  private static final String VERSION = "1.2.3";
  private static final Pattern FOUND = Pattern.compile("\\bfound ([^ ]+) in ");

  @Test
  void theLibraryComesWithTheApplication(@TempDir Path folder) throws IOException {
    check(submit(folder, Map.of("spark.jars", builtJar().toString())));
  }

  @Test
  void packagesBringsTheLibraryAndNothingElse(@TempDir Path folder) throws IOException {
    Path repository = repository(folder.resolve("repository"));
    Path onlyThis =
        Files.writeString(
            folder.resolve("ivysettings.xml"),
            """
            <ivysettings>
              <settings defaultResolver="none"/>
              <resolvers><chain name="none"/></resolvers>
            </ivysettings>
            """);
    Path ivy = folder.resolve("ivy");
    StandaloneCluster.Submitted end =
        submit(
            folder,
            Map.of(
                "spark.jars.packages", "org.sparkcollectives:spark-collectives_2.13:" + VERSION,
                "spark.jars.repositories", repository.toUri().toString(),
                "spark.jars.ivySettings", onlyThis.toString(),
                "spark.jars.ivy", ivy.toString()));
    check(end);
    assertEquals(
        List.of("org.sparkcollectives#spark-collectives_2.13;" + VERSION),
        FOUND.matcher(end.output()).results().map(found -> found.group(1)).toList());
    try (Stream<Path> jars = Files.list(ivy.resolve("jars"))) {
      assertEquals(
          List.of("org.sparkcollectives_spark-collectives_2.13-" + VERSION + ".jar"),
          jars.map(jar -> jar.getFileName().toString()).toList());
    }
  }

  @Test
  void theJarIsAModule() throws IOException {
    ModuleReference module = ModuleFinder.of(builtJar()).findAll().iterator().next();
    assertEquals("org.sparkcollectives.spark", module.descriptor().name());
    assertTrue(module.descriptor().packages().contains("org.sparkcollectives.schedule"));
  }

  private static StandaloneCluster.Submitted submit(Path folder, Map<String, String> library)
      throws IOException {
    Path application = folder.resolve("application.jar");
    String job = SubmittedJob.class.getName().replace('.', '/');
    pack(application, folderOf(SubmittedJob.class), job);
    Map<String, String> settings = new HashMap<>(library);
    settings.put("spark.ui.enabled", "false");
    settings.put("spark.executor.memory", "512m");
    settings.put("spark.executor.cores", "2");
    settings.put("spark.cores.max", "4");
    return SharedCluster.get()
        .submit(
            SubmittedJob.class.getName(),
            application,
            settings,
            List.of(),
            Duration.ofSeconds(150));
  }

  private static void check(StandaloneCluster.Submitted end) {
    assertEquals(0, end.exitCode(), end.output());
    assertTrue(end.output().contains("sum 10.0"), end.output());
    assertTrue(end.output().contains("read 4"), end.output());
    assertTrue(end.output().contains("failed with ArithmeticException: rank 2"), end.output());
  }

  /** A repository as a release leaves it: the jar, its POM as built, and the parent's. */
  private static Path repository(Path folder) throws IOException {
    Path group = folder.resolve("org/sparkcollectives");
    Path jar = builtJar();
    String name = "spark-collectives_2.13";
    Path own = Files.createDirectories(group.resolve(name).resolve(VERSION));
    Files.copy(jar, own.resolve(name + "-" + VERSION + ".jar"));
    Path pom = jar.resolveSibling("dependency-reduced-pom.xml");
    Files.writeString(own.resolve(name + "-" + VERSION + ".pom"), released(pom));
    String parent = "spark-collectives-parent";
    Path above = Files.createDirectories(group.resolve(parent).resolve(VERSION));
    Path top = jar;
    while (!Files.isDirectory(top.resolve(".mvn"))) {
      top = top.getParent();
    }
    Files.writeString(
        above.resolve(parent + "-" + VERSION + ".pom"), released(top.resolve("pom.xml")));
    return folder;
  }

  /** A POM of a version of its own, so that no repository on the machine has it. */
  private static String released(Path pom) throws IOException {
    return Files.readString(pom).replaceAll("0\\.1\\.0-SNAPSHOT", VERSION);
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
    URL location = type.getProtectionDomain().getCodeSource().getLocation();
    return Path.of(URI.create(location.toString()));
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
