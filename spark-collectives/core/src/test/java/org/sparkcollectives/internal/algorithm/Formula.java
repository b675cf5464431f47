package org.sparkcollectives.internal.algorithm;

import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.schedule.Problem;

/**
 * A number of rounds or of blocks as a formula that people read and tests evaluate, such as {@code
 * p - 2 + b}, {@code <= 2 ceil(log2(p+1)) + 2 ceil(b/2)} or {@code log2 p; p not a power of two:
 * floor(log2 p) + 2}. Formulas hold for {@value #LEAST_RANKS} ranks and more; for fewer they are
 * upper bounds.
 *
 * <p>A formula is one value, then the exceptions from it, each a condition and a value; the first
 * exception whose condition holds counts. A value that begins with {@code <=} is an upper bound,
 * any other is exact.
 *
 * <pre>
 *   formula    = value { "; " condition ": " value }
 *   value      = [ "&lt;=" ] sum
 *   condition  = test { "and" test }
 *   test       = "p not a power of two" | "p odd" | "in order" | "in any order" | "inner root"
 *              | sum ( "&lt;" | "&lt;=" | "=" | "&gt;=" | "&gt;" ) sum
 *   sum        = product { ( "+" | "-" ) product }
 *   product    = run { ( "*" | "/" ) run }
 *   run        = power { power }               2 ceil(log2 p), 3b: a product that binds tighter
 *   power      = factor [ "^" factor ]
 *   factor     = number | variable | "(" sum ")" | "log2" factor
 *              | ( "ceil" | "floor" ) "(" sum ")" | ( "min" | "max" ) "(" sum "," sum ")"
 * </pre>
 *
 * <p>The variables are p, the number of ranks; b, the number of blocks of a vector; h, the number
 * of hosts; g, the number of ranks of the host that has most; l, which is 2 where several hosts
 * have several ranks, else 1; q, the largest power of two up to p; t, the largest that divides p;
 * and c, the number of powers of two that p is the sum of. An inner root is neither the first nor
 * the last rank.
 */
final class Formula {
  /** The least number of ranks for which formulas hold. */
  static final int LEAST_RANKS = 8;

  /**
   * A value and where it counts.
   *
   * @param condition what must hold of a problem, or null where nothing need
   * @param bound whether the value is an upper bound
   * @param term the value
   */
  record Case(
      @Nullable Predicate<Problem> condition, boolean bound, ToDoubleFunction<Problem> term) {}

  private final String text;

  /** The rule and the exceptions from it. */
  private final List<Case> cases;

  private Formula(String text) {
    this.text = text;
    this.cases = List.copyOf(new FormulaParser(text).cases());
  }

  /**
   * Reads a formula.
   *
   * @param text the formula
   * @return it
   * @throws IllegalArgumentException if the text is none
   */
  static Formula of(String text) {
    return new Formula(text);
  }

  private int indexOf(Problem problem) {
    for (int i = 1; i < cases.size(); i++) {
      Predicate<Problem> condition = cases.get(i).condition();
      if (condition != null && condition.test(problem)) {
        return i;
      }
    }
    return 0;
  }

  private Case caseOf(Problem problem) {
    return cases.get(indexOf(problem));
  }

  /**
   * The formula's value for a problem.
   *
   * @param problem what is to be solved
   * @return a number, not always a whole one if it is a bound
   */
  double evaluate(Problem problem) {
    return caseOf(problem).term().applyAsDouble(problem);
  }

  /**
   * Whether the value for a problem is an upper bound rather than exact.
   *
   * @param problem what is to be solved
   * @return true where it begins with {@code <=}
   */
  boolean isBound(Problem problem) {
    return caseOf(problem).bound();
  }

  /**
   * Which of the formula's values counts for a problem.
   *
   * @param problem what is to be solved
   * @return 0 for the first, the rule, and 1 and more for its exceptions
   */
  int caseNumber(Problem problem) {
    return indexOf(problem);
  }

  /**
   * The number of the formula's values.
   *
   * @return 1 for the rule and 1 for each exception
   */
  int cases() {
    return cases.size();
  }

  @Override
  public String toString() {
    return text;
  }
}
