package org.sparkcollectives.benchmarks.report;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/**
 * Where and how measurements were taken. Names no host and no folder but those on the command line.
 *
 * @param machine label of the machine
 * @param started when the run began, UTC
 * @param commit commit of the sources, {@code unknown} outside {@code benchmarks/run}
 * @param command the command line
 * @param kernel operating system and version
 * @param processor model of the processor
 * @param cores how many processors the JVM sees
 * @param memoryMiB memory of the machine in MiB, 0 where it cannot be read
 * @param load how many threads of the whole machine ran or waited for a processor, on average over
 *     the minute before the start; negative where that is not known
 * @param jvm name and version of the JVM
 * @param spark version of Spark, empty where it takes no part
 */
public record Environment(
    String machine,
    String started,
    String commit,
    String command,
    String kernel,
    String processor,
    int cores,
    long memoryMiB,
    double load,
    String jvm,
    String spark) {

  /**
   * Describes this machine and process.
   *
   * @param machine label of the machine, or an empty string for {@link #defaultLabel()}
   * @param command the command line
   * @param spark version of Spark, or an empty string
   * @return the description
   */
  public static Environment here(String machine, String command, String spark) {
    return new Environment(
        machine.isEmpty() ? defaultLabel() : machine,
        Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(),
        System.getProperty("benchmarks.commit", "unknown"),
        command,
        System.getProperty("os.name") + " " + System.getProperty("os.version"),
        valueOf(Path.of("/proc/cpuinfo"), "model name", System.getProperty("os.arch")),
        Runtime.getRuntime().availableProcessors(),
        kibibytes(valueOf(Path.of("/proc/meminfo"), "MemTotal", "0 kB")) / 1024,
        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
        System.getProperty("java.vm.name") + " " + System.getProperty("java.runtime.version"),
        spark);
  }

  /**
   * A label of this machine that names its kind only.
   *
   * @return such as {@code linux-2core}
   */
  public static String defaultLabel() {
    String system = System.getProperty("os.name").toLowerCase(Locale.ROOT).replace(' ', '-');
    return system + "-" + Runtime.getRuntime().availableProcessors() + "core";
  }

  private static String valueOf(Path file, String key, String otherwise) {
    if (!Files.isReadable(file)) {
      return otherwise;
    }
    try {
      for (String line : Files.readString(file, StandardCharsets.UTF_8).split("\n", -1)) {
        int colon = line.indexOf(':');
        if (colon > 0 && line.substring(0, colon).trim().equals(key)) {
          return line.substring(colon + 1).trim();
        }
      }
      return otherwise;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static long kibibytes(String value) {
    return Long.parseLong(value.replace("kB", "").trim());
  }
}
