package org.sparkcollectives.spark.internal.rendezvous;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.SparkEnv;
import org.apache.spark.rpc.RpcEndpointRef;
import org.apache.spark.util.RpcUtils;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.transport.EndpointStatistics;
import org.sparkcollectives.internal.transport.endpoint.Endpoint;
import org.sparkcollectives.spark.internal.conf.CollectiveConf;
import org.sparkcollectives.spark.internal.conf.Encryption;
import org.sparkcollectives.transport.Peer;
import org.sparkcollectives.transport.Roster;
import org.sparkcollectives.transport.Transport;

/**
 * What all ranks of one executor share: its listening socket with the pool of connections, and the
 * way to the driver's rendezvous. Made at first use.
 */
final class ExecutorEndpoint {
  private static @Nullable ExecutorEndpoint current;

  private final WeakReference<SparkEnv> env;
  private final Endpoint endpoint;
  private final RpcEndpointRef driver;
  private final String host;
  private final String executor;
  private final Encryption encryption;

  private ExecutorEndpoint(SparkEnv env, CollectiveConf conf) {
    this.env = new WeakReference<>(env);
    this.host = env.blockManager().blockManagerId().host();
    this.executor = env.executorId();
    this.encryption = Encryption.of(env.conf(), conf);
    boolean memory = Encryption.allowsSharedMemory(env.conf(), conf);
    this.endpoint = new Endpoint(conf.endpoint(host, memory), Seals.of(encryption, env.conf()));
    env.metricsSystem().registerSource(new EndpointMetrics(endpoint));
    this.driver = RpcUtils.makeDriverRef(DriverEndpoint.NAME, env.conf(), env.rpcEnv());
  }

  /** This executor's endpoint. */
  static synchronized ExecutorEndpoint of(SparkEnv env, CollectiveConf conf) {
    ExecutorEndpoint known = current;
    if (known != null && known.env.get() == env) {
      return known;
    }
    closeCurrent();
    ExecutorEndpoint made = new ExecutorEndpoint(env, conf);
    current = made;
    return made;
  }

  /** Ends this JVM's endpoint, if it has one. */
  static synchronized void closeCurrent() {
    ExecutorEndpoint known = current;
    current = null;
    if (known != null) {
      known.endpoint.close();
    }
  }

  /** What the connections of this JVM's executor have done; for tests and metrics. */
  static synchronized @Nullable EndpointStatistics statistics() {
    ExecutorEndpoint known = current;
    return known == null ? null : known.endpoint.statistics();
  }

  /** The driver's rendezvous. */
  RpcEndpointRef driver() {
    return driver;
  }

  /** How this executor is reached. */
  Wire.Member member() throws IOException {
    Peer peer = endpoint.peer(0, host, label());
    return new Wire.Member(peer.endpoint(), peer.host(), peer.port(), peer.node(), peer.label());
  }

  /** A task, for messages. */
  String describe(int rank) {
    return "rank " + rank + " on " + host + " (" + label() + ")";
  }

  /** Opens the links of a rank. */
  Transport join(long job, int epoch, Wire.Joined joined) throws IOException {
    if (joined.encryption() != encryption) {
      throw RendezvousErrors.encryptionDiffers(joined.encryption(), encryption);
    }
    byte[] secret = ApplicationSecret.of(spark(), joined.salt());
    List<Peer> peers =
        IntStream.range(0, joined.members().size())
            .mapToObj(
                rank -> {
                  Wire.Member member = joined.members().get(rank);
                  return new Peer(
                      rank,
                      member.endpoint(),
                      member.host(),
                      member.port(),
                      member.node(),
                      member.label());
                })
            .toList();
    return endpoint.join(new Roster(job, epoch, secret, peers), joined.rank());
  }

  private SparkEnv spark() {
    SparkEnv known = env.get();
    if (known == null) {
      throw RendezvousErrors.jobOver();
    }
    return known;
  }

  private String label() {
    return executor.equals("driver") ? "driver" : "executor " + executor;
  }
}
