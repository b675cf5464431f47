package org.sparkcollectives.internal.transport.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.sparkcollectives.internal.transport.tcp.channel.Sealing;
import org.sparkcollectives.internal.transport.tcp.channel.TlsSealing;

/** Two certificates that sign themselves, made once by the JDK's own tool. */
final class Certificates {
  private static final String PASSWORD = "password";
  private static final KeyStore OWN = store("own");
  private static final KeyStore STRANGER = store("stranger");

  private Certificates() {}

  /** TLS among those who show and trust the same certificate. */
  static Sealing sealing() {
    return new TlsSealing(context(OWN), certificate(OWN));
  }

  /** TLS of who shows, and trusts, another certificate. */
  static Sealing sealingOfAStranger() {
    return new TlsSealing(context(STRANGER), certificate(STRANGER));
  }

  /** TLS of who shows a certificate that is trusted, and has told of another one. */
  static Sealing sealingThatNamesAnother() {
    return new TlsSealing(context(OWN), certificate(STRANGER));
  }

  private static KeyStore store(String name) {
    try {
      Path file = Files.createTempDirectory("certificates").resolve(name + ".p12");
      List<String> command =
          List.of(
              Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
              "-genkeypair",
              "-keyalg",
              "EC",
              "-groupname",
              "secp256r1",
              "-dname",
              "CN=" + name,
              "-alias",
              name,
              "-storetype",
              "PKCS12",
              "-storepass",
              PASSWORD,
              "-keystore",
              file.toString());
      Process tool = new ProcessBuilder(command).inheritIO().start();
      assertTrue(tool.waitFor(60, TimeUnit.SECONDS), "keytool takes too long");
      assertEquals(0, tool.exitValue());
      KeyStore store = KeyStore.getInstance("PKCS12");
      try (InputStream in = Files.newInputStream(file)) {
        store.load(in, PASSWORD.toCharArray());
      }
      Files.delete(file);
      Files.delete(file.getParent());
      return store;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static Certificate certificate(KeyStore store) {
    try {
      return store.getCertificate(store.aliases().nextElement());
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static SSLContext context(KeyStore store) {
    try {
      KeyManagerFactory keys =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(store, PASSWORD.toCharArray());
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(store);
      SSLContext context = SSLContext.getInstance("TLSv1.3");
      context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
      return context;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
