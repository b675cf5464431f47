package org.sparkcollectives.verify;

/**
 * Something that a schedule does wrong.
 *
 * @param check the check that failed
 * @param rank the rank, or -1 where all ranks together are wrong
 * @param round the round, or -1 where no single one is wrong
 * @param what what is wrong
 */
public record Violation(Check check, int rank, int round, String what) {

  @Override
  public String toString() {
    return check
        + (rank < 0 ? "" : " rank " + rank)
        + (round < 0 ? "" : " round " + round)
        + ": "
        + what;
  }
}
