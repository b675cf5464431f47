package org.sparkcollectives.internal.transport.tcp.channel;

import java.io.IOException;

/**
 * What came through a seal is not what the other side has sealed, or one side does not accept how
 * the other shows who it is.
 */
public final class BrokenSeal extends IOException {
  private static final long serialVersionUID = 1L;

  /**
   * Makes the exception.
   *
   * @param problem what is wrong
   * @param cause what found it
   */
  BrokenSeal(String problem, Throwable cause) {
    super(problem, cause);
  }

  /**
   * Makes the exception.
   *
   * @param problem what is wrong
   */
  BrokenSeal(String problem) {
    super(problem);
  }
}
