package org.sparkcollectives.verify;

import java.util.ArrayList;
import java.util.List;

/** Collects violations; beyond a number that people can read they are only counted. */
final class Findings {
  private static final int LISTED = 50;

  private final List<Violation> violations = new ArrayList<>();
  private long unlisted;

  void add(Check check, int rank, int round, String what) {
    if (violations.size() < LISTED) {
      violations.add(new Violation(check, rank, round, what));
    } else {
      unlisted++;
    }
  }

  boolean isEmpty() {
    return violations.isEmpty();
  }

  List<Violation> list() {
    if (unlisted > 0) {
      Violation last = violations.get(violations.size() - 1);
      violations.set(
          violations.size() - 1,
          new Violation(
              last.check(),
              last.rank(),
              last.round(),
              last.what() + " (and " + unlisted + " violations more)"));
      unlisted = 0;
    }
    return violations;
  }
}
