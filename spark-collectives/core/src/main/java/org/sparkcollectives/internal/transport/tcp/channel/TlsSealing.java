package org.sparkcollectives.internal.transport.tcp.channel;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.Certificate;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;

/**
 * TLS 1.3 with certificates on both sides. The frames that prove the token name the digests of both
 * certificates: whoever has a certificate and no token, or a token and no certificate, gets no
 * connection, and neither does who stands between the two ends.
 */
public final class TlsSealing implements Sealing {
  private static final String[] PROTOCOLS = {"TLSv1.3"};

  private final SSLContext context;
  private final byte[] own;
  private final String[] suites;

  /**
   * Makes a sealing.
   *
   * @param context makes engines that show the certificate and trust those of the peers
   * @param certificate what they show
   * @param suites the cipher suites of TLS 1.3 that they may use, at least one
   */
  public TlsSealing(SSLContext context, Certificate certificate, List<String> suites) {
    this.context = context;
    this.suites = suites.toArray(String[]::new);
    this.own = digest(certificate);
  }

  /** SHA-256 of a certificate's encoding. */
  static byte[] digest(Certificate certificate) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded());
    } catch (GeneralSecurityException e) {
      throw new IllegalArgumentException("a certificate that has no encoding", e);
    }
  }

  @Override
  public int code() {
    return 2;
  }

  @Override
  public Share share() {
    return new End(context, own, suites);
  }

  @SuppressWarnings("ArrayRecordComponent") // is never compared
  private record End(SSLContext context, byte[] own, String[] suites) implements Share {
    @Override
    public byte[] told() {
      return own.clone();
    }

    @Override
    public Channel seal(Channel plain, boolean dialed, byte[] heard, Secrets secrets)
        throws IOException {
      SSLEngine engine = context.createSSLEngine();
      engine.setEnabledProtocols(PROTOCOLS);
      engine.setEnabledCipherSuites(suites);
      engine.setUseClientMode(dialed);
      engine.setNeedClientAuth(true);
      return new TlsChannel(plain, engine, heard.clone());
    }
  }
}
