package org.sparkcollectives.internal.transport.tcp.channel;

/** Nothing is sealed: the plain channel goes on. */
final class NoSealing implements Sealing, Sealing.Share {
  @Override
  public int code() {
    return 0;
  }

  @Override
  public Share share() {
    return this;
  }

  @Override
  public byte[] told() {
    return new byte[SHARE_BYTES];
  }

  @Override
  public Channel seal(Channel plain, boolean dialed, byte[] heard, Secrets secrets) {
    return plain;
  }
}
