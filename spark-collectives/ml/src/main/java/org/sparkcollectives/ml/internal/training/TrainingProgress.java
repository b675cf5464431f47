package org.sparkcollectives.ml.internal.training;

import java.util.UUID;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.spark.Progress;

/**
 * How far a training is: what rank 0 says after each iteration, in its log and to the driver. Also
 * what trainings are called, in logs and for people.
 */
public final class TrainingProgress {
  private static final Logger LOG = LoggerFactory.getLogger(TrainingProgress.class);
  private static final Pattern IDENTITY =
      Pattern.compile(" \\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}.*");

  private final String training;
  private final String before;
  private final String after;
  private final String unit;
  private final boolean tells;

  /**
   * Of a rank.
   *
   * @param training what {@link #unique} has made, and maybe more
   * @param communicator the ranks
   * @param unit what is counted, such as "iteration"
   * @param most how many there are at most
   */
  public TrainingProgress(String training, Communicator communicator, String unit, int most) {
    this.training = training;
    this.unit = unit;
    this.before = name(training) + ": " + unit + " ";
    this.after = (most == Integer.MAX_VALUE ? "" : " of at most " + most) + ", objective ";
    this.tells = communicator.rank() == 0;
  }

  /**
   * A name that no other training has.
   *
   * @param name what is trained, for people
   * @return the name, and what tells it from others
   */
  public static String unique(String name) {
    return name + " " + UUID.randomUUID();
  }

  private static String name(String training) {
    return IDENTITY.matcher(training).replaceFirst("");
  }

  /**
   * Tells the driver that a rank begins with its rows.
   *
   * @param training what {@link #unique} has made
   */
  public static void readsRows(String training) {
    Progress.tell(name(training) + ": reads rows");
  }

  /**
   * An iteration has ended.
   *
   * @param number which, from 1
   * @param objective the value there
   */
  public void at(int number, double objective) {
    if (tells) {
      LOG.info("{}: {} {}, objective {}", training, unit, number, objective);
      Progress.tell(before + number + after + objective);
    }
  }
}
