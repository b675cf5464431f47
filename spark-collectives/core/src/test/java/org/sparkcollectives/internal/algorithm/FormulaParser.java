package org.sparkcollectives.internal.algorithm;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.shape.Powers;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Topology;

/** Reads a {@link Formula}'s text, by its grammar. */
final class FormulaParser {
  private static final Pattern TOKEN =
      Pattern.compile("\\s*(<=|>=|[0-9]+(?:\\.[0-9]+)?|[a-z]+[0-9]*|[^\\sa-z0-9])");
  private static final Pattern EXCEPTION = Pattern.compile(";\\s*([^:;]+):");

  /** By how much a sum of quotients and logarithms may miss a whole number. */
  private static final double INEXACT = 1e-9;

  private final String text;
  private final List<String> tokens = new ArrayList<>();
  private int next;

  FormulaParser(String text) {
    this.text = text;
  }

  List<Formula.Case> cases() {
    List<Formula.Case> cases = new ArrayList<>();
    Matcher exception = EXCEPTION.matcher(text);
    int from = 0;
    Predicate<Problem> condition = null;
    while (exception.find()) {
      cases.add(value(text.substring(from, exception.start()), condition));
      condition = condition(exception.group(1));
      from = exception.end();
    }
    cases.add(value(text.substring(from), condition));
    return cases;
  }

  private Formula.Case value(String part, @Nullable Predicate<Problem> condition) {
    tokenize(part);
    boolean bound = take("<=");
    ToDoubleFunction<Problem> term = sum();
    requireEnd();
    return new Formula.Case(condition, bound, term);
  }

  private Predicate<Problem> condition(String part) {
    Predicate<Problem> all = problem -> true;
    for (String test : part.split(" and ", -1)) {
      all = all.and(test(test.strip()));
    }
    return all;
  }

  private Predicate<Problem> test(String test) {
    return switch (test) {
      case "p not a power of two" -> problem -> !Powers.isPowerOfTwo(problem.size());
      case "p odd" -> problem -> problem.size() % 2 != 0;
      case "in order" -> Problem::ordered;
      case "in any order" -> problem -> !problem.ordered();
      case "inner root" -> problem -> problem.root() > 0 && problem.root() < problem.size() - 1;
      default -> comparison(test);
    };
  }

  private Predicate<Problem> comparison(String test) {
    tokenize(test);
    ToDoubleFunction<Problem> left = sum();
    String operator = next < tokens.size() ? tokens.get(next++) : "";
    ToDoubleFunction<Problem> right = sum();
    requireEnd();
    return switch (operator) {
      case "<" -> problem -> difference(left, right, problem) < -INEXACT;
      case "<=" -> problem -> difference(left, right, problem) <= INEXACT;
      case "=" -> problem -> Math.abs(difference(left, right, problem)) <= INEXACT;
      case ">=" -> problem -> difference(left, right, problem) >= -INEXACT;
      case ">" -> problem -> difference(left, right, problem) > INEXACT;
      default -> throw wrong("a comparison");
    };
  }

  private static double difference(
      ToDoubleFunction<Problem> left, ToDoubleFunction<Problem> right, Problem problem) {
    return left.applyAsDouble(problem) - right.applyAsDouble(problem);
  }

  private void tokenize(String part) {
    tokens.clear();
    next = 0;
    Matcher token = TOKEN.matcher(part);
    while (token.find()) {
      tokens.add(token.group(1));
    }
  }

  private boolean take(String token) {
    boolean found = next < tokens.size() && tokens.get(next).equals(token);
    next += found ? 1 : 0;
    return found;
  }

  private void require(String token) {
    if (!take(token)) {
      throw wrong("'" + token + "'");
    }
  }

  private void requireEnd() {
    if (next < tokens.size()) {
      throw wrong("the end");
    }
  }

  private IllegalArgumentException wrong(String expected) {
    String found = next < tokens.size() ? "'" + tokens.get(next) + "'" : "the end";
    return new IllegalArgumentException(
        "the formula '" + text + "' has " + found + " where " + expected + " is expected");
  }

  private ToDoubleFunction<Problem> sum() {
    ToDoubleFunction<Problem> left = product();
    while (true) {
      ToDoubleFunction<Problem> augend = left;
      if (take("+")) {
        ToDoubleFunction<Problem> right = product();
        left = problem -> augend.applyAsDouble(problem) + right.applyAsDouble(problem);
      } else if (take("-")) {
        ToDoubleFunction<Problem> right = product();
        left = problem -> augend.applyAsDouble(problem) - right.applyAsDouble(problem);
      } else {
        return left;
      }
    }
  }

  private ToDoubleFunction<Problem> product() {
    ToDoubleFunction<Problem> left = run();
    while (true) {
      ToDoubleFunction<Problem> multiplicand = left;
      if (take("*")) {
        left = times(multiplicand, run());
      } else if (take("/")) {
        ToDoubleFunction<Problem> right = run();
        left = problem -> multiplicand.applyAsDouble(problem) / right.applyAsDouble(problem);
      } else {
        return left;
      }
    }
  }

  private static ToDoubleFunction<Problem> times(
      ToDoubleFunction<Problem> left, ToDoubleFunction<Problem> right) {
    return problem -> left.applyAsDouble(problem) * right.applyAsDouble(problem);
  }

  private ToDoubleFunction<Problem> run() {
    ToDoubleFunction<Problem> left = power();
    while (next < tokens.size() && tokens.get(next).matches("[a-z0-9(].*")) {
      left = times(left, power());
    }
    return left;
  }

  private ToDoubleFunction<Problem> power() {
    ToDoubleFunction<Problem> base = factor();
    if (!take("^")) {
      return base;
    }
    ToDoubleFunction<Problem> exponent = factor();
    return problem -> StrictMath.pow(base.applyAsDouble(problem), exponent.applyAsDouble(problem));
  }

  private ToDoubleFunction<Problem> factor() {
    if (next == tokens.size()) {
      throw wrong("a number");
    }
    String token = tokens.get(next++);
    return switch (token) {
      case "p" -> Problem::size;
      case "b" -> Problem::blocks;
      case "h" -> problem -> problem.topology().hosts(problem.size());
      case "g" -> problem -> problem.topology().mostRanksPerHost();
      case "l" -> FormulaParser::levels;
      case "q" -> problem -> Integer.highestOneBit(problem.size());
      case "t" -> problem -> Integer.lowestOneBit(problem.size());
      case "c" -> problem -> Integer.bitCount(problem.size());
      case "(" -> closed();
      case "log2" -> log2(factor());
      case "ceil", "floor" -> rounded(token.equals("ceil"));
      case "min", "max" -> extreme(token.equals("max"));
      default -> number(token);
    };
  }

  private static int levels(Problem problem) {
    Topology topology = problem.topology();
    return topology.hosts(problem.size()) > 1 && topology.mostRanksPerHost() > 1 ? 2 : 1;
  }

  private ToDoubleFunction<Problem> number(String token) {
    if (!Character.isDigit(token.charAt(0))) {
      next--;
      throw wrong("a number");
    }
    double number = Double.parseDouble(token);
    return problem -> number;
  }

  private ToDoubleFunction<Problem> closed() {
    ToDoubleFunction<Problem> sum = sum();
    require(")");
    return sum;
  }

  private static ToDoubleFunction<Problem> log2(ToDoubleFunction<Problem> of) {
    return problem -> StrictMath.log(of.applyAsDouble(problem)) / StrictMath.log(2);
  }

  private ToDoubleFunction<Problem> rounded(boolean up) {
    require("(");
    ToDoubleFunction<Problem> of = closed();
    return up
        ? problem -> Math.ceil(of.applyAsDouble(problem) - INEXACT)
        : problem -> Math.floor(of.applyAsDouble(problem) + INEXACT);
  }

  private ToDoubleFunction<Problem> extreme(boolean greatest) {
    require("(");
    ToDoubleFunction<Problem> one = sum();
    require(",");
    ToDoubleFunction<Problem> other = closed();
    return greatest
        ? problem -> Math.max(one.applyAsDouble(problem), other.applyAsDouble(problem))
        : problem -> Math.min(one.applyAsDouble(problem), other.applyAsDouble(problem));
  }
}
