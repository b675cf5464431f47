package org.sparkcollectives.tools.internal.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.internal.algorithm.Algorithm;
import org.sparkcollectives.internal.algorithm.AlgorithmErrors;
import org.sparkcollectives.internal.algorithm.Algorithms;
import org.sparkcollectives.internal.conformance.Conformance;
import org.sparkcollectives.internal.conformance.Sweep;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Schedule;
import org.sparkcollectives.tools.internal.json.ScheduleJson;
import org.sparkcollectives.verify.Verification;
import org.sparkcollectives.verify.Verifier;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Verifies algorithms for all sizes up to a bound, or schedules in a file. */
@Command(
    name = "verify",
    mixinStandardHelpOptions = true,
    description = {
      "Verifies the schedules of all algorithms, or of those chosen, with every number of ranks up"
          + " to a bound, every root, and 1, 2, p-1, p, p+1 and 7p+3 blocks. Of more than "
          + Sweep.MANY_BLOCKS
          + " ranks five roots have all numbers of blocks and the others 2 and p+1, of more than "
          + Sweep.SOME_BLOCKS
          + " the others have 2, and 7p+3 goes with one of the five.",
      "Algorithms that take parts of different lengths have seven kinds of such parts, too.",
      "Or verifies schedules in a file, whoever made them.",
      "Ends with 1 if a schedule is wrong."
    })
final class VerifyCommand implements Callable<Integer> {
  /** The most blocks that all ranks of schedules in a file have together. */
  private static final int MOST_BLOCKS = 2_000_000;

  private static final long PROGRESS_NANOS = 5_000_000_000L;
  private static final int SHOWN = 3;

  @Option(
      names = "--max-size",
      paramLabel = "N",
      defaultValue = "16",
      description = "the largest number of ranks (default: ${DEFAULT-VALUE})")
  private int maxSize;

  @Option(
      names = "--collective",
      paramLabel = "C",
      completionCandidates = Names.Collectives.class,
      description = "this collective only")
  private @Nullable String collective;

  @Option(
      names = "--algorithm",
      paramLabel = "A",
      completionCandidates = Names.OfAlgorithms.class,
      description = "algorithms of this name only")
  private @Nullable String algorithm;

  @Option(
      names = "--schedule",
      paramLabel = "FILE",
      description = "instead of algorithms the schedules in a file, as schedule --json prints them")
  private @Nullable Path schedule;

  @Spec private CommandSpec spec = CommandSpec.create();

  private final List<Algorithm> registry;
  private long lastProgress = System.nanoTime();

  VerifyCommand() {
    this(Algorithms.all());
  }

  VerifyCommand(List<Algorithm> registry) {
    this.registry = registry;
  }

  @Override
  public Integer call() {
    Path file = schedule;
    if (file != null) {
      return verify(file);
    }
    InvalidInputException.requireAtLeast("--max-size", maxSize, 1);
    List<Algorithm> chosen = chosen();
    PrintWriter out = spec.commandLine().getOut();
    int wrong = 0;
    long problems = 0;
    long schedules = 0;
    for (Algorithm each : chosen) {
      long before = problems;
      int wrongBefore = wrong;
      for (int size = 1; size <= maxSize; size++) {
        showProgress(each, size, problems - before);
        List<Problem> ofSize = new ArrayList<>(Sweep.problems(each, size));
        ofSize.addAll(Sweep.unevenProblems(each, size));
        problems += ofSize.size();
        schedules += (long) ofSize.size() * size;
        for (String finding : findings(each, ofSize)) {
          wrong++;
          if (wrong - wrongBefore <= SHOWN) {
            out.println(finding);
          }
        }
      }
      out.printf(
          Locale.ROOT,
          "%-35s 1..%d ranks, %d problems, %s%n",
          each,
          maxSize,
          problems - before,
          verdict(wrong - wrongBefore));
      out.flush();
    }
    out.printf(
        Locale.ROOT,
        "%d algorithms, %d problems, %d schedules: %s%n",
        chosen.size(),
        problems,
        schedules,
        verdict(wrong));
    return wrong == 0 ? 0 : 1;
  }

  private int verify(Path file) {
    for (String option : List.of("--max-size", "--collective", "--algorithm")) {
      if (spec.commandLine().getParseResult().hasMatchedOption(option)) {
        throw OptionErrors.ofAlgorithms(option, "--schedule");
      }
    }
    List<Schedule> schedules = schedules(file);
    if (!schedules.isEmpty()) {
      requireFew(file, schedules.get(0).problem());
    }
    Verification report = Verifier.verify(schedules, null);
    PrintWriter out = spec.commandLine().getOut();
    if (report.isCorrect()) {
      out.println(file + " is " + report);
    } else {
      out.println(file + " is wrong:\n" + report.toString().indent(2).stripTrailing());
    }
    return report.isCorrect() ? 0 : 1;
  }

  /** Refuses a problem whose ranks together hold too many blocks to keep what is in each. */
  private static void requireFew(Path file, Problem problem) {
    if ((long) problem.size() * problem.blocks() > MOST_BLOCKS) {
      throw OptionErrors.tooManyBlocks(
          file.toString(), problem.size(), problem.blocks(), MOST_BLOCKS);
    }
  }

  private static List<Schedule> schedules(Path file) {
    try {
      return ScheduleJson.read(Files.readString(file));
    } catch (IOException e) {
      throw OptionErrors.notRead(file.toString(), e);
    } catch (IllegalArgumentException e) {
      throw OptionErrors.noSchedules(file.toString(), e);
    }
  }

  /** What is wrong with an algorithm; problems are verified side by side. */
  private static List<String> findings(Algorithm algorithm, List<Problem> problems) {
    return problems.parallelStream()
        .flatMap(
            problem -> {
              Verification report = Conformance.verify(algorithm, problem);
              return report.isCorrect()
                  ? Stream.empty()
                  : Stream.of(
                      algorithm
                          + " is wrong for "
                          + problem
                          + ":\n"
                          + report.toString().indent(2).stripTrailing());
            })
        .toList();
  }

  private static String verdict(int wrong) {
    return wrong == 0 ? "all correct" : wrong + " wrong";
  }

  private List<Algorithm> chosen() {
    Collective wanted = collective == null ? null : ProblemOptions.collective(collective);
    List<Algorithm> candidates =
        registry.stream().filter(a -> wanted == null || a.collective() == wanted).toList();
    String slug = algorithm;
    if (slug == null && !candidates.isEmpty()) {
      return candidates;
    }
    List<Algorithm> chosen = candidates.stream().filter(a -> a.slug().equals(slug)).toList();
    if (chosen.isEmpty()) {
      throw AlgorithmErrors.unknownAlgorithm(
          wanted == null ? "any collective" : wanted.slug(),
          slug == null ? "any" : slug,
          candidates.stream().map(Algorithm::slug).distinct().toList());
    }
    return chosen;
  }

  private void showProgress(Algorithm each, int size, long done) {
    long now = System.nanoTime();
    if (now - lastProgress >= PROGRESS_NANOS) {
      lastProgress = now;
      PrintWriter err = spec.commandLine().getErr();
      err.printf(
          Locale.ROOT, "  … %s: %d of %d ranks, %d problems so far%n", each, size, maxSize, done);
      err.flush();
    }
  }
}
