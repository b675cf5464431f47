package org.sparkcollectives.spark.internal.conf;

import java.io.ObjectInputFilter;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.network.util.JavaUtils;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.select.Rules;

/**
 * How the values of a setting are written.
 *
 * @param unit what a value is, for people
 * @param parser reads a value, without blanks at its ends
 * @param <T> what it is read as
 */
record Format<T>(String unit, Parser<T> parser) {

  /**
   * Reads and checks values.
   *
   * @param <T> what a value is read as
   */
  interface Parser<T> {
    /**
     * The value; an {@link IllegalArgumentException} says what is wrong with it, or, of rules, an
     * {@link org.sparkcollectives.error.InvalidInputException}.
     */
    T parse(String text);
  }

  /**
   * Ports.
   *
   * @param first the lowest
   * @param last the highest
   */
  record PortRange(int first, int last) {}

  private static final Pattern PORT_OR_RANGE =
      Pattern.compile("(\\d{1,5})(?:\\s*-\\s*(\\d{1,5}))?");

  private static final int MOST_PORT = 65535;

  /** 292 years, the longest time that nanoseconds can say, is taken for all that are longer. */
  private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);

  /** A positive time. */
  static final Format<Duration> TIME =
      new Format<>(
          "time",
          text -> {
            Duration time = time(text);
            require(time.compareTo(Duration.ZERO) > 0, "a time must be positive");
            return time;
          });

  /** A time, or 0. */
  static final Format<Duration> TIME_OR_NONE =
      new Format<>(
          "time",
          text -> {
            Duration time = time(text);
            require(!time.isNegative(), "a time must not be negative");
            return time;
          });

  /** A size. */
  static final Format<Long> BYTES = new Format<>("bytes", JavaUtils::byteStringAsBytes);

  /** A handshake of TLS with a long certificate has to fit. */
  private static final int LEAST_BUFFER = 1 << 16;

  /** The size of one buffer of a connection. */
  static final Format<Integer> BUFFER_BYTES =
      new Format<>(
          "bytes",
          text -> {
            long bytes = JavaUtils.byteStringAsBytes(text);
            require(bytes <= Integer.MAX_VALUE, "it must be below 2 GiB");
            require(bytes == 0 || bytes >= LEAST_BUFFER, "it must be 0, or at least 64 KiB");
            return (int) bytes;
          });

  /** True or false. */
  static final Format<Boolean> BOOLEAN =
      new Format<>(
          "boolean",
          text ->
              switch (text.toLowerCase(Locale.ROOT)) {
                case "true" -> true;
                case "false" -> false;
                default -> throw new IllegalArgumentException("neither true nor false");
              });

  /** As Spark, or on. */
  static final Format<Encryption.Wish> ENCRYPTION =
      new Format<>(
          "auto or on",
          text ->
              switch (text.toLowerCase(Locale.ROOT)) {
                case "auto" -> Encryption.Wish.AUTO;
                case "on" -> Encryption.Wish.ON;
                default -> throw new IllegalArgumentException("neither auto nor on");
              });

  /**
   * A filter of classes, in the syntax of the JDK's property jdk.serialFilter, or nothing. The JDK
   * takes a blank for a letter of a class's name, so that a pattern with one rejects nothing.
   */
  static final Format<String> CLASSES =
      new Format<>(
          "filter",
          text -> {
            require(text.codePoints().noneMatch(Format::isBlank), "it must be without blanks");
            ObjectInputFilter unused = ObjectInputFilter.Config.createFilter(text);
            return text;
          });

  /** A port, or a range of ports. */
  static final Format<PortRange> PORTS = new Format<>("port", Format::ports);

  /** Text, of any kind. */
  static Format<String> text(String unit) {
    return new Format<>(unit, text -> text);
  }

  /** One of some words. */
  static Format<String> oneOf(String... words) {
    String all = String.join(" or ", words);
    return new Format<>(
        all,
        text -> {
          String word = text.toLowerCase(Locale.ROOT);
          require(List.of(words).contains(word), "none of " + all);
          return word;
        });
  }

  /** A whole number, not below a least one. */
  static Format<Integer> count(int least) {
    return new Format<>(
        "count",
        text -> {
          int count = number(text);
          require(count >= least, "it must be at least " + least);
          return count;
        });
  }

  /** A whole number of a range. */
  static Format<Integer> count(int least, int most) {
    return new Format<>(
        "count",
        text -> {
          int count = count(least).parser.parse(text);
          require(count <= most, "it must be at most " + most);
          return count;
        });
  }

  /** A whole number of a range, or nothing. */
  static Format<OptionalInt> countOrNothing(int least, int most) {
    return new Format<>(
        "count",
        text ->
            text.isEmpty()
                ? OptionalInt.empty()
                : OptionalInt.of(count(least, most).parser.parse(text)));
  }

  /** A positive number, or nothing. */
  static Format<OptionalDouble> positive(String unit) {
    return new Format<>(
        unit,
        text -> {
          if (text.isEmpty()) {
            return OptionalDouble.empty();
          }
          double number = decimal(text);
          require(number > 0 && !Double.isInfinite(number), "it must be positive");
          return OptionalDouble.of(number);
        });
  }

  /** Rules that choose an algorithm. */
  static Format<Rules> rules(Collective collective) {
    return new Format<>(
        "rules", text -> text.isEmpty() ? Rules.NONE : Rules.parse(collective, text));
  }

  private static boolean isBlank(int character) {
    return Character.isWhitespace(character) || Character.isSpaceChar(character);
  }

  private static Duration time(String text) {
    Duration time =
        text.toLowerCase(Locale.ROOT).endsWith("us") // of less than a millisecond Spark makes 0
            ? Duration.of(JavaUtils.timeStringAs(text, TimeUnit.MICROSECONDS), ChronoUnit.MICROS)
            : Duration.ofMillis(JavaUtils.timeStringAsMs(text));
    return time.compareTo(LONGEST) < 0 ? time : LONGEST;
  }

  private static PortRange ports(String text) {
    Matcher ends = PORT_OR_RANGE.matcher(text);
    require(ends.matches(), "no port or range of ports up to " + MOST_PORT);
    int first = number(ends.group(1));
    int last = ends.group(2) == null ? first : number(ends.group(2));
    require(last >= first && last <= MOST_PORT, "no port or range of ports up to " + MOST_PORT);
    return new PortRange(first, last);
  }

  private static int number(String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException e) {
      boolean large = text.matches("\\d+");
      throw new IllegalArgumentException(large ? "it is too large" : "no whole number", e);
    }
  }

  private static double decimal(String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("no number", e);
    }
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalArgumentException(otherwise);
    }
  }
}
