package org.sparkcollectives.testing;

import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.spark.launcher.JavaModuleOptions;
import org.apache.spark.package$;

/**
 * A folder that Spark takes for its installation: links to jars. Where the system property {@link
 * #FOLDER} names a folder, one below it serves all clusters with the same jars, and with it an
 * archive of the classes that Spark loads when it starts, which its processes need not load and
 * check again.
 */
final class Installation {
  /** The property whose value is the folder that installations are kept in. */
  static final String FOLDER = "test.installations";

  /** What lets a JVM that lives for seconds start in less of the machine's time. */
  private static final List<String> QUICK_START =
      List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

  /** How long the archive may take to be made. */
  static final int ARCHIVE_SECONDS = 300;

  private final Path folder;

  private Installation(Path folder) {
    this.folder = folder;
  }

  /**
   * An installation.
   *
   * @param own the folder to make, unless installations are kept
   * @param jars the jars
   * @return the installation, made if there was none of these jars
   */
  static Installation of(Path own, List<Path> jars) throws IOException {
    String kept = System.getProperty(FOLDER);
    if (kept == null) {
      make(own, jars);
      return new Installation(own);
    }
    Path parent = Files.createDirectories(Path.of(kept).toAbsolutePath());
    UUID name = UUID.nameUUIDFromBytes(jars.toString().getBytes(StandardCharsets.UTF_8));
    Path folder = parent.resolve(name.toString());
    if (!Files.exists(folder)) {
      Path draft = Files.createTempDirectory(parent, "draft-");
      make(draft, jars);
      try {
        Files.move(draft, folder, StandardCopyOption.ATOMIC_MOVE);
      } catch (FileSystemException anotherProcessHasMadeIt) {
        delete(draft);
      }
    }
    Installation installation = new Installation(folder);
    installation.archive();
    return installation;
  }

  private static void make(Path folder, List<Path> jars) throws IOException {
    Path links = Files.createDirectories(folder.resolve("jars"));
    for (Path jar : jars) {
      Path link = links.resolve(jar.getFileName());
      if (!Files.exists(link)) {
        Files.createSymbolicLink(link, jar);
      }
    }
    Files.createFile(folder.resolve("RELEASE"));
  }

  /** Removes a folder and what is in it; what it links to stays. */
  static void delete(Path folder) throws IOException {
    try (var files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  /** What is Spark's home. */
  Path folder() {
    return folder;
  }

  /**
   * The class path of Spark's processes, as its own scripts put it together: Spark 4 has one jar
   * before the others. A JVM takes the archive only if its class path begins with the archive's.
   */
  String classPath() throws IOException {
    Path jars = folder.resolve("jars");
    String all = jars + File.separator + "*";
    if (package$.MODULE$.SPARK_VERSION().startsWith("3.")) {
      return all;
    }
    try (DirectoryStream<Path> first = Files.newDirectoryStream(jars, "slf4j-api-*")) {
      return first.iterator().next() + File.pathSeparator + all;
    }
  }

  /** What its JVMs are started with. */
  List<String> quickStart() {
    List<String> options = new ArrayList<>(QUICK_START);
    if (hasArchive()) {
      options.add("-XX:SharedArchiveFile=" + archiveFile());
    }
    return options;
  }

  /** Whether the archive is made, by this process or another. */
  boolean hasArchive() {
    return Files.exists(archiveFile());
  }

  private Path archiveFile() {
    return folder.resolve("classes.jsa");
  }

  /** Makes the archive, unless another process does; without one everything works as well. */
  private void archive() throws IOException {
    try (FileChannel channel =
            FileChannel.open(
                folder.resolve("archive.lock"),
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE);
        FileLock lock = channel.tryLock()) {
      if (lock != null && !hasArchive()) {
        makeArchive();
      }
    } catch (OverlappingFileLockException anotherThreadMakesIt) {
      return;
    }
  }

  private void makeArchive() throws IOException {
    Path draft = folder.resolve("draft.jsa");
    Path jar = ClassJar.write(folder.resolve("first-job.jar"), FirstJob.class);
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(QUICK_START);
    command.add("-XX:ArchiveClassesAtExit=" + draft);
    command.addAll(List.of(JavaModuleOptions.defaultModuleOptions().trim().split("\\s+", -1)));
    command.addAll(List.of("-cp", classPath(), "org.apache.spark.deploy.SparkSubmit"));
    // Master and worker in one JVM with the driver, which so loads what each of them does.
    command.addAll(List.of("--master", "local-cluster[1,1,512]"));
    command.addAll(List.of("--conf", "spark.executor.memory=512m"));
    command.addAll(List.of("--class", FirstJob.class.getName(), jar.toString()));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().keySet().removeIf(key -> key.startsWith("SPARK_"));
    builder.environment().put("SPARK_HOME", folder.toString());
    builder.environment().put("SPARK_SCALA_VERSION", "2.13");
    builder.environment().put("SPARK_LOCAL_IP", "127.0.0.1");
    builder.redirectErrorStream(true);
    builder.redirectOutput(folder.resolve("archive.log").toFile());
    Process process = builder.start();
    try {
      if (process.waitFor(ARCHIVE_SECONDS, TimeUnit.SECONDS)
          && process.exitValue() == 0
          && Files.exists(draft)) {
        Files.move(draft, archiveFile(), StandardCopyOption.ATOMIC_MOVE);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while " + folder + " is made", e);
    } finally {
      process.destroyForcibly();
    }
  }
}
