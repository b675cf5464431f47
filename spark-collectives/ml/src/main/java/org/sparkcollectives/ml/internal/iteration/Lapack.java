package org.sparkcollectives.ml.internal.iteration;

import dev.ludovic.netlib.lapack.LAPACK;

/**
 * The precision of doubles, as LAPACK knows it. Where LAPACK is the one written in Java, it finds
 * that out at its first use and keeps it in static fields, without a lock: of two threads that are
 * first at the same time one may spoil what the other finds, and eigenvalues have other bits as
 * long as the JVM runs. Tasks of one executor begin at the same time. A class is initialised by one
 * thread while others wait, so this one asks first.
 */
final class Lapack {
  private static final double PRECISION = LAPACK.getInstance().dlamch("E");

  private Lapack() {}

  /**
   * Makes sure that LAPACK knows it.
   *
   * @return the relative precision of a double that is rounded to nearest, 2⁻⁵³
   */
  static double precision() {
    return PRECISION;
  }
}
