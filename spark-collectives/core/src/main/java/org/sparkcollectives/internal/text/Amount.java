package org.sparkcollectives.internal.text;

import java.math.BigInteger;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.internal.error.ErrorText;

/** Numbers of bytes or ranks as people write them: 8, 256k, 8m, 1g, in powers of 1024. */
public final class Amount {
  private static final Pattern PATTERN = Pattern.compile("(\\d+)([kmg]?)");

  private Amount() {}

  /**
   * Whether a text is written as an amount.
   *
   * @param text the text
   * @return true if it is digits with k, m or g behind them or nothing
   */
  public static boolean matches(String text) {
    return PATTERN.matcher(text.toLowerCase(Locale.ROOT)).matches();
  }

  /**
   * The number that a text stands for.
   *
   * @param text the text, in capital or small letters
   * @return the number, or empty if the text is no amount or the number is above 2^63 - 1
   */
  public static OptionalLong parse(String text) {
    Matcher matcher = PATTERN.matcher(text.toLowerCase(Locale.ROOT));
    if (!matcher.matches()) {
      return OptionalLong.empty();
    }
    int shift = List.of("", "k", "m", "g").indexOf(matcher.group(2)) * 10;
    BigInteger number = new BigInteger(matcher.group(1)).shiftLeft(shift);
    return number.bitLength() < Long.SIZE
        ? OptionalLong.of(number.longValue())
        : OptionalLong.empty();
  }

  /**
   * The number of bytes that a text stands for.
   *
   * @param text the text, in capital or small letters, with white space around it or not
   * @return the number
   * @throws InvalidInputException if the text is no amount or the number is above 2^63 - 1
   */
  public static long bytes(String text) {
    return parse(text.strip()).orElseThrow(() -> badBytes(text));
  }

  private static InvalidInputException badBytes(String text) {
    return new InvalidInputException(
        ErrorText.of(
            "'" + text + "' is no number of bytes",
            matches(text.strip())
                ? "it is above 2^63 - 1"
                : "it is not a whole number with k, m or g behind it, or nothing",
            "write 8, 256k, 8m or 1g"),
        null);
  }
}
