package org.sparkcollectives.select;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.internal.algorithm.Algorithms;
import org.sparkcollectives.internal.error.ErrorText;
import org.sparkcollectives.internal.text.Amount;
import org.sparkcollectives.schedule.Collective;

/**
 * Which algorithm to use in which range of bytes and ranks. Written as rules with semicolons
 * between them; a rule is conditions with commas between them, a colon, and an algorithm, or an
 * algorithm alone: {@code bytes<=4k: recursive-doubling; size>=16,bytes>1m: two-tree; ring}. The
 * first rule whose conditions all hold decides; where none does, {@link Policy} says what is taken.
 * The bytes are those of the vector ({@link Request#vectorBytes}); of objects, whose size is known
 * only when they are sent, they are 0, but for a broadcast.
 *
 * @param rules the rules, first to last
 */
public record Rules(List<Rule> rules) {
  private static final Pattern CONDITION =
      Pattern.compile("(bytes|size)\\s*(<=|>=|<|>|=)\\s*(\\w+)");

  private static final Pattern COMPARISON = Pattern.compile("[<>=]");

  /** No rules. */
  public static final Rules NONE = new Rules(List.of());

  /**
   * An algorithm and when to use it.
   *
   * @param conditions what must hold, all of it
   * @param slug the algorithm's name
   */
  public record Rule(List<Condition> conditions, String slug) {

    /**
     * Copies the list.
     *
     * @param conditions what must hold, all of it
     * @param slug the algorithm's name
     */
    public Rule {
      conditions = List.copyOf(conditions);
    }

    boolean holds(Request request) {
      return conditions.stream().allMatch(condition -> condition.holds(request));
    }

    @Override
    public String toString() {
      String when = conditions.stream().map(Condition::toString).collect(Collectors.joining(","));
      return when.isEmpty() ? slug : when + ": " + slug;
    }
  }

  /**
   * A bound.
   *
   * @param ofBytes whether the vector's bytes ({@link Request#vectorBytes}) are compared, or else
   *     the number of ranks
   * @param relation one of {@code < <= > >= =}
   * @param bound what they are compared with
   */
  public record Condition(boolean ofBytes, String relation, long bound) {
    boolean holds(Request request) {
      int order = Long.compare(ofBytes ? request.vectorBytes() : request.size(), bound);
      return switch (relation) {
        case "<" -> order < 0;
        case "<=" -> order <= 0;
        case ">" -> order > 0;
        case ">=" -> order >= 0;
        default -> order == 0;
      };
    }

    @Override
    public String toString() {
      return (ofBytes ? "bytes" : "size") + relation + bound;
    }
  }

  /**
   * Copies the list.
   *
   * @param rules the rules, first to last
   */
  public Rules {
    rules = List.copyOf(rules);
  }

  /**
   * One algorithm for every size.
   *
   * @param slug the algorithm's name
   * @return a rule without conditions
   */
  public static Rules always(String slug) {
    return new Rules(List.of(new Rule(List.of(), slug)));
  }

  /**
   * Reads rules.
   *
   * @param collective the collective that they are for
   * @param text the rules, as described above; empty for none
   * @return the rules
   * @throws org.sparkcollectives.error.InvalidInputException if they cannot be read or name an
   *     unknown algorithm; the message says which rule and why
   */
  public static Rules parse(Collective collective, String text) {
    List<Rule> rules = new ArrayList<>();
    String[] parts = text.isBlank() ? new String[0] : text.split(";", -1);
    for (String part : parts) {
      String rule = part.strip();
      if (rule.isEmpty()) {
        if (rules.size() < parts.length - 1) {
          throw badRule(collective, text, "a rule is empty");
        }
        continue; // after the last semicolon
      }
      int colon = rule.indexOf(':');
      List<Condition> conditions = new ArrayList<>();
      if (colon >= 0) {
        for (String condition : rule.substring(0, colon).split(",", -1)) {
          conditions.add(condition(collective, rule, condition.strip()));
        }
      }
      String slug = rule.substring(colon + 1).strip();
      if (COMPARISON.matcher(slug).find()) {
        throw badRule(collective, rule, "no colon stands between its conditions and its algorithm");
      }
      rules.add(new Rule(conditions, Algorithms.find(collective, slug).slug()));
    }
    return new Rules(rules);
  }

  private static Condition condition(Collective collective, String rule, String text) {
    Matcher matcher = CONDITION.matcher(text.toLowerCase(Locale.ROOT));
    if (!matcher.matches() || !Amount.matches(matcher.group(3))) {
      throw badRule(
          collective, rule, "'" + text + "' compares neither bytes nor size with a number");
    }
    long bound =
        Amount.parse(matcher.group(3))
            .orElseThrow(
                () -> badRule(collective, rule, "the number in '" + text + "' is above 2^63 - 1"));
    return new Condition(matcher.group(1).equals("bytes"), matcher.group(2), bound);
  }

  private static InvalidInputException badRule(Collective collective, String rule, String cause) {
    return new InvalidInputException(
        ErrorText.of(
            "the rule '" + rule + "' for " + collective.slug() + " cannot be read",
            cause,
            "write rules such as 'bytes<=4k: ALGORITHM; size>=16,bytes>1m: ALGORITHM; ALGORITHM'"),
        null);
  }

  /**
   * The algorithm of a first rule without conditions, which decides for every size.
   *
   * @return its name, or null if there is no such rule
   */
  public @Nullable String only() {
    return rules.isEmpty() || !rules.get(0).conditions().isEmpty() ? null : rules.get(0).slug();
  }

  /**
   * The rule that decides.
   *
   * @param request what is to be done
   * @return the first rule that holds, or null
   */
  public @Nullable Rule match(Request request) {
    for (Rule rule : rules) {
      if (rule.holds(request)) {
        return rule;
      }
    }
    return null;
  }

  @Override
  public String toString() {
    return rules.stream().map(Rule::toString).collect(Collectors.joining("; "));
  }
}
