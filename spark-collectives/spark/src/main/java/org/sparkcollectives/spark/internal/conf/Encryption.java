package org.sparkcollectives.spark.internal.conf;

import java.util.List;
import org.apache.spark.SparkConf;

/**
 * How an application's connections between ranks are sealed: as Spark's own, and more where the
 * library's setting asks for it. Driver and executors find it out from their own configurations and
 * compare it; nothing is negotiated.
 */
public enum Encryption {
  /** What ranks send can be read and changed on its way. */
  NONE("not encrypted"),
  /** Records of AES-GCM under keys that each connection agrees upon. */
  RECORDS("encrypted by AES-GCM"),
  /** TLS with the operator's certificates. */
  TLS("encrypted by TLS");

  private static final String TLS_KEY = "spark.ssl.rpc.enabled";
  private static final List<String> RECORDS_KEYS =
      List.of("spark.network.crypto.enabled", "spark.authenticate.enableSaslEncryption");
  private static final String DISK_KEY = "spark.io.encryption.enabled";

  private final String words;

  Encryption(String words) {
    this.words = words;
  }

  /**
   * What it does, for people.
   *
   * @return words such as {@code encrypted by TLS}
   */
  public String words() {
    return words;
  }

  /**
   * What a process's configuration asks for.
   *
   * @param conf Spark's configuration
   * @param settings the library's settings
   * @return what seals its connections
   */
  public static Encryption of(SparkConf conf, CollectiveConf settings) {
    if (plaintext(settings)) {
      return NONE;
    }
    if (conf.getBoolean(TLS_KEY, false)) {
      return TLS;
    }
    boolean records = RECORDS_KEYS.stream().anyMatch(key -> conf.getBoolean(key, false));
    return wished(settings) || records ? RECORDS : NONE;
  }

  private static boolean wished(CollectiveConf settings) {
    return settings.get(Settings.ENCRYPTION) == Wish.ON;
  }

  /** Whether nothing need be encrypted, whatever Spark does. */
  private static boolean plaintext(CollectiveConf settings) {
    return settings.get(Settings.ALLOW_PLAINTEXT) && !wished(settings);
  }

  /**
   * Whether memory that processes share may hold vectors: not where disks are encrypted, since the
   * system may write memory to a disk.
   *
   * @param conf Spark's configuration
   * @param settings the library's settings
   * @return whether it may
   */
  public static boolean allowsSharedMemory(SparkConf conf, CollectiveConf settings) {
    return !conf.getBoolean(DISK_KEY, false) || plaintext(settings);
  }

  /** What the library's own setting says. */
  enum Wish {
    /** As Spark. */
    AUTO,
    /** Encrypted, whatever Spark does. */
    ON
  }
}
