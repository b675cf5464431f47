package org.sparkcollectives.internal.transport.endpoint;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.sparkcollectives.internal.transport.tcp.channel.Sealing;
import org.sparkcollectives.internal.transport.tcp.channel.TlsSealing;

/** Certificates, most of which sign themselves, made by the JDK's own tool. */
public final class Certificates {
  /** The password of all stores. */
  public static final String PASSWORD = "password";

  private static final List<String> SUITES = List.of("TLS_AES_256_GCM_SHA384");
  private static final String OTHER_SUITE = "TLS_AES_128_GCM_SHA256";
  private static final int TOOL_SECONDS = 60;
  private static final KeyStore OWN = store("own");
  private static final KeyStore STRANGER = store("stranger");

  private Certificates() {}

  /**
   * TLS among those who show and trust the same certificate.
   *
   * @return the sealing of each of them
   */
  public static Sealing sealing() {
    return new TlsSealing(context(OWN, OWN), certificate(OWN), SUITES);
  }

  /** TLS of who shows and trusts that certificate, and uses another cipher suite. */
  static Sealing sealingByAnotherSuite() {
    return new TlsSealing(context(OWN, OWN), certificate(OWN), List.of(OTHER_SUITE));
  }

  /** TLS of who shows, and trusts, another certificate. */
  static Sealing sealingOfAStranger() {
    return new TlsSealing(context(STRANGER, STRANGER), certificate(STRANGER), SUITES);
  }

  /** TLS of who shows another certificate, and trusts that of {@link #sealing}. */
  static Sealing sealingOfATrustingStranger() {
    return new TlsSealing(context(STRANGER, OWN), certificate(STRANGER), SUITES);
  }

  /** TLS of who shows a certificate that is trusted, and has told of another one. */
  static Sealing sealingThatNamesAnother() {
    return new TlsSealing(context(OWN, OWN), certificate(STRANGER), SUITES);
  }

  /**
   * Writes a store with a key and a certificate that signs itself.
   *
   * @param file where, in the format PKCS12
   * @param name the certificate's common name
   * @param options more of the tool's, such as extensions of the certificate
   * @throws IOException if the tool fails
   */
  public static void write(Path file, String name, String... options) throws IOException {
    List<String> command = new ArrayList<>(List.of(options));
    command.addAll(
        0,
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
            file.toString()));
    Process tool = new ProcessBuilder(command).inheritIO().start();
    try {
      if (!tool.waitFor(TOOL_SECONDS, TimeUnit.SECONDS) || tool.exitValue() != 0) {
        throw new IOException("keytool has failed, or takes too long");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while keytool runs", e);
    }
  }

  /**
   * Writes a store with a key whose certificate an authority has signed, and one that holds this
   * certificate and not the authority's.
   *
   * @param file where the key goes, in the format PKCS12
   * @param trusted where the certificate goes, in the same format
   * @param name the certificate's common name
   * @throws IOException if the tool fails, or the stores cannot be written
   * @throws GeneralSecurityException if the JDK has no such stores
   */
  public static void writeSigned(Path file, Path trusted, String name)
      throws IOException, GeneralSecurityException {
    write(file, "authority", "-ext", "bc:critical=ca:true");
    write(file, name, "-signer", "authority");
    KeyStore both = load(file);
    KeyStore one = KeyStore.getInstance("PKCS12");
    one.load(null, null);
    one.setCertificateEntry(name, both.getCertificate(name));
    save(one, trusted);
    both.deleteEntry("authority");
    save(both, file);
  }

  private static KeyStore load(Path file) throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      store.load(in, PASSWORD.toCharArray());
    }
    return store;
  }

  private static void save(KeyStore store, Path file) throws IOException, GeneralSecurityException {
    try (OutputStream out = Files.newOutputStream(file)) {
      store.store(out, PASSWORD.toCharArray());
    }
  }

  private static KeyStore store(String name) {
    try {
      Path file = Files.createTempDirectory("certificates").resolve(name + ".p12");
      write(file, name);
      KeyStore store = load(file);
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

  private static SSLContext context(KeyStore shown, KeyStore trusted) {
    try {
      KeyManagerFactory keys =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(shown, PASSWORD.toCharArray());
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(trusted);
      SSLContext context = SSLContext.getInstance("TLSv1.3");
      context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
      return context;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
