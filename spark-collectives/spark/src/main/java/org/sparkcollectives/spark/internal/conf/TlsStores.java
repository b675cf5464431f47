package org.sparkcollectives.spark.internal.conf;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.Collections;
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
 * The key store and the trust store that the operator has given to Spark's RPC, {@code
 * spark.ssl.rpc.*} or else {@code spark.ssl.*}. What a process shows is the first key of the key
 * store, and it trusts what the trust store trusts.
 *
 * @param context makes engines with both
 * @param certificate what they show
 */
public record TlsStores(SSLContext context, Certificate certificate) {
  private static final String RPC = "spark.ssl.rpc.";
  private static final String ALL = "spark.ssl.";

  /** How Spark hands passwords to executors, beside its configuration. */
  private static final String ENVIRONMENT = "_SPARK_SSL_RPC_";

  /**
   * Reads the stores of a process.
   *
   * @param conf Spark's configuration
   * @return the stores
   * @throws org.sparkcollectives.error.InvalidInputException if one is not given or not readable
   */
  public static TlsStores of(SparkConf conf) {
    String keyStore = required(conf, "keyStore");
    String trustStore = required(conf, "trustStore");
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
      trust.init(load(trustStore, trustType, trustPassword));
      SSLContext context = SSLContext.getInstance("TLSv1.3");
      context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
      return new TlsStores(context, own.getCertificate(own.aliases().nextElement()));
    } catch (IOException | GeneralSecurityException e) {
      throw ConfErrors.storesUnreadable(keyStore, trustStore, e);
    }
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
