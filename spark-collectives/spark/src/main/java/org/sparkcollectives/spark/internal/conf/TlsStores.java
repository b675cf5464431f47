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
import org.apache.spark.SparkConf;
import org.jspecify.annotations.Nullable;

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
    char[] storePassword = password(conf, "keyStorePassword", "KEY_STORE_PASSWORD");
    char[] given = password(conf, "keyPassword", "KEY_PASSWORD");
    char[] keyPassword = given.length == 0 ? storePassword : given;
    String keyType = text(conf, "keyStoreType");
    String trustType = text(conf, "trustStoreType");
    char[] trustPassword = password(conf, "trustStorePassword", "TRUST_STORE_PASSWORD");
    try {
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
    return conf.get(RPC + name, conf.get(ALL + name, null));
  }

  private static char[] password(SparkConf conf, String name, String variable) {
    String handed = System.getenv(ENVIRONMENT + variable);
    String given = text(conf, name);
    String password = given == null ? handed : given;
    return password == null ? new char[0] : password.toCharArray();
  }
}
