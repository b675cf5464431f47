package org.sparkcollectives.benchmarks.cluster;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.sparkcollectives.internal.text.Amount;

/** Rates of network cards, as the script reads them, and sizes of vectors. */
public final class Rates {
  /** Bytes of payload in a full Ethernet frame of 1514 bytes. */
  private static final double PAYLOAD = 1448.0 / 1514;

  /** The lowest and the highest rate that the script gives a card, in bits per second. */
  private static final double SLOWEST = 1e4;

  private static final double FASTEST = 1e11;

  private static final Pattern RATE = Pattern.compile("([0-9]+(?:\\.[0-9]+)?)(k|m|g)bit");

  /** A rank holds some of a vector's length in its heap of 1 GiB. */
  private static final long MOST = 1L << 27;

  private Rates() {}

  /**
   * The size of a text.
   *
   * @param text a multiple of 8; k, m and g are powers of 1024
   * @return bytes
   * @throws IllegalArgumentException if it is no size
   */
  static long bytes(String text) {
    long bytes = Amount.parse(text.strip()).orElse(0);
    if (bytes < Double.BYTES || bytes > MOST || bytes % Double.BYTES != 0) {
      throw new IllegalArgumentException(
          "'" + text + "' is no size: a multiple of 8 up to 128m, such as 8, 32k or 1m");
    }
    return bytes;
  }

  /**
   * Looks at the rate of an option.
   *
   * @param option the option's name
   * @param text what was given
   * @throws IllegalArgumentException if it is no rate
   */
  static void check(String option, String text) {
    try {
      bitsPerSecond(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(option + ": " + e.getMessage() + ".", e);
    }
  }

  /**
   * The rate of a text.
   *
   * @param text such as {@code 200mbit}, from 10kbit to 100gbit
   * @return bits per second
   * @throws IllegalArgumentException if it is no rate, or none that the script gives a card
   */
  public static double bitsPerSecond(String text) {
    Matcher matcher = RATE.matcher(text.toLowerCase(Locale.ROOT));
    if (!matcher.matches()) {
      throw new IllegalArgumentException("'" + text + "' is no rate, such as 200mbit");
    }
    double unit =
        switch (matcher.group(2)) {
          case "k" -> 1e3;
          case "m" -> 1e6;
          default -> 1e9;
        };
    double rate = Double.parseDouble(matcher.group(1)) * unit;
    if (rate < SLOWEST || rate > FASTEST) {
      throw new IllegalArgumentException("'" + text + "' is no rate from 10kbit to 100gbit");
    }
    return rate;
  }

  /**
   * What a network card carries beside the headers of full frames.
   *
   * @param bitsPerSecond the card's rate
   * @return bytes per second
   */
  public static double payloadPerSecond(double bitsPerSecond) {
    return bitsPerSecond / Byte.SIZE * PAYLOAD;
  }
}
