package org.sparkcollectives.benchmarks.report;

import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Refuses numbers of a command line by which nothing can be measured, before anything starts. */
public final class Numbers {
  private final CommandSpec spec;

  /**
   * Numbers of a command.
   *
   * @param spec the command, whose usage an error shows
   */
  public Numbers(CommandSpec spec) {
    this.spec = spec;
  }

  /**
   * Looks at the number of an option.
   *
   * @param option the option's name
   * @param least the least number that it takes
   * @param number what was given
   * @return this
   * @throws ParameterException if the number is less
   */
  public Numbers check(String option, long least, long number) {
    if (number < least) {
      throw new ParameterException(
          spec.commandLine(), option + " is " + least + " or more, not " + number + ".");
    }
    return this;
  }

  /**
   * Looks at the numbers of an option.
   *
   * @param option the option's name
   * @param least the least number that it takes
   * @param numbers what was given
   * @return this
   * @throws ParameterException if a number is less
   */
  public Numbers check(String option, long least, List<Integer> numbers) {
    numbers.forEach(number -> check(option, least, number));
    return this;
  }

  /**
   * Looks at the number of an option that takes fractions.
   *
   * @param option the option's name
   * @param number what was given
   * @return this
   * @throws ParameterException if the number is 0 or less, or not finite
   */
  public Numbers positive(String option, double number) {
    if (!(number > 0 && number < Double.POSITIVE_INFINITY)) {
      throw new ParameterException(
          spec.commandLine(), option + " is more than 0, not " + number + ".");
    }
    return this;
  }
}
