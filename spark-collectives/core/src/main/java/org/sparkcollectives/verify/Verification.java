package org.sparkcollectives.verify;

import java.util.List;
import java.util.stream.Collectors;

/**
 * The verifier's finding.
 *
 * @param violations what is wrong, empty if nothing is; of a bad execution the first bad round
 *     only, since what follows follows from it
 * @param rounds the number of rounds of the rank that has most
 * @param blocksSent the number of blocks that the rank sends that sends most
 */
public record Verification(List<Violation> violations, int rounds, long blocksSent) {

  /**
   * Copies the list.
   *
   * @param violations what is wrong, empty if nothing is; of a bad execution the first bad round
   *     only, since what follows follows from it
   * @param rounds the number of rounds of the rank that has most
   * @param blocksSent the number of blocks that the rank sends that sends most
   */
  public Verification {
    violations = List.copyOf(violations);
  }

  /**
   * Whether everything holds.
   *
   * @return true when there is no violation
   */
  public boolean isCorrect() {
    return violations.isEmpty();
  }

  @Override
  public String toString() {
    return isCorrect()
        ? "correct: " + rounds + " rounds, at most " + blocksSent + " blocks sent by a rank"
        : violations.stream().map(Violation::toString).collect(Collectors.joining("\n"));
  }
}
