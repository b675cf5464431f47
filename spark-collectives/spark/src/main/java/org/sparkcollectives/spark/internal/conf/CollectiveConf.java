package org.sparkcollectives.spark.internal.conf;

import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.SparkConf;
import org.apache.spark.deploy.SparkHadoopUtil;
import org.sparkcollectives.cost.CostModel;
import org.sparkcollectives.cost.LevelCost;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.internal.transport.EndpointOptions;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.select.Policy;
import org.sparkcollectives.select.Rules;
import scala.Option;
import scala.Tuple2;

/** The values of the library's settings in one application; see {@link Settings}. Immutable. */
public final class CollectiveConf {
  /** What a job takes beside what it sends, measured with eight executors on two processors. */
  private static final double JOB_NANOS = 50e6;

  private static final double MOST_BY_SPARK = 256 << 10;

  /** What was set, or what the profile says, by key. */
  private final Map<String, String> values;

  /** The text of the cost profile, or empty. */
  private final String profile;

  private CollectiveConf(Map<String, String> values, String profile) {
    this.values = values;
    this.profile = profile;
  }

  /**
   * The settings of an application.
   *
   * @param conf Spark's configuration
   * @return the values, all checked
   * @throws org.sparkcollectives.error.InvalidInputException if a key that begins with {@code
   *     spark.collectives.} is unknown or a value cannot be used
   */
  public static CollectiveConf of(SparkConf conf) {
    Map<String, String> values = new HashMap<>();
    for (Tuple2<String, String> entry : conf.getAllWithPrefix(Settings.PREFIX)) {
      values.put(Settings.find(Settings.PREFIX + entry._1()).key(), entry._2());
    }
    String path = Settings.PROFILE.read(values.get(Settings.PROFILE.key()));
    String profile =
        path.isEmpty()
            ? ""
            : ProfileFiles.textOnce(
                conf.get("spark.app.id", ""),
                path,
                () -> SparkHadoopUtil.get().newConfiguration(conf));
    CollectiveConf read = new CollectiveConf(values, profile);
    if (!profile.isEmpty() && read.get(Settings.CONNECTIONS).isEmpty()) { // not by every rank
      int connections = CostProfile.connections(profile, path);
      values.put(Settings.CONNECTIONS.key(), Integer.toString(connections));
    }
    for (String key : values.keySet()) {
      Object unusedButChecked = read.get(Settings.find(key));
    }
    Policy unusedPolicy = read.policy();
    EndpointOptions unusedOptions = read.endpoint("localhost", true);
    return read;
  }

  /**
   * What was set, for a task: strings alone, which a process reads without a look at any class.
   *
   * @return the words for {@link #decode}
   */
  public String[] encode() {
    List<String> words = new ArrayList<>(List.of(profile));
    values.forEach((key, value) -> words.addAll(List.of(key, value)));
    return words.toArray(new String[0]);
  }

  /**
   * The settings that a task was given.
   *
   * @param words what {@link #encode} has made
   * @return the values
   */
  public static CollectiveConf decode(String[] words) {
    Map<String, String> values = new HashMap<>();
    for (int i = 1; i < words.length; i += 2) {
      values.put(words[i], words[i + 1]);
    }
    return new CollectiveConf(values, words[0]);
  }

  /**
   * The value of a setting.
   *
   * @param setting the setting
   * @param <T> what its values are
   * @return what was set, or the default
   */
  public <T> T get(Setting<T> setting) {
    return setting.read(values.get(setting.key()));
  }

  /**
   * The value of a setting, without a look at the others: for what must not fail on their account.
   *
   * @param conf Spark's configuration
   * @param setting the setting
   * @param <T> what its values are
   * @return what was set, or the default where nothing was set or cannot be used
   */
  public static <T> T alone(SparkConf conf, Setting<T> setting) {
    try {
      Option<String> given = conf.getOption(setting.key());
      return setting.read(given.isDefined() ? given.get() : null);
    } catch (InvalidInputException e) { // the next call says so
      return setting.read(null);
    }
  }

  /**
   * How algorithms and block sizes are chosen.
   *
   * @return the policy
   */
  public Policy policy() {
    Policy policy = new Policy(model(), Map.of(), get(Settings.REPRODUCIBLE));
    if (!selects()) {
      return policy;
    }
    for (Map.Entry<Collective, Setting<Rules>> select : Settings.select().entrySet()) {
      Rules rules = get(select.getValue());
      if (!rules.equals(Rules.NONE)) {
        policy = policy.withRules(select.getKey(), rules);
      }
    }
    return policy;
  }

  /**
   * Up to which size Spark's own broadcast brings a value to executors at least as fast as a job
   * does. There each executor fetches a small value from the driver, which so sends it once for
   * each; in a job the driver sends it once, but the job itself takes its time.
   *
   * @param executors how many there are
   * @return the number of bytes, at most 256 KiB, as the network may be slower than the profile
   *     says; -1 where a setting names the algorithm of all broadcasts
   */
  public long bytesBroadcastBySpark(int executors) {
    if (policy().rules().containsKey(Collective.BROADCAST)) {
      return -1;
    }
    double nanosPerByte = model().network().betaNanosPerByte() * Math.max(1, executors - 1);
    return (long) Math.min(MOST_BY_SPARK, JOB_NANOS / nanosPerByte);
  }

  /** Whether rules are set, which it takes all algorithms to read. */
  private boolean selects() {
    return values.keySet().stream().anyMatch(key -> key.startsWith(Settings.SELECT_PREFIX));
  }

  private CostModel model() {
    CostModel model =
        profile.isEmpty() ? CostModel.DEFAULT : CostProfile.read(profile, get(Settings.PROFILE));
    LevelCost network = model.network();
    double alpha = get(Settings.ALPHA).orElse(network.alphaNanos());
    double beta = get(Settings.BETA).orElse(network.betaNanosPerByte());
    // In a product a gap that is all of α would lie a rounding error beside it.
    double part = network.gapNanos() / network.alphaNanos();
    double gap = part == 1 ? alpha : Math.min(alpha, Math.min(network.gapNanos(), part * alpha));
    return model.withNetwork(new LevelCost(alpha, beta, gap));
  }

  /**
   * How many connections two ranks have to each other that share no memory.
   *
   * @return what was set, or what the profile says
   */
  public int connections() {
    return get(Settings.CONNECTIONS).orElse(1);
  }

  /**
   * How an executor listens.
   *
   * @param host the executor's host name as Spark gives it out
   * @param memory whether memory that processes share may hold vectors
   * @return the options
   */
  public EndpointOptions endpoint(String host, boolean memory) {
    Format.PortRange ports = get(Settings.PORT);
    int buffer = get(Settings.SOCKET_BUFFER);
    String advertised = get(Settings.ADVERTISED_HOST);
    EndpointOptions.Builder options =
        EndpointOptions.builder()
            .hosts(bindAddress(host), advertised.isEmpty() ? host : advertised)
            .ports(ports.first(), ports.last())
            .socketBuffers(buffer, buffer);
    boolean shares = memory && get(Settings.SHARED_MEMORY);
    return (shares ? options : options.sharedMemory("")).build();
  }

  /** Where to listen: as Spark does, where its host is this machine and not a way to it. */
  private String bindAddress(String host) {
    String given = get(Settings.BIND_ADDRESS);
    if (!given.isEmpty()) {
      return given;
    }
    try {
      boolean bracketed = host.startsWith("[") && host.endsWith("]");
      InetAddress own =
          InetAddress.getByName(bracketed ? host.substring(1, host.length() - 1) : host);
      return NetworkInterface.getByInetAddress(own) == null ? "" : own.getHostAddress();
    } catch (IOException unknown) {
      return "";
    }
  }
}
