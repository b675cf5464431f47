package org.sparkcollectives.spark.internal.conf;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.apache.hadoop.conf.Configuration;
import org.apache.spark.SparkConf;
import org.apache.spark.deploy.SparkHadoopUtil;
import org.jspecify.annotations.Nullable;
import scala.Option;
import scala.Tuple2;

/**
 * What the operator has given to Spark's RPC for TLS, {@code spark.ssl.rpc.*} or else {@code
 * spark.ssl.*}: a key store, a trust store, and which cipher suites may be used. What a process
 * shows is the first key of the key store, and it trusts what the trust store trusts.
 *
 * @param context makes engines with both stores
 * @param certificate what they show
 * @param suites the cipher suites of TLS 1.3 that they may use, at least one
 */
public record TlsStores(SSLContext context, Certificate certificate, List<String> suites) {
  /** The version that connections between ranks have. */
  private static final String VERSION = "TLSv1.3";

  /** How the JDK names TLS of any version. */
  private static final String ANY_VERSION = "TLS";

  /** In the name of every cipher suite of another version. */
  private static final String OLDER = "_WITH_";

  /** At the end of names in lists of cipher suites that are no suites. */
  private static final String SIGNAL = "_SCSV";

  /** Extended key usages: any, and those of the two sides of TLS. */
  private static final String ANY_USE = "2.5.29.37.0";

  private static final Set<String> BOTH_USES = Set.of("1.3.6.1.5.5.7.3.1", "1.3.6.1.5.5.7.3.2");

  private static final String RPC = "spark.ssl.rpc.";
  private static final String ALL = "spark.ssl.";

  /** How Spark hands passwords to executors, beside its configuration. */
  private static final String ENVIRONMENT = "_SPARK_SSL_RPC_";

  /**
   * Reads the stores of a process.
   *
   * @param conf Spark's configuration
   * @return the stores
   * @throws org.sparkcollectives.error.InvalidInputException if one is not given or not readable,
   *     the settings name PEM files or exclude TLS 1.3 or all of its cipher suites, or the
   *     certificate is not for both sides of a connection
   */
  public static TlsStores of(SparkConf conf) {
    checkPem(conf);
    String keyStore = required(conf, "keyStore");
    String trustStore = required(conf, "trustStore");
    checkProtocol(conf);
    String keyType = text(conf, "keyStoreType");
    String trustType = text(conf, "trustStoreType");
    Configuration hadoop = hadoop(conf);
    try {
      char[] storePassword = password(conf, hadoop, "keyStorePassword", "KEY_STORE_PASSWORD");
      char[] given = password(conf, hadoop, "keyPassword", "KEY_PASSWORD");
      char[] keyPassword = given.length == 0 ? storePassword : given;
      char[] trustPassword = password(conf, hadoop, "trustStorePassword", "TRUST_STORE_PASSWORD");
      KeyStore own = onlyKey(load(keyStore, keyType, storePassword), keyPassword);
      KeyManagerFactory keys =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(own, keyPassword);
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      KeyStore trusted = load(trustStore, trustType, trustPassword);
      trust.init(trusted);
      Certificate shown = own.getCertificate(own.aliases().nextElement());
      checkUse(shown, trusted, keyStore);
      SSLContext context = SSLContext.getInstance(VERSION);
      context.init(OnlyKey.of(keys), trust.getTrustManagers(), null);
      return new TlsStores(context, shown, suites(conf, context));
    } catch (IOException | GeneralSecurityException e) {
      throw ConfErrors.storesUnreadable(keyStore, trustStore, e);
    }
  }

  private static void checkPem(SparkConf conf) {
    if (text(conf, "certChain") != null && text(conf, "privateKey") != null) {
      throw ConfErrors.pemFiles(RPC + "certChain", RPC + "privateKey");
    }
  }

  /** Of a certificate that is trusted itself nobody asks what it is for. */
  private static void checkUse(Certificate shown, KeyStore trusted, String keyStore)
      throws GeneralSecurityException {
    if (!(shown instanceof X509Certificate certificate)
        || trusted.getCertificateAlias(shown) != null) {
      return;
    }
    List<String> uses = certificate.getExtendedKeyUsage();
    if (uses != null && !uses.contains(ANY_USE) && !uses.containsAll(BOTH_USES)) {
      throw ConfErrors.otherUse(keyStore, certificate.getSubjectX500Principal().getName());
    }
  }

  private static void checkProtocol(SparkConf conf) {
    String asked = text(conf, "protocol");
    if (asked != null && !asked.equals(VERSION) && !asked.equals(ANY_VERSION)) {
      throw ConfErrors.otherProtocol(RPC + "protocol", asked);
    }
  }

  /** Those that are asked for and to be had; where none is asked for, what the JDK takes. */
  private static List<String> suites(SparkConf conf, SSLContext context) {
    List<String> taken =
        suites(Stream.of(context.getDefaultSSLParameters().getCipherSuites())).toList();
    String asked = text(conf, "enabledAlgorithms");
    List<String> named =
        asked == null ? List.of() : Stream.of(asked.split(",", -1)).map(String::strip).toList();
    if (named.stream().allMatch(String::isEmpty)) {
      return taken;
    }
    List<String> known =
        suites(Stream.of(context.getSupportedSSLParameters().getCipherSuites())).toList();
    List<String> both = named.stream().filter(known::contains).distinct().toList();
    if (both.isEmpty()) {
      throw ConfErrors.noCipherSuite(RPC + "enabledAlgorithms", String.valueOf(asked), known);
    }
    return both;
  }

  /** Those of TLS 1.3. */
  private static Stream<String> suites(Stream<String> all) {
    return all.filter(
        name -> name.startsWith("TLS_") && !name.contains(OLDER) && !name.endsWith(SIGNAL));
  }

  /** A store of the first key alone, so that it is known what is shown. */
  private static KeyStore onlyKey(KeyStore all, char[] password)
      throws IOException, GeneralSecurityException {
    for (String alias : Collections.list(all.aliases())) {
      if (all.isKeyEntry(alias)) {
        KeyStore one = KeyStore.getInstance("PKCS12");
        one.load(null, null);
        one.setKeyEntry(
            alias, all.getKey(alias, password), password, all.getCertificateChain(alias));
        return one;
      }
    }
    throw new GeneralSecurityException("the key store holds no key");
  }

  private static KeyStore load(String path, @Nullable String type, char[] password)
      throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance(type == null ? KeyStore.getDefaultType() : type);
    try (InputStream in = Files.newInputStream(Path.of(path))) {
      store.load(in, password.length == 0 ? null : password);
    }
    return store;
  }

  private static String required(SparkConf conf, String name) {
    String value = text(conf, name);
    if (value == null || value.isBlank()) {
      throw ConfErrors.storeMissing(RPC + name);
    }
    return value;
  }

  private static @Nullable String text(SparkConf conf, String name) {
    String own = substituted(conf, RPC + name);
    return own == null ? substituted(conf, ALL + name) : own;
  }

  /** A setting, where what stands in <code>${}</code> is put in, as Spark does. */
  private static @Nullable String substituted(SparkConf conf, String key) {
    Option<String> value = conf.getWithSubstitution(key);
    return value.isDefined() ? value.get() : null;
  }

  /** Hadoop's settings, of which those of files are read once in a process. */
  private static Configuration hadoop(SparkConf conf) {
    Configuration hadoop = new Configuration(SparkHadoopUtil.get().conf());
    for (Tuple2<String, String> own : conf.getAllWithPrefix("spark.hadoop.")) {
      hadoop.set(own._1(), own._2());
    }
    return hadoop;
  }

  /** A password from where Spark takes it, in the same order; empty if there is none. */
  private static char[] password(SparkConf conf, Configuration hadoop, String name, String variable)
      throws IOException {
    char[] own = password(conf, hadoop, RPC + name);
    if (own != null) {
      return own;
    }
    String handed = System.getenv(ENVIRONMENT + variable);
    if (handed != null && !handed.isBlank()) {
      return handed.toCharArray();
    }
    char[] all = password(conf, hadoop, ALL + name);
    return all == null ? new char[0] : all;
  }

  /** A password from the settings, or from Hadoop's providers of credentials; or null. */
  private static char @Nullable [] password(SparkConf conf, Configuration hadoop, String key)
      throws IOException {
    String given = substituted(conf, key);
    return given == null ? hadoop.getPassword(key) : given.toCharArray();
  }
}
