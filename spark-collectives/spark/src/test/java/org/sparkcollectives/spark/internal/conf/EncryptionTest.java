package org.sparkcollectives.spark.internal.conf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.alias.CredentialProvider;
import org.apache.hadoop.security.alias.CredentialProviderFactory;
import org.apache.spark.SparkConf;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.internal.transport.EndpointOptions;
import org.sparkcollectives.internal.transport.Peer;
import org.sparkcollectives.internal.transport.Roster;
import org.sparkcollectives.internal.transport.endpoint.Certificates;
import org.sparkcollectives.internal.transport.endpoint.Endpoint;
import org.sparkcollectives.internal.transport.tcp.channel.Sealing;
import org.sparkcollectives.internal.transport.tcp.channel.TlsSealing;
import org.sparkcollectives.transport.Cancellation;
import org.sparkcollectives.transport.Deadline;
import org.sparkcollectives.transport.Transport;

/** Connections are encrypted where Spark's are, and shared memory is off where its files are. */
final class EncryptionTest {
  private static Encryption of(SparkConf conf) {
    return Encryption.of(conf, CollectiveConf.of(conf));
  }

  private static boolean sharesMemory(SparkConf conf) {
    return Encryption.allowsSharedMemory(conf, CollectiveConf.of(conf));
  }

  @ParameterizedTest
  @CsvSource({
    "spark.app.name, NONE",
    "spark.network.crypto.enabled, RECORDS",
    "spark.authenticate.enableSaslEncryption, RECORDS",
    "spark.ssl.rpc.enabled, TLS",
    "spark.io.encryption.enabled, NONE"
  })
  void followsSparkUnlessPlaintextIsAllowed(String key, Encryption expected) {
    SparkConf conf = new SparkConf(false).set(key, "true");
    assertEquals(expected, of(conf));
    conf.set("spark.collectives.allowPlaintext", "true");
    assertEquals(Encryption.NONE, of(conf));
    conf.set("spark.collectives.encryption", "on");
    assertEquals(expected == Encryption.TLS ? expected : Encryption.RECORDS, of(conf));
  }

  @Test
  void memoryIsNotSharedWhereDisksAreEncrypted() {
    SparkConf conf = new SparkConf(false);
    assertTrue(sharesMemory(conf));
    conf.set("spark.io.encryption.enabled", "true");
    assertFalse(sharesMemory(conf));
    CollectiveConf settings = CollectiveConf.of(conf);
    assertEquals("", settings.endpoint("localhost", false).sharedMemory());
    conf.set("spark.collectives.allowPlaintext", "true");
    assertTrue(sharesMemory(conf));
    conf.set("spark.collectives.encryption", "on");
    assertFalse(sharesMemory(conf));
  }

  @Test
  void listensWhereSparkDoesIfThatIsThisMachine() {
    CollectiveConf settings = CollectiveConf.of(new SparkConf(false));
    assertEquals("127.0.0.1", settings.endpoint("127.0.0.1", true).bindHost());
    assertEquals("", settings.endpoint("192.0.2.1", true).bindHost(), "an address elsewhere");
    assertEquals("", settings.endpoint("no-such-host.invalid", true).bindHost());
    SparkConf all = new SparkConf(false).set("spark.collectives.bindAddress", "0.0.0.0");
    assertEquals("0.0.0.0", CollectiveConf.of(all).endpoint("127.0.0.1", true).bindHost());
  }

  @Test
  void storesOfTlsAreReadAndWhatIsMissingIsNamed(@TempDir Path folder) throws Exception {
    Path store = folder.resolve("key.p12");
    Certificates.write(store, "executors");
    SparkConf conf =
        new SparkConf(false)
            .set("spark.ssl.keyStore", store.toString())
            .set("spark.ssl.keyStorePassword", "password")
            .set("spark.ssl.rpc.keyStoreType", "PKCS12");
    assertSays(conf, "spark.ssl.rpc.trustStore");
    conf.set("spark.ssl.rpc.trustStore", store.toString());
    conf.set("spark.ssl.trustStorePassword", "password").set("spark.ssl.trustStoreType", "PKCS12");
    X509Certificate shown = (X509Certificate) TlsStores.of(conf).certificate();
    assertEquals("CN=executors", shown.getSubjectX500Principal().getName());
    assertSays(conf.clone().set("spark.ssl.rpc.keyStorePassword", "wrong"), store.toString());
    SparkConf pem = conf.clone().set("spark.ssl.certChain", "chain.pem");
    assertEquals(TlsStores.of(conf).certificate(), TlsStores.of(pem).certificate());
    pem.set("spark.ssl.rpc.privateKey", "key.pem"); // which Spark's RPC prefers then
    assertSays(pem, "spark.ssl.rpc.certChain and spark.ssl.rpc.privateKey");
    Files.delete(store);
    assertSays(conf, store.toString());
    assertSays(new SparkConf(false), "PEM files are not read");
  }

  @ParameterizedTest
  @CsvSource({
    "serverAuth, false",
    "clientAuth, false",
    "'serverAuth,codeSigning', false",
    "'serverAuth,clientAuth', true",
    "anyExtendedKeyUsage, true"
  })
  void aCertificateIsForBothSidesOrTrustedItself(String uses, boolean both, @TempDir Path folder)
      throws Exception {
    Path store = folder.resolve("key.p12");
    Certificates.write(store, "executors", "-ext", "eku=" + uses);
    Path authority = folder.resolve("authority.p12");
    Certificates.write(authority, "authority");
    SparkConf conf =
        new SparkConf(false)
            .set("spark.ssl.keyStore", store.toString())
            .set("spark.ssl.keyStorePassword", "password")
            .set("spark.ssl.trustStore", store.toString())
            .set("spark.ssl.trustStorePassword", "password");
    X509Certificate shown = (X509Certificate) TlsStores.of(conf).certificate();
    assertEquals(uses.split(",", -1).length, shown.getExtendedKeyUsage().size());
    conf.set("spark.ssl.trustStore", authority.toString());
    if (both) {
      assertEquals(shown, TlsStores.of(conf).certificate());
    } else {
      assertSays(conf, "CN=executors in " + store);
      assertSays(conf, "not for both clientAuth and serverAuth");
    }
  }

  /** The acceptor asks for certificates by the authorities that it trusts, and trusts none. */
  @Test
  void aCertificateOfAnAuthorityMayBeTrustedByItself(@TempDir Path folder) throws Exception {
    Path store = folder.resolve("key.p12");
    Path trusted = folder.resolve("trusted.p12");
    Certificates.writeSigned(store, trusted, "executors");
    SparkConf conf =
        new SparkConf(false)
            .set("spark.ssl.keyStore", store.toString())
            .set("spark.ssl.keyStorePassword", "password")
            .set("spark.ssl.trustStore", trusted.toString())
            .set("spark.ssl.trustStorePassword", "password");
    X509Certificate shown = (X509Certificate) TlsStores.of(conf).certificate();
    assertEquals("CN=authority", shown.getIssuerX500Principal().getName());
    EndpointOptions options =
        EndpointOptions.builder().hosts("127.0.0.1", "").sharedMemory("").build();
    try (Endpoint one = new Endpoint(options, sealing(conf));
        Endpoint other = new Endpoint(options, sealing(conf))) {
      List<Peer> peers = List.of(one.peer(0, "node", ""), other.peer(1, "node", ""));
      Roster roster = new Roster(1, 0, new byte[32], peers);
      Transport lower = one.join(roster, 0);
      Transport higher = other.join(roster, 1);
      Deadline deadline = Deadline.after(Duration.ofSeconds(60));
      assertNotNull(lower.link(1, deadline, Cancellation.NONE));
      assertNotNull(higher.link(0, deadline, Cancellation.NONE));
      List.of(lower, higher).forEach(Transport::close);
    }
  }

  private static Sealing sealing(SparkConf conf) {
    TlsStores stores = TlsStores.of(conf);
    return new TlsSealing(stores.context(), stores.certificate(), stores.suites());
  }

  @Test
  void versionAndCipherSuitesAreThoseOfSparkOrRefused(@TempDir Path folder) throws Exception {
    Path store = folder.resolve("key.p12");
    Certificates.write(store, "executors");
    SparkConf conf =
        new SparkConf(false)
            .set("spark.ssl.keyStore", store.toString())
            .set("spark.ssl.keyStorePassword", "password")
            .set("spark.ssl.trustStore", store.toString())
            .set("spark.ssl.trustStorePassword", "password");
    assertTrue(TlsStores.of(conf).suites().contains("TLS_AES_128_GCM_SHA256"));
    conf.set("spark.ssl.enabledAlgorithms", "TLS_RSA_WITH_AES_128_CBC_SHA");
    assertSays(conf, "allows TLS_RSA_WITH_AES_128_CBC_SHA, none of which TLS 1.3 has");
    String signal = "TLS_EMPTY_RENEGOTIATION_INFO_SCSV"; // in lists of suites, and none
    assertFalse(message(conf).contains(signal), message(conf));
    conf.set("spark.ssl.enabledAlgorithms", signal);
    assertSays(conf, "allows " + signal + ", none of which TLS 1.3 has");
    conf.set("spark.ssl.rpc.enabledAlgorithms", "TLS_RSA_WITH_NULL_SHA, TLS_AES_256_GCM_SHA384");
    assertEquals(List.of("TLS_AES_256_GCM_SHA384"), TlsStores.of(conf).suites());
    conf.set("spark.ssl.protocol", "TLSv1.2");
    assertSays(conf, "asks for TLSv1.2");
    conf.set("spark.ssl.rpc.protocol", "TLSv1.3");
    assertEquals(1, TlsStores.of(conf).suites().size());
  }

  @Test
  void passwordsAreTakenFromWhereSparkTakesThem(@TempDir Path folder) throws Exception {
    Path store = folder.resolve("key.p12");
    Certificates.write(store, "executors");
    SparkConf conf =
        new SparkConf(false)
            .set("spark.folder", folder.toString())
            .set("spark.ssl.keyStoreType", "PKCS12")
            .set("spark.ssl.keyStore", "${spark.folder}/key.p12")
            .set("spark.ssl.keyStorePassword", "wrong")
            .set("spark.ssl.rpc.keyStorePassword", "pass${spark.word}")
            .set("spark.word", "word")
            .set("spark.ssl.trustStoreType", "PKCS12")
            .set("spark.ssl.trustStore", store.toString())
            .set("spark.ssl.trustStorePassword", "wrong");
    assertSays(conf, store.toString());
    String path = "localjceks://file" + folder.resolve("credentials.jceks");
    Configuration hadoop = new Configuration(false);
    hadoop.set(CredentialProviderFactory.CREDENTIAL_PROVIDER_PATH, path);
    CredentialProvider provider = CredentialProviderFactory.getProviders(hadoop).get(0);
    provider.createCredentialEntry("spark.ssl.rpc.trustStorePassword", "password".toCharArray());
    provider.flush();
    conf.set("spark.hadoop." + CredentialProviderFactory.CREDENTIAL_PROVIDER_PATH, path);
    X509Certificate shown = (X509Certificate) TlsStores.of(conf).certificate();
    assertEquals("CN=executors", shown.getSubjectX500Principal().getName());
  }

  private static void assertSays(SparkConf conf, String word) {
    assertTrue(message(conf).contains(word), message(conf));
  }

  private static String message(SparkConf conf) {
    InvalidInputException refused =
        assertThrows(InvalidInputException.class, () -> TlsStores.of(conf));
    return String.valueOf(refused.getMessage());
  }
}
