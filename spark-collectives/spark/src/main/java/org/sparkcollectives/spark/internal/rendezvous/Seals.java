package org.sparkcollectives.spark.internal.rendezvous;

import org.apache.spark.SparkConf;
import org.sparkcollectives.internal.transport.tcp.channel.RecordSealing;
import org.sparkcollectives.internal.transport.tcp.channel.Sealing;
import org.sparkcollectives.internal.transport.tcp.channel.TlsSealing;
import org.sparkcollectives.spark.internal.conf.Encryption;
import org.sparkcollectives.spark.internal.conf.TlsStores;

/** What seals the connections of an executor. */
final class Seals {
  private Seals() {}

  /**
   * The sealing of connections.
   *
   * @param encryption what the application asks for
   * @param conf Spark's configuration, which names certificates
   * @return the sealing
   */
  static Sealing of(Encryption encryption, SparkConf conf) {
    return switch (encryption) {
      case NONE -> Sealing.NONE;
      case RECORDS -> new RecordSealing();
      case TLS -> {
        TlsStores stores = TlsStores.of(conf);
        yield new TlsSealing(stores.context(), stores.certificate(), stores.suites());
      }
    };
  }
}
