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
