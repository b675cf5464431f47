package org.sparkcollectives.spark.internal.conf;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.algorithm.Algorithms;
import org.sparkcollectives.internal.transport.Roster;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.select.Rules;
import org.sparkcollectives.spark.internal.conf.Format.PortRange;

/**
 * The settings of the library. A setting exists by its declaration here: this makes its key known,
 * and its value is read and checked with all others when an operation begins. {@code
 * docs/settings.md} lists them in the order of declaration.
 */
public final class Settings {
  /** What the names of all settings begin with. */
  static final String PREFIX = "spark.collectives.";

  /** What the names of the settings of {@link #select} begin with. */
  static final String SELECT_PREFIX = PREFIX + "select.";

  /** What has been declared; stands before the first declaration. */
  private static final List<Setting<?>> DECLARED = new ArrayList<>();

  private static final Map<String, Setting<?>> BY_KEY = new ConcurrentSkipListMap<>();

  /** How long a rank waits for others. */
  public static final Setting<Duration> TIMEOUT =
      declare(
          "timeout",
          Format.TIME,
          "10min",
          "How long a rank waits for the other ranks in each operation, and for tasks that have not"
              + " begun. Where it waits for ranks that are alive and compute, it waits on.");

  /** How long a rank may compute what it brings. */
  public static final Setting<Duration> COMPUTE_TIMEOUT =
      declare(
          "compute.timeout",
          Format.TIME_OR_NONE,
          "0",
          "How long a rank may compute before it meets the others, and after"
              + " spark.collectives.timeout between two operations that others wait in. 0 is"
              + " without limit, as for any task of Spark. It is looked at after a second at the"
              + " earliest.");

  /** How often a job is submitted again. */
  public static final Setting<Integer> RETRIES =
      declare(
          "retries",
          Format.count(0),
          "2",
          "How often a job is submitted again after an executor or a connection was lost. Failures"
              + " of user code are not retried.");

  /** How long to wait for slots. */
  public static final Setting<Duration> SLOTS_TIMEOUT =
      declare(
          "slots.timeout",
          Format.TIME,
          "2min",
          "How long to wait for the first executor, and after a failure for slots without which the"
              + " job cannot be submitted again. At most ten seconds of it are waited for more"
              + " slots where some executor is there before the first attempt, and where enough are"
              + " left to go on with after a failure.");

  /** How long a job may wait while none of its tasks runs. */
  public static final Setting<Duration> START_TIMEOUT =
      declare(
          "start.timeout",
          Format.TIME,
          "10min",
          "How long a job may wait for its slots while none of its tasks runs, because other jobs"
              + " hold them. While another call of the library runs it is that one's turn, which"
              + " does not count. After five seconds, and then at growing intervals, a warning in"
              + " the driver's log says which.");

  static final Setting<PortRange> PORT =
      declare(
          "port",
          Format.PORTS,
          "0",
          "Port on which an executor listens for other executors: one number, or a range such as"
              + " 40000-40100, of which the first free port is taken. 0 is any free port.");

  static final Setting<String> BIND_ADDRESS =
      declare(
          "bindAddress",
          Format.text("host"),
          "",
          "Address that executors listen on. Empty is the one that Spark gives out for the executor"
              + " where it is one of this machine, else all. 0.0.0.0 is all.");

  static final Setting<String> ADVERTISED_HOST =
      declare(
          "advertisedHost",
          Format.text("host"),
          "",
          "Host name or address under which executors are reached. Empty is the name that Spark"
              + " itself gives out for the executor.");

  /** Whether connections between ranks are encrypted. */
  public static final Setting<Encryption.Wish> ENCRYPTION =
      declare(
          "encryption",
          Format.ENCRYPTION,
          "auto",
          "auto encrypts connections between ranks where Spark encrypts its own: records of"
              + " AES-GCM with spark.network.crypto.enabled or SASL encryption, TLS with"
              + " spark.ssl.rpc.enabled. on encrypts them in any case; without spark.authenticate"
              + " it helps against those alone who only listen.");

  /** Whether data may travel in clear although Spark's does not. */
  public static final Setting<Boolean> ALLOW_PLAINTEXT =
      declare(
          "allowPlaintext",
          Format.BOOLEAN,
          "false",
          "Whether vectors may travel unencrypted although Spark's own traffic is encrypted, and"
              + " lie in shared memory although Spark's files are. Not with"
              + " spark.collectives.encryption=on.");

  /** Which classes of objects are taken from other ranks. */
  public static final Setting<String> OBJECTS_FILTER =
      declare(
          "objects.filter",
          Format.CLASSES,
          "",
          "Which classes objects from other ranks may have where spark.serializer is Java's, in the"
              + " syntax of the JDK's jdk.serialFilter and without blanks, for example"
              + " `java.base/*;com.example.**;!*`. Empty is what the JVM's own filter allows. With"
              + " Kryo, spark.kryo.registrationRequired=true does this.");

  /** The largest vector. */
  public static final Setting<Long> MAX_BYTES =
      declare(
          "vector.maxBytes",
          Format.BYTES,
          "17179869176",
          "Largest vector of a collective on an RDD. A larger one is refused before anything is"
              + " sent. The default is what an array of doubles can hold.");

  /** What ranks may bring together to be combined at the rendezvous. */
  public static final Setting<Long> SMALL_BYTES =
      declare(
          "small.maxBytes",
          Format.BYTES,
          "64k",
          "Vectors of a reduction that are no larger than this together travel with the results of"
              + " tasks, or the messages in which ranks find each other, instead of over links"
              + " between ranks, which is faster for short ones: with eight ranks, vectors of up to"
              + " 8 KiB each. A named algorithm does not run then. 0 is none. Of no effect with"
              + " spark.collectives.reproducible.");

  /** How much the driver's replies may tell of the ranks. */
  public static final Setting<Long> MEMBERS_BYTES =
      declare(
          "members.maxBytes",
          Format.BYTES,
          "32m",
          "How many bytes the driver's replies to all executors may take that say where the ranks"
              + " of a call are. More are handed out as a broadcast variable of Spark, which"
              + " executors get from each other: tens of thousands of ranks have as many.");

  /** Whether the ranks of an executor combine what they bring in its memory. */
  public static final Setting<Boolean> COMBINE_IN_EXECUTORS =
      declare(
          "combineInExecutors",
          Format.BOOLEAN,
          "true",
          "Whether ranks of a reduction that live in one executor first combine their vectors in"
              + " its memory, so that one of them takes part for all, as if an executor were one"
              + " rank. Where the operator is not commutative, only where they are consecutive"
              + " ranks. Of no effect with spark.collectives.reproducible.");

  /** How many executors keep a result that is not on all of them. */
  public static final Setting<Integer> REPLICAS =
      declare(
          "result.replicas",
          Format.count(1, 39), // Spark's StorageLevel takes no more
          "2",
          "On how many executors a result that is not on all of them is kept: the parts of a"
              + " reduceScatter, an allToAll or a scatter, the prefixes of a scan, the results of a"
              + " collectively call, the result of an allreduce or allgather within one executor,"
              + " and that of an allreduce of small objects, which one rank combines. With 2 they"
              + " survive the loss of one executor.");

  static final Setting<Integer> SOCKET_BUFFER =
      declare(
          "socketBuffer",
          Format.BUFFER_BYTES,
          "0",
          "Size of the send and of the receive buffer of a connection, at least 64 KiB. 0 is the"
              + " system's choice.");

  /** How many connections two ranks have to each other. */
  public static final Setting<OptionalInt> CONNECTIONS =
      declare(
          "connectionsPerPeer",
          Format.countOrNothing(1, Roster.MOST_CONNECTIONS),
          "",
          "How many connections two ranks that share no memory have to each other, 1 to 64; what"
              + " they send goes over these in turns. For networks that give one connection a part"
              + " of a card's rate, as many as there are parts: public clouds often allow 5 or 10"
              + " Gbit/s for each. Empty is what `collectives calibrate` found, if it wrote the"
              + " profile, and else 1.");

  /** Whether executors of one host share memory. */
  public static final Setting<Boolean> SHARED_MEMORY =
      declare(
          "sharedMemory",
          Format.BOOLEAN,
          "true",
          "Whether executors of one host exchange vectors through memory that they share (files in"
              + " /dev/shm) instead of sockets; where there is none, sockets are used.");

  /** Whether an element's bits are to depend on neither the vector's length nor places. */
  public static final Setting<Boolean> REPRODUCIBLE =
      declare(
          "reproducible",
          Format.BOOLEAN,
          "false",
          "Whether reduce, allreduce, scan, exscan and reduce_scatter use one algorithm each and"
              + " blocks of one length whatever the vector's size, so that an element's bits depend"
              + " only on its operands, their number, the root and whether the operator is"
              + " commutative; sparse vectors are summed as dense ones. A rule or the argument of a"
              + " call that names an algorithm still decides before this, two-tree in the name of a"
              + " call does not.");

  /** Whether calls are shown in Spark's UI and told to its listeners. */
  public static final Setting<Boolean> UI =
      declare(
          "ui.enabled",
          Format.BOOLEAN,
          "true",
          "Whether calls are shown in a tab of Spark's UI, and told to Spark's listeners and its"
              + " event log, from which the History Server shows them.");

  /** How many calls the tab keeps. */
  public static final Setting<Integer> UI_RETAINED_CALLS =
      declare(
          "ui.retainedCalls",
          Format.count(1),
          "1000",
          "How many calls the tab of Spark's UI keeps; older ones are forgotten. Of no effect on"
              + " what is told to listeners and to the event log. The History Server goes by its"
              + " own setting.");

  /** Whether the plugin takes over work of MLlib. */
  public static final Setting<Boolean> MLLIB =
      declare(
          "mllib.enabled",
          Format.BOOLEAN,
          "true",
          "Whether the plugin, where there is one, takes over trainings and aggregations of MLlib."
              + " With false it changes no class. As a local property of a thread"
              + " (`SparkContext.setLocalProperty`), false leaves what this thread calls to"
              + " MLlib.");

  /** From which size on aggregations of unknown classes are taken over. */
  public static final Setting<Long> MLLIB_MIN_BYTES =
      declare(
          "mllib.minBytes",
          Format.BYTES,
          "64k",
          "Size of the zero value from which on the plugin takes over a `treeAggregate` that it"
              + " does not know from MLlib; its aggregates are combined as whole objects.");

  /** Where trainings keep states beyond the application. */
  public static final Setting<String> MLLIB_CHECKPOINT_PATH =
      declare(
          "mllib.checkpointPath",
          Format.text("path"),
          "",
          "Folder, in a file system of Hadoop that all executors reach, in which trainings by the"
              + " plugin and by the estimators keep their states: the application's nth training by"
              + " an optimiser of Breeze in `training-n`, by mini batches in `batches-n`, by"
              + " k-means in `clusters-n`, by Gaussian mixtures in `mixture-n`, by Word2Vec in"
              + " `words-n`. The same program, started again, goes on from there. As a local"
              + " property of a thread (`SparkContext.setLocalProperty`) it is for what this thread"
              + " trains. Empty keeps states in memory alone.");

  /** How often a training writes its state. */
  public static final Setting<Integer> MLLIB_CHECKPOINT_INTERVAL =
      declare(
          "mllib.checkpointInterval",
          Format.count(1),
          "10",
          "After how many iterations a training writes its state to"
              + " spark.collectives.mllib.checkpointPath.");

  /**
   * How the vectors of an optimiser lie on ranks: {@code auto}, {@code whole} or {@code divided}.
   */
  public static final Setting<String> MLLIB_VECTORS =
      declare(
          "mllib.vectors",
          Format.oneOf("auto", "whole", "divided"),
          "auto",
          "How the vectors of a training's optimiser lie on ranks: `whole`, each rank has them all;"
              + " `divided`, each rank has its part, which L-BFGS and OWL-QN can do; `auto`, as it"
              + " costs less, from 100,000 coefficients on. As a local property of a thread"
              + " (`SparkContext.setLocalProperty`) it is for what this thread trains.");

  static final Setting<String> PROFILE =
      declare(
          "cost.profile",
          Format.text("path"),
          "",
          "Cost profile of the cluster, for the choice of algorithms and block sizes: a file that"
              + " `collectives calibrate` wrote, in any file system of Hadoop. The driver reads it"
              + " once. Empty is the built-in profile.");

  static final Setting<OptionalDouble> ALPHA =
      declare(
          "cost.alpha",
          Format.positive("nanoseconds"),
          "",
          "Start-up time of a message between hosts, for the choice of algorithms and block sizes."
              + " Empty is that of the profile.");

  static final Setting<OptionalDouble> BETA =
      declare(
          "cost.beta",
          Format.positive("nanoseconds per byte"),
          "",
          "Time to send a byte between hosts, for the choice of algorithms and block sizes. Empty"
              + " is that of the profile.");

  /**
   * The settings that override the choice for a collective. They need all algorithms, which a task
   * may have no use for, so they are declared when they are first asked for, after all others.
   */
  private static final class Select {
    static final Map<Collective, Setting<Rules>> ALL = new EnumMap<>(Collective.class);

    static {
      for (Collective collective : Collective.values()) {
        if (Algorithms.of(collective).size() > 1) {
          ALL.put(
              collective,
              declare(
                  SELECT_PREFIX.substring(PREFIX.length()) + collective.slug(),
                  Format.rules(collective),
                  "",
                  "Algorithm of every "
                      + collective.slug()
                      + (collective == Collective.SCAN
                          ? " of a communicator (scans of an RDD are exscans between its ranks)"
                          : "")
                      + " that names none: a name, or rules such as"
                      + " `bytes<=4k: A; size>=16,bytes>1m: B; C`, of which the first that holds"
                      + " decides. Empty, or where none holds, it is the cheapest"
                      + (collective.reducing()
                          ? " (with spark.collectives.reproducible, one that is the same for every"
                              + " size)."
                          : ".")));
        }
      }
    }

    private Select() {}
  }

  private Settings() {}

  /** The settings that override the choice for a collective, for those that have a choice. */
  static Map<Collective, Setting<Rules>> select() {
    return Select.ALL;
  }

  /** All settings, in the order of declaration. */
  static List<Setting<?>> all() {
    Map<Collective, Setting<Rules>> unusedButDeclared = select();
    return List.copyOf(DECLARED);
  }

  /** The setting of a key that begins with {@link #PREFIX}. */
  static Setting<?> find(String key) {
    if (key.startsWith(SELECT_PREFIX)) {
      Map<Collective, Setting<Rules>> unusedButDeclared = select();
    }
    @Nullable Setting<?> known = BY_KEY.get(key);
    if (known == null) {
      Map<Collective, Setting<Rules>> unusedButDeclared = select();
      throw ConfErrors.unknownSetting(key, BY_KEY.keySet());
    }
    return known;
  }

  private static <T> Setting<T> declare(
      String name, Format<T> format, String defaultValue, String doc) {
    Setting<T> setting = new Setting<>(PREFIX + name, format, defaultValue, doc);
    if (BY_KEY.put(setting.key(), setting) != null) {
      throw new IllegalStateException(setting.key() + " is declared twice");
    }
    DECLARED.add(setting);
    return setting;
  }
}
