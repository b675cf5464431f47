package org.sparkcollectives.spark.internal.rendezvous;

/** For attempts whose members fit into replies. */
final class NoHandout implements Handout {
  @Override
  public Handed give(byte[] bytes) {
    throw new AssertionError(bytes.length + " bytes are handed out");
  }
}
