package org.sparkcollectives.internal.shape;

/** Powers of two and logarithms to base two of rank counts. */
public final class Powers {
  private Powers() {}

  /**
   * The logarithm rounded up: the number of rounds in which a doubling set reaches {@code n}.
   *
   * @param n a number, at least 1
   * @return the smallest e with {@code 2^e >= n}
   */
  public static int ceilLog2(int n) {
    return Integer.SIZE - Integer.numberOfLeadingZeros(n - 1);
  }

  /**
   * The logarithm rounded down.
   *
   * @param n a number, at least 1
   * @return the largest e with {@code 2^e <= n}
   */
  public static int floorLog2(int n) {
    return Integer.SIZE - 1 - Integer.numberOfLeadingZeros(n);
  }

  /**
   * The longest chain of messages, each of which needs the one before, where in round s every rank
   * sends what it has over a distance of {@code 2^s} in a circle of n, and only what is missing in
   * the last: that can be there two rounds before.
   *
   * @param n the number of ranks, at least 1
   * @return ceil(log2 n), one less for n from {@code 2^e + 1} to {@code 1.5 · 2^e}
   */
  public static int doublingChain(int n) {
    return ceilLog2((int) ((2L * n + 2) / 3));
  }

  /**
   * Whether a number is a power of two.
   *
   * @param n a number, at least 1
   * @return true for 1, 2, 4, 8 …
   */
  public static boolean isPowerOfTwo(int n) {
    return (n & (n - 1)) == 0;
  }

  /**
   * How many numbers have a power of two in them.
   *
   * @param power the power of two
   * @param below one more than the largest of the numbers, which begin with 0; at least 1
   * @return how many have that bit
   */
  public static int numbersWith(int power, int below) {
    long period = 2L * power;
    return (int) (below / period * power + Math.max(0, below % period - power));
  }
}
