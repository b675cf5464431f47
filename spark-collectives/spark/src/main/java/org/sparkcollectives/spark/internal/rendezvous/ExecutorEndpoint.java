package org.sparkcollectives.spark.internal.rendezvous;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.apache.spark.SparkEnv;
import org.apache.spark.metrics.MetricsSystem;
import org.apache.spark.rpc.RpcEndpointRef;
import org.apache.spark.rpc.RpcTimeout;
import org.apache.spark.util.RpcUtils;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.transport.EndpointStatistics;
import org.sparkcollectives.internal.transport.Peer;
import org.sparkcollectives.internal.transport.RankTransport;
import org.sparkcollectives.internal.transport.Roster;
import org.sparkcollectives.internal.transport.endpoint.Endpoint;
import org.sparkcollectives.spark.internal.bridge.Scala;
import org.sparkcollectives.spark.internal.conf.CollectiveConf;
import org.sparkcollectives.spark.internal.conf.Encryption;
import org.sparkcollectives.spark.internal.conf.Settings;
import scala.concurrent.duration.FiniteDuration;
import scala.reflect.ClassTag$;

/**
 * What all ranks of one executor share: its listening socket with the pool of connections, and the
 * way to the driver's rendezvous. Made at first use; the socket, when a rank first needs links.
 */
final class ExecutorEndpoint {
  /** From here on the eldest members that were told are forgotten. */
  private static final int MOST_TOLD = 32;

  private static @Nullable ExecutorEndpoint current;

  /** What the application ran in that was the last to end in this JVM. */
  private static WeakReference<SparkEnv> ended = new WeakReference<>(null);

  private final WeakReference<SparkEnv> env;
  private final CollectiveConf conf;
  private final RpcEndpointRef driver;
  private final String host;
  private final String executor;
  private final Encryption encryption;
  private final LongAdder waitedNanos = new LongAdder();

  /** What ranks are told of now, or were told: by attempt. */
  private final Map<String, CompletableFuture<Members>> told = new LinkedHashMap<>();

  private @Nullable Members known;
  private @Nullable Endpoint endpoint;
  private boolean closed;

  private ExecutorEndpoint(SparkEnv env, CollectiveConf conf) {
    this.env = new WeakReference<>(env);
    this.host = env.blockManager().blockManagerId().host();
    this.executor = env.executorId();
    this.encryption = Encryption.of(env.conf(), conf);
    this.conf = conf;
    this.driver = RpcUtils.makeDriverRef(DriverEndpoint.NAME, env.conf(), env.rpcEnv());
  }

  /**
   * This executor's endpoint.
   *
   * @throws org.sparkcollectives.error.AbortedException if the application has ended: nobody would
   *     close what its last tasks open
   */
  static synchronized ExecutorEndpoint of(SparkEnv env, CollectiveConf conf) {
    if (ended.get() == env) {
      throw RendezvousErrors.jobOver();
    }
    ExecutorEndpoint known = current;
    if (known != null && known.env.get() == env) {
      return known;
    }
    closeCurrent();
    ExecutorEndpoint made = new ExecutorEndpoint(env, conf);
    current = made;
    return made;
  }

  /** An application ends, and with it this JVM's endpoint, if there is one. */
  static synchronized void end(SparkEnv env) {
    ended = new WeakReference<>(env);
    closeCurrent();
  }

  private static synchronized void closeCurrent() {
    ExecutorEndpoint known = current;
    current = null;
    if (known != null) {
      known.close();
    }
  }

  /** What the connections of this JVM's executor have done; for tests. */
  static synchronized @Nullable EndpointStatistics statistics() {
    ExecutorEndpoint known = current;
    Endpoint open = known == null ? null : known.opened();
    return open == null ? null : open.statistics();
  }

  /** Counts how long a rank has waited at a rendezvous for the last one. */
  void waited(long nanos) {
    waitedNanos.add(nanos);
  }

  /** Tells the driver something that needs no answer. */
  void tell(Wire.Request message) {
    driver.send(Wire.encode(message));
  }

  /**
   * Asks the driver's rendezvous. What the reply tells all ranks of this process is taken where it
   * arrives, so that others do not depend on the task that has asked.
   *
   * @param attempt the attempt that the request belongs to
   * @param request what is asked
   * @param seconds how long an answer is waited for
   */
  CompletableFuture<Wire.Reply> ask(Attempt attempt, Wire.Request request, long seconds) {
    RpcTimeout timeout =
        new RpcTimeout(
            FiniteDuration.apply(Math.max(1, seconds), TimeUnit.SECONDS), Settings.TIMEOUT.key());
    return Scala.asJava(
            driver.<Object>ask(
                Wire.encode(request), timeout, ClassTag$.MODULE$.apply(Object.class)))
        .thenApply(bytes -> heard(attempt, (Wire.Reply) Wire.decode(bytes)))
        .toCompletableFuture();
  }

  private Wire.Reply heard(Attempt attempt, Wire.Reply reply) {
    if (reply instanceof Wire.Joined joined) {
      heard(attempt, joined);
    }
    return reply;
  }

  /**
   * How this executor is reached.
   *
   * @param links whether it has to be reachable, or may be named without that
   */
  Wire.Member member(boolean links) throws IOException {
    if (!links && opened() == null) {
      return Wire.Member.silent(label(), host);
    }
    Endpoint used = endpoint();
    Peer peer = used.peer(0, host, label());
    requireOpen(used);
    return Wire.Member.of(peer);
  }

  private void close() {
    Endpoint open;
    synchronized (this) {
      closed = true;
      open = endpoint;
    }
    if (open != null) {
      open.close();
    }
  }

  /** Closes it again where it was closed meanwhile: its next use has then started it anew. */
  private void requireOpen(Endpoint used) {
    boolean over;
    synchronized (this) {
      over = closed;
    }
    if (over) {
      used.close();
      throw RendezvousErrors.jobOver();
    }
  }

  private synchronized @Nullable Endpoint opened() {
    return endpoint;
  }

  private synchronized Endpoint endpoint() {
    if (closed) {
      throw RendezvousErrors.jobOver();
    }
    Endpoint open = endpoint;
    if (open == null) {
      SparkEnv spark = spark();
      boolean memory = Encryption.allowsSharedMemory(spark.conf(), conf);
      open = new Endpoint(conf.endpoint(host, memory), Seals.of(encryption, spark.conf()));
      endpoint = open;
      MetricsSystem metrics = spark.metricsSystem();
      metrics.registerSource(new EndpointMetrics(open, waitedNanos::sum));
      open.operations().onFirst(total -> metrics.registerSource(new OperationMetrics(total)));
    }
    return open;
  }

  /** A task, for messages. */
  String describe(int rank) {
    return "rank " + rank + " on " + host + " (" + label() + ")";
  }

  /** The members that this process was told last, or null. */
  synchronized @Nullable Members known() {
    return known;
  }

  /** Takes what the driver tells one rank of this process for all its ranks; does not wait. */
  private void heard(Attempt attempt, Wire.Joined joined) {
    Wire.Told news = joined.told();
    if (news == null) {
      return;
    }
    CompletableFuture<Members> waited = told(attempt);
    if (news.handedOut()) {
      Thread thread =
          new Thread(
              () -> learn(waited, () -> Broadcasts.take(news.bytes())),
              "spark-collectives-members");
      thread.setDaemon(true);
      thread.start();
    } else {
      learn(waited, news::bytes);
    }
  }

  /** Where encoded members come from. */
  private interface Source {
    byte[] get() throws IOException;
  }

  private void learn(CompletableFuture<Members> waited, Source source) {
    try {
      Members members = Members.decode(source.get());
      synchronized (this) {
        known = members;
      }
      waited.complete(members);
    } catch (IOException | RuntimeException | Error e) { // whatever it is, ranks wait for it
      waited.completeExceptionally(e);
    }
  }

  /** The members of an attempt, once a rank of this process has heard of them in it. */
  synchronized CompletableFuture<Members> told(Attempt attempt) {
    var eldest = told.values().iterator();
    while (told.size() >= MOST_TOLD && eldest.hasNext()) {
      if (eldest.next().isDone()) {
        eldest.remove();
      }
    }
    return told.computeIfAbsent(
        attempt.job() + "." + attempt.epoch(), key -> new CompletableFuture<>());
  }

  /** Opens the links of a rank. */
  RankTransport join(Attempt attempt, Wire.Joined joined, Members members) throws IOException {
    if (joined.encryption() != encryption) {
      throw RendezvousErrors.encryptionDiffers(joined.encryption(), encryption);
    }
    byte[] secret = ApplicationSecret.of(spark(), joined.salt());
    int connections = attempt.conf().connections();
    Roster roster =
        new Roster(attempt.job(), attempt.epoch(), secret, members.peers(), connections);
    Endpoint used = endpoint();
    RankTransport links = used.join(roster, joined.rank());
    requireOpen(used);
    return links;
  }

  private SparkEnv spark() {
    SparkEnv known = env.get();
    if (known == null) {
      throw RendezvousErrors.jobOver();
    }
    return known;
  }

  private String label() {
    return label(executor);
  }

  /** How people call an executor. */
  static String label(String id) {
    return id.equals("driver") ? "driver" : "executor " + id;
  }
}
