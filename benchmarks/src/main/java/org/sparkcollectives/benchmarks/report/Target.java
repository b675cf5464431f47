package org.sparkcollectives.benchmarks.report;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Locale;

/**
 * A bound that a measured value is to keep.
 *
 * @param name what is bounded
 * @param measured the measured value
 * @param limit the bound
 * @param atLeast whether the value is to be at least the bound; otherwise it is to be below it
 * @param unit the unit of both, such as {@code x} for a factor or {@code MiB}
 */
public record Target(String name, double measured, double limit, boolean atLeast, String unit) {
  private static final int MOST_DECIMALS = 9;

  /**
   * A factor that is to be reached.
   *
   * @param name what is compared
   * @param measured how many times faster it is
   * @param limit how many times faster it is to be
   * @return the target
   */
  public static Target faster(String name, double measured, double limit) {
    return new Target(name, measured, limit, true, "x");
  }

  /**
   * A size that is not to be reached.
   *
   * @param name what is bounded
   * @param measured size in MiB
   * @param limit bound in MiB
   * @return the target
   */
  public static Target below(String name, double measured, double limit) {
    return new Target(name, measured, limit, false, "MiB");
  }

  /**
   * A share that is not to be reached.
   *
   * @param name what is bounded
   * @param measured share, 0 to 1
   * @param limit bound, 0 to 1
   * @return the target, in percent
   */
  public static Target lessShare(String name, double measured, double limit) {
    return new Target(name, 100 * measured, 100 * limit, false, "%");
  }

  /**
   * Whether the bound is kept.
   *
   * @return true if so
   */
  @JsonProperty
  public boolean met() {
    return atLeast ? measured >= limit : measured < limit;
  }

  /**
   * The bound for people.
   *
   * @return such as {@code ≥ 2.0 x}
   */
  public String bound() {
    return (atLeast ? "≥ " : "< ") + rounded(limit, 1);
  }

  /**
   * The measured value for people. One that is below the bound has so many decimals that it can be
   * told from it.
   *
   * @return such as {@code 2.1 x}
   */
  public String value() {
    int decimals = 1;
    while (measured < limit
        && decimals < MOST_DECIMALS
        && rounded(measured, decimals).equals(rounded(limit, decimals))) {
      decimals++;
    }
    return rounded(measured, decimals);
  }

  private String rounded(double number, int decimals) {
    return String.format(Locale.ROOT, "%." + decimals + "f %s", number, unit);
  }
}
