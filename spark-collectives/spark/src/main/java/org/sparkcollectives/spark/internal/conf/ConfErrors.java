package org.sparkcollectives.spark.internal.conf;

import java.util.Collection;
import java.util.List;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.internal.error.ErrorText;

/** The messages about settings. */
final class ConfErrors {
  private ConfErrors() {}

  /**
   * A key that is no setting.
   *
   * @param key the key
   * @param known all settings
   * @return the exception
   */
  static InvalidInputException unknownSetting(String key, Collection<String> known) {
    return new InvalidInputException(
        ErrorText.of(
            "unknown setting " + key,
            "the settings are " + String.join(", ", known),
            "correct the name"),
        null);
  }

  /**
   * A setting whose value cannot be read.
   *
   * @param key the setting
   * @param value its value
   * @param unit what a value is
   * @param defaultValue its default
   * @param original why it cannot be read
   * @return the exception
   */
  static InvalidInputException badSetting(
      String key, String value, String unit, String defaultValue, Throwable original) {
    String otherwise = defaultValue.isEmpty() ? "empty" : "at '" + defaultValue + "'";
    return new InvalidInputException(
        ErrorText.of(
            "the value '" + value + "' of " + key + " cannot be used",
            String.valueOf(original.getMessage()),
            "correct it (" + unit + "), or leave it " + otherwise),
        original);
  }

  /**
   * A setting whose rules cannot be read.
   *
   * @param key the setting
   * @param value its value
   * @param original which rule it is, and what is wrong with it
   * @return the exception
   */
  static InvalidInputException badRules(String key, String value, InvalidInputException original) {
    return InvalidInputException.of(
        "the value '" + value + "' of " + key + " cannot be used",
        ErrorText.reason(original),
        "correct this rule, or leave the setting empty",
        original);
  }

  /**
   * A store of TLS that is not given.
   *
   * @param key the setting that should name it
   * @return the exception
   */
  static InvalidInputException storeMissing(String key) {
    return InvalidInputException.of(
        "connections between ranks cannot be encrypted as Spark's RPC is",
        "spark.ssl.rpc.enabled is on, and " + key + " names no store; PEM files are not read",
        "give a key store and a trust store (spark.ssl.rpc.keyStore, spark.ssl.rpc.trustStore),"
            + " or let vectors travel unencrypted with spark.collectives.allowPlaintext=true");
  }

  /**
   * PEM files, which Spark's RPC takes even where there are stores.
   *
   * @param chain the setting that names the certificates
   * @param key the setting that names the key
   * @return the exception
   */
  static InvalidInputException pemFiles(String chain, String key) {
    return InvalidInputException.of(
        "connections between ranks cannot be encrypted as Spark's RPC is",
        chain + " and " + key + " (or those of spark.ssl) name PEM files, which are not read",
        "give a key store and a trust store in their place, or let vectors"
            + " travel unencrypted with spark.collectives.allowPlaintext=true");
  }

  /**
   * A certificate that may be shown by one side of a connection alone.
   *
   * @param keyStore the file of the key store
   * @param certificate whose it is
   * @return the exception
   */
  static InvalidInputException otherUse(String keyStore, String certificate) {
    return InvalidInputException.of(
        "connections between ranks cannot be encrypted as Spark's RPC is",
        "the certificate of "
            + certificate
            + " in "
            + keyStore
            + " is not for both clientAuth and serverAuth (its extended key usage), and ranks show"
            + " theirs at both ends",
        "give a certificate for both, or without an extended key usage, or let vectors travel"
            + " unencrypted with spark.collectives.allowPlaintext=true");
  }

  /**
   * A version of TLS that connections between ranks do not have.
   *
   * @param key the setting that asks for it
   * @param asked its value, or that which it inherits
   * @return the exception
   */
  static InvalidInputException otherProtocol(String key, String asked) {
    return InvalidInputException.of(
        "connections between ranks cannot be encrypted as Spark's RPC is",
        key + " (or spark.ssl.protocol) asks for " + asked + ", and ranks speak TLSv1.3 alone",
        "set "
            + key
            + "=TLSv1.3, or let vectors travel unencrypted with"
            + " spark.collectives.allowPlaintext=true");
  }

  /**
   * Cipher suites of which none belongs to TLS 1.3.
   *
   * @param key the setting that names them
   * @param asked its value, or that which it inherits
   * @param known those that would do
   * @return the exception
   */
  static InvalidInputException noCipherSuite(String key, String asked, List<String> known) {
    return InvalidInputException.of(
        "connections between ranks cannot be encrypted as Spark's RPC is",
        key + " (or spark.ssl.enabledAlgorithms) allows " + asked + ", none of which TLS 1.3 has",
        "name one of "
            + String.join(", ", known)
            + " as well, or let vectors travel unencrypted"
            + " with spark.collectives.allowPlaintext=true");
  }

  /**
   * A store of TLS that cannot be read.
   *
   * @param keyStore the file of the key store
   * @param trustStore the file of the trust store
   * @param original the original exception
   * @return the exception
   */
  static InvalidInputException storesUnreadable(
      String keyStore, String trustStore, Throwable original) {
    return InvalidInputException.of(
        "the key store " + keyStore + " or the trust store " + trustStore + " cannot be used",
        ErrorText.reason(original),
        "check the files on this host, and their types and passwords in spark.ssl.rpc.*",
        original);
  }
}
