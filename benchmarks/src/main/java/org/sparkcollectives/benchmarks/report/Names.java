package org.sparkcollectives.benchmarks.report;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.sparkcollectives.internal.algorithm.Algorithm;
import org.sparkcollectives.internal.algorithm.Algorithms;
import org.sparkcollectives.schedule.Collective;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Refuses names of a command line that there are not, before anything starts. */
public final class Names {
  private final CommandSpec spec;

  /**
   * Names of a command.
   *
   * @param spec the command, whose usage an error shows
   */
  public Names(CommandSpec spec) {
    this.spec = spec;
  }

  /**
   * The collectives of the option {@code --collective}.
   *
   * @param slugs what was given; none for all that can be measured
   * @param possible what can be measured
   * @return the collectives of these names
   * @throws ParameterException if one is none of the possible ones
   */
  public List<Collective> collectives(List<String> slugs, List<Collective> possible) {
    check("--collective", slugs, possible.stream().map(Collective::slug).toList());
    return slugs.isEmpty() ? possible : slugs.stream().map(Collective::ofSlug).toList();
  }

  /**
   * Looks at the names of the option {@code --algorithms}.
   *
   * @param slugs what was given
   * @param of collectives, of which one has each algorithm
   * @param others what may be given instead of an algorithm
   * @throws ParameterException if a name is neither
   */
  public void algorithms(List<String> slugs, List<Collective> of, String... others) {
    Stream<String> known =
        of.stream().flatMap(each -> Algorithms.of(each).stream()).map(Algorithm::slug).distinct();
    check("--algorithms", slugs, Stream.concat(Arrays.stream(others), known).toList());
  }

  private void check(String option, List<String> given, List<String> known) {
    for (String name : given) {
      if (!known.contains(name)) {
        throw new ParameterException(
            spec.commandLine(),
            option + " is of " + String.join(", ", known) + ", not '" + name + "'.");
      }
    }
  }
}
