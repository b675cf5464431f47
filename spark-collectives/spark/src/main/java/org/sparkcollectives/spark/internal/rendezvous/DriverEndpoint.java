package org.sparkcollectives.spark.internal.rendezvous;

import java.lang.ref.WeakReference;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.rpc.RpcAddress;
import org.apache.spark.rpc.RpcCallContext;
import org.apache.spark.rpc.RpcEnv;
import org.apache.spark.rpc.ThreadSafeRpcEndpoint;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerApplicationEnd;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.spark.internal.conf.Encryption;
import scala.PartialFunction;
import scala.runtime.AbstractPartialFunction;
import scala.runtime.BoxedUnit;

/**
 * The place at the driver where ranks find each other: an endpoint on Spark's own RPC, one per
 * application, set up at first use. It uses Spark's port, authentication and encryption.
 */
public final class DriverEndpoint implements ThreadSafeRpcEndpoint {
  /** The endpoint's name on the driver's RPC. */
  static final String NAME = "spark-collectives";

  /** How long Spark may take to tell that an executor is lost whose tasks have failed for that. */
  private static final Duration MOST_UNTOLD = Duration.ofSeconds(5);

  private static WeakReference<SparkContext> currentContext = new WeakReference<>(null);
  private static @Nullable DriverEndpoint current;

  private final SparkEnv env;
  private final SparkConf conf;
  private final HostRacks racks;
  private final Handout handout;
  private final byte[] salt = new byte[ApplicationSecret.BYTES];
  private final Map<String, Rendezvous> attempts = new ConcurrentHashMap<>();
  private final AtomicLong jobs = new AtomicLong();
  private final Losses losses = new Losses();

  /**
   * The class loader that the threads of Spark's RPC have from the thread which made the
   * application, null until the first of them has come here.
   */
  private volatile @Nullable ClassLoader loader;

  /** For deadlines, which nothing may hold up. */
  private final ScheduledExecutorService timer = scheduler("spark-collectives-deadlines");

  /** For what may take a while. */
  private final ScheduledExecutorService cleaner = scheduler("spark-collectives-cleaner");

  private DriverEndpoint(SparkEnv env, SparkConf conf, HostRacks racks, Handout handout) {
    this.env = env;
    this.conf = conf;
    this.racks = racks;
    this.handout = handout;
    new SecureRandom().nextBytes(salt);
  }

  /** One thread, there from the first use on. */
  private static ScheduledExecutorService scheduler(String name) {
    ScheduledThreadPoolExecutor executor =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread thread = new Thread(task, name);
              thread.setDaemon(true);
              return thread;
            },
            new ThreadPoolExecutor.DiscardPolicy()); // calls go on for a while after it has ended
    executor.setRemoveOnCancelPolicy(true);
    return executor;
  }

  /**
   * The endpoint of an application that runs.
   *
   * @param context the application
   * @return its endpoint, made now if there is none
   * @throws IllegalStateException if it has stopped: the endpoint there is may be the next one's
   */
  public static synchronized DriverEndpoint of(SparkContext context) {
    DriverEndpoint known = current;
    if (known != null && currentContext.get() == context) {
      return known;
    }
    if (context.isStopped()) {
      throw new IllegalStateException("SparkContext is stopped");
    }
    if (known != null) { // its application has ended, and Spark has not told of it
      known.end();
    }
    HostRacks racks = HostRacks.of(context.hadoopConfiguration());
    DriverEndpoint made =
        new DriverEndpoint(context.env(), context.getConf(), racks, new Broadcasts(context));
    made.rpcEnv().setupEndpoint(NAME, made);
    SparkListener listener =
        new SparkListener() {
          @Override
          public void onExecutorRemoved(SparkListenerExecutorRemoved removed) {
            made.losses.add(removed.reason());
          }

          @Override
          public void onApplicationEnd(SparkListenerApplicationEnd end) {
            made.end();
          }
        };
    context
        .listenerBus()
        .addToQueue(listener, NAME); // others' queues drop events that are too many
    current = made;
    currentContext = new WeakReference<>(context);
    if (context.isStopped()) { // the listener may have come too late
      made.end();
    }
    return made;
  }

  /**
   * What the application's classes are loaded with, which threads that it has not made may lack,
   * such as those of the common pool.
   *
   * @return the class loader, or null where none is known
   */
  public static synchronized @Nullable ClassLoader applicationLoader() {
    DriverEndpoint known = current;
    return known == null ? null : known.loader;
  }

  @Override
  public void onStart() {
    loader = Thread.currentThread().getContextClassLoader();
  }

  /**
   * A number that no other job of this application has.
   *
   * @return the number
   */
  public long nextJob() {
    return jobs.incrementAndGet();
  }

  /**
   * The racks of the application's hosts.
   *
   * @return what finds them
   */
  public HostRacks racks() {
    return racks;
  }

  /**
   * How many executors have gone since the endpoint was set up.
   *
   * @return the number, which only grows
   */
  public long executorsLost() {
    return losses.count();
  }

  /**
   * How many of these had no memory left.
   *
   * @return the number, which only grows
   */
  public long executorsOutOfMemory() {
    return losses.outOfMemory();
  }

  /**
   * Waits for a moment until more executors have gone: one that ends takes no tasks any more, and
   * counts as having slots until Spark tells that it is lost.
   *
   * @param known how many had gone when it was last seen to have slots
   * @param over whether nobody need wait any more
   */
  public void awaitLoss(long known, BooleanSupplier over) {
    losses.await(known, over, MOST_UNTOLD);
  }

  /**
   * Does something once a second until it is cancelled.
   *
   * @param action what is done
   * @return the way to cancel it
   */
  public ScheduledFuture<?> everySecond(Runnable action) {
    return timer.scheduleWithFixedDelay(action, 1, 1, TimeUnit.SECONDS);
  }

  /**
   * Does something once, later, that may take a while.
   *
   * @param seconds how much later
   * @param action what is done
   */
  public void later(long seconds, Runnable action) {
    var unused = cleaner.schedule(action, seconds, TimeUnit.SECONDS);
  }

  /**
   * Opens an attempt, before its tasks are submitted.
   *
   * @param attempt what its ranks know
   * @param size how many ranks are to arrive
   * @param admission who of them takes part
   * @return where its ranks meet
   */
  public Rendezvous open(Attempt attempt, int size, Admission admission) {
    Encryption encryption = Encryption.of(conf, attempt.conf());
    Replies replies = new Replies(salt, encryption, handout);
    Rendezvous rendezvous = new Rendezvous(attempt, size, admission, replies, racks, timer);
    attempts.put(key(attempt.job(), attempt.epoch()), rendezvous);
    return rendezvous;
  }

  /**
   * Ends an attempt.
   *
   * @param attempt the attempt
   */
  public void close(Attempt attempt) {
    Rendezvous rendezvous = attempts.remove(key(attempt.job(), attempt.epoch()));
    if (rendezvous != null) {
      rendezvous.close();
    }
  }

  private void end() {
    forget(this);
    timer.shutdownNow();
    cleaner.shutdownNow();
    attempts.values().forEach(Rendezvous::close);
    attempts.clear();
    ExecutorEndpoint.end(env);
  }

  /** Lets the memory of an application go that has ended. */
  private static synchronized void forget(DriverEndpoint ended) {
    if (current == ended) {
      current = null;
      currentContext.clear();
    }
  }

  @Override
  public RpcEnv rpcEnv() {
    return env.rpcEnv();
  }

  @Override
  public PartialFunction<Object, BoxedUnit> receiveAndReply(RpcCallContext context) {
    return taking(request -> answer(request, context));
  }

  @Override
  public PartialFunction<Object, BoxedUnit> receive() {
    return taking(
        request -> {
          Rendezvous rendezvous = attempts.get(key(request.job(), request.epoch()));
          if (rendezvous != null) {
            rendezvous.hear(request);
          }
        });
  }

  private static PartialFunction<Object, BoxedUnit> taking(Consumer<Wire.Request> action) {
    return new AbstractPartialFunction<>() {
      @Override
      public boolean isDefinedAt(Object message) {
        return message instanceof byte[];
      }

      @Override
      public BoxedUnit apply(Object message) {
        action.accept((Wire.Request) Wire.decode(message));
        return BoxedUnit.UNIT;
      }
    };
  }

  private void answer(Wire.Request request, RpcCallContext context) {
    Rendezvous rendezvous = attempts.get(key(request.job(), request.epoch()));
    if (rendezvous == null) {
      context.reply(Wire.encode(new Wire.Over()));
    } else {
      rendezvous.receive(request, context);
    }
  }

  @Override
  public void onDisconnected(RpcAddress address) {
    attempts.values().forEach(rendezvous -> rendezvous.disconnected(address));
  }

  /**
   * How many attempts are under way at the driver in this JVM; for tests.
   *
   * @return 0 where there is no driver
   */
  public static synchronized int openAttempts() {
    return current == null ? 0 : current.attempts.size();
  }

  private static String key(long job, int epoch) {
    return job + "." + epoch;
  }
}
