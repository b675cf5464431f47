package org.sparkcollectives.spark.internal.rendezvous;

import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;
import org.apache.spark.SecurityManager;
import org.apache.spark.SparkEnv;
import org.sparkcollectives.internal.crypto.Hkdf;

/**
 * The secret by which the executors of an application know each other. Where Spark authenticates,
 * each executor derives it from Spark's own secret key, and only a salt travels; where Spark does
 * not, there is no secret that the driver's RPC could keep, and what travels is the secret.
 */
final class ApplicationSecret {
  /** The bytes of a salt, and of a secret. */
  static final int BYTES = 32;

  private static final String PURPOSE = "spark-collectives token ";

  private ApplicationSecret() {}

  /**
   * The secret of the application that this process belongs to.
   *
   * @param env the process's part of Spark
   * @param salt what the driver gives to all ranks
   * @return {@link #BYTES} bytes
   */
  static byte[] of(SparkEnv env, byte[] salt) {
    SecurityManager security = env.securityManager();
    return of(
        security.isAuthenticationEnabled(), security::getSecretKey, env.conf().getAppId(), salt);
  }

  /**
   * The secret of an application.
   *
   * @param authenticates whether Spark authenticates
   * @param key Spark's secret key; asked for only if it does
   * @param application the application's id
   * @param salt what the driver gives to all ranks
   * @return {@link #BYTES} bytes
   */
  static byte[] of(boolean authenticates, Supplier<String> key, String application, byte[] salt) {
    if (!authenticates) {
      return salt.clone();
    }
    byte[] extracted = Hkdf.extract(salt, key.get().getBytes(StandardCharsets.UTF_8));
    byte[] purpose = (PURPOSE + application).getBytes(StandardCharsets.UTF_8);
    return Hkdf.expand(extracted, purpose, BYTES);
  }
}
