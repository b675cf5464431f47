package org.sparkcollectives.tools.internal.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.cost.CostModel;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.internal.algorithm.Algorithms;
import org.sparkcollectives.internal.text.Amount;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Topology;
import org.sparkcollectives.select.Request;
import org.sparkcollectives.spark.internal.conf.CostProfile;
import org.sparkcollectives.spark.internal.conf.ProfileFiles;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that describe an operation and a network, without an algorithm. */
final class RequestOptions {
  /** How paths begin that name a file system; a single letter is a drive. */
  private static final Pattern URL = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]+:");

  @Option(
      names = "--collective",
      completionCandidates = Names.Collectives.class,
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
      names = "--counts",
      split = ",",
      paramLabel = "N",
      description =
          "for allgather and reduce_scatter how long the ranks' parts are as multiples of one"
              + " another, a number for each rank; if not given, all are equal")
  private List<Integer> counts = List.of();

  @Mixin private final PlacementOptions placement = new PlacementOptions();

  @Option(
      names = "--profile",
      paramLabel = "PATH",
      description = "a cost profile, in any file system of Hadoop; if not given, the built-in one")
  private @Nullable String profile;

  @Option(
      names = "--uplink",
      paramLabel = "N",
      description =
          "what a rack's uplink carries, as a multiple of what a host's card does, such as 2.5; if"
              + " not given, what the profile says")
  private @Nullable Double uplink;

  /** What the profile says: a pipe can be read once. */
  private @Nullable CostModel profiled;

  /** An operation for each size of vectors. */
  List<Request> requests(int size) {
    InvalidInputException.requireAtLeast("--size", size, 1);
    Topology topology = placement.topology(size);
    return bytes.stream()
        .map(
            text ->
                Request.of(
                    ProblemOptions.collective(collective),
                    size,
                    Amount.bytes(text),
                    ordered,
                    topology))
        .map(this::counted)
        .toList();
  }

  /**
   * Checks that an algorithm that was named keeps rank order where the operation has to.
   *
   * @throws InvalidInputException if it does not, or there is none of this name
   */
  static void requireOrder(Request request, String slug) {
    Collective asked = request.collective();
    if (request.ordered() && !Algorithms.named(asked, slug).get(0).traits().keepsOrder()) {
      throw OptionErrors.noOrderedSchedule(
          asked.slug(), slug, "leave out --ordered", Algorithms.inOrder(asked));
    }
  }

  private Request counted(Request request) {
    if (counts.isEmpty()) {
      return request;
    }
    Collective asked = request.collective();
    if (!asked.divided() || asked.rooted()) {
      throw OptionErrors.countsOfNoParts(asked.slug());
    }
    counts.forEach(count -> InvalidInputException.requireAtLeast("--counts", count, 0));
    double sum = counts.stream().mapToDouble(Integer::doubleValue).sum();
    if (counts.size() != request.size() || sum == 0) {
      throw OptionErrors.otherCounts(counts, request.size());
    }
    if (request.bytes() == 0) {
      return request; // all parts are empty, so they are equal
    }
    List<Integer> units = new ArrayList<>();
    double before = 0;
    for (int count : counts) {
      double after = before + count;
      units.add((int) (share(after, sum, request) - share(before, sum, request)));
      before = after;
    }
    return request.withCounts(units);
  }

  private static long share(double part, double sum, Request request) {
    return Math.round(part / sum * request.units());
  }

  /**
   * What communication costs.
   *
   * @param requests what is asked of it
   */
  CostModel model(List<Request> requests) {
    if (profiled == null) {
      profiled = read(profile);
    }
    CostModel model = profiled;
    if (uplink == null) {
      return model;
    }
    if (!placement.hasRacks()) {
      throw OptionErrors.uplinkWithoutRacks();
    }
    if (requests.stream().noneMatch(request -> request.topology().hasRacks())) {
      throw OptionErrors.uplinkOfNoUse();
    }
    if (!(uplink > 0 && uplink < Double.POSITIVE_INFINITY)) {
      throw OptionErrors.uplinkOfNothing(uplink);
    }
    return model.withUplink(model.network().betaNanosPerByte() / uplink);
  }

  private static CostModel read(@Nullable String path) {
    if (path == null) {
      return CostModel.DEFAULT;
    }
    try {
      Path local = Path.of(path);
      if (Files.isDirectory(local)) {
        throw CostProfile.badProfile(path, "it is a folder");
      }
      if (Files.exists(local)) {
        return CostProfile.read(Files.readString(local), path);
      }
    } catch (InvalidPathException e) {
      return elsewhere(path); // a URL
    } catch (IOException e) {
      throw CostProfile.badProfile(path, e.toString());
    }
    return elsewhere(path);
  }

  /** A profile in a file system of Hadoop, which Spark brings. */
  private static CostModel elsewhere(String path) {
    if (URL.matcher(path).lookingAt()) {
      NeedsSparkException.throwIfMissing("the cost profile " + path + " cannot be read");
    } else if (!NeedsSparkException.hasSpark()) {
      throw CostProfile.badProfile(path, "there is no such file");
    }
    return ProfileFiles.read(path);
  }
}
