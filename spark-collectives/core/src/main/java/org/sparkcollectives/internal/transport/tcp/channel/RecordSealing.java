package org.sparkcollectives.internal.transport.tcp.channel;

import java.io.IOException;
import java.security.GeneralSecurityException;
import org.sparkcollectives.internal.crypto.KeyExchange;

/**
 * Records of AES-256-GCM, under keys that both ends agree upon by X25519 for each connection anew:
 * who learns the token later cannot read what was recorded before.
 */
public final class RecordSealing implements Sealing {
  private static final String FROM_DIALER = "records from the dialer";
  private static final String FROM_ACCEPTOR = "records from the acceptor";

  /** Makes a sealing. */
  public RecordSealing() {}

  @Override
  public int code() {
    return 1;
  }

  @Override
  public Share share() {
    return new Agreement(KeyExchange.begin());
  }

  private record Agreement(KeyExchange exchange) implements Share {
    @Override
    public byte[] told() {
      return exchange.told();
    }

    @Override
    public Channel seal(Channel plain, boolean dialed, byte[] heard, Secrets secrets)
        throws IOException {
      byte[] agreed;
      try {
        agreed = exchange.agree(heard);
      } catch (GeneralSecurityException e) {
        throw new IOException("the other side told a public key that none can have", e);
      }
      byte[] fromDialer = secrets.of(agreed, FROM_DIALER);
      byte[] fromAcceptor = secrets.of(agreed, FROM_ACCEPTOR);
      return dialed
          ? new RecordChannel(plain, fromDialer, fromAcceptor)
          : new RecordChannel(plain, fromAcceptor, fromDialer);
    }
  }
}
