package org.sparkcollectives.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.cost.CostModel;
import org.sparkcollectives.cost.CostProfile;
import org.sparkcollectives.error.Errors;
import org.sparkcollectives.error.SelectionErrors;
import org.sparkcollectives.schedule.Topology;
import org.sparkcollectives.select.Request;
import org.sparkcollectives.spark.ProfileFiles;
import picocli.CommandLine.Option;

/** The options that describe an operation and a network, without an algorithm. */
final class RequestOptions {
  private static final Pattern BYTES = Pattern.compile("(\\d{1,15})([kmg]?)");

  @Option(
      names = "--collective",
      required = true,
      paramLabel = "C",
      description = "such as allreduce")
  private String collective = "";

  @Option(
      names = "--bytes",
      required = true,
      split = ",",
      paramLabel = "M",
      description =
          "the vector's size, or several with commas between them: 8, 256k, 8m, 1g; in an alltoall"
              + " of what a rank sends to all")
  private List<String> bytes = List.of();

  @Option(names = "--ordered", description = "operands must stay in rank order")
  private boolean ordered;

  @Option(
      names = "--hosts",
      paramLabel = "H",
      description =
          "how many hosts the ranks share, consecutive ranks on one; if not given, each rank has its"
              + " own")
  private @Nullable Integer hosts;

  @Option(
      names = "--profile",
      paramLabel = "PATH",
      description = "a cost profile, in any file system of Hadoop; if not given, the built-in one")
  private @Nullable String profile;

  /** An operation for each size of vectors. */
  List<Request> requests(int size) {
    Errors.requireAtLeast("--size", size, 1);
    return bytes.stream()
        .map(
            text ->
                Request.of(
                    ProblemOptions.collective(collective),
                    size,
                    bytes(text),
                    ordered,
                    topology(size)))
        .toList();
  }

  private Topology topology(int size) {
    Integer count = hosts;
    if (count == null) {
      return Topology.FLAT;
    }
    Errors.requireAtLeast("--hosts", count, 1);
    return Topology.ofHosts(
        IntStream.range(0, size).map(rank -> (int) ((long) rank * count / size)).boxed().toList());
  }

  /** What communication costs. */
  CostModel model() {
    String path = profile;
    if (path == null) {
      return CostModel.DEFAULT;
    }
    try {
      Path local = Path.of(path);
      if (Files.isRegularFile(local)) {
        return CostProfile.read(Files.readString(local), path);
      }
    } catch (InvalidPathException e) {
      return ProfileFiles.read(path); // a URL
    } catch (IOException e) {
      throw SelectionErrors.badProfile(path, e.toString());
    }
    return ProfileFiles.read(path);
  }

  private static long bytes(String text) {
    Matcher matcher = BYTES.matcher(text.strip().toLowerCase(Locale.ROOT));
    if (!matcher.matches()) {
      throw SelectionErrors.badBytes(text);
    }
    int shift = List.of("", "k", "m", "g").indexOf(matcher.group(2)) * 10;
    long number = Long.parseLong(matcher.group(1));
    if (number > Long.MAX_VALUE >> shift) {
      throw SelectionErrors.badBytes(text);
    }
    return number << shift;
  }
}
