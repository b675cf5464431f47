package org.sparkcollectives.spark.internal.rendezvous;

/**
 * A way from the driver to many executors, which pass bytes on to each other: the driver need not
 * send them to each.
 */
interface Handout {

  /**
   * Hands bytes out.
   *
   * @param bytes what executors are to get
   * @return what they get it by
   */
  Handed give(byte[] bytes);

  /** Bytes that are handed out. */
  interface Handed {

    /** What an executor gets them by, far shorter than the bytes. */
    byte[] reference();

    /** Nobody needs them any more. */
    void end();
  }
}
