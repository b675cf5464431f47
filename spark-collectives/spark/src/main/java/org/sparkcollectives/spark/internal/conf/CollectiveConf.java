package org.sparkcollectives.spark;

import java.io.Serial;
import java.io.Serializable;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.spark.SparkConf;
import org.apache.spark.deploy.SparkHadoopUtil;
import org.apache.spark.network.util.JavaUtils;
import org.sparkcollectives.cost.CostModel;
import org.sparkcollectives.cost.LevelCost;
import org.sparkcollectives.error.SparkErrors;
import org.sparkcollectives.internal.transport.tcp.EndpointOptions;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.select.Policy;
import org.sparkcollectives.select.Rules;
import scala.Tuple2;

/** The values of the library's settings in one application; see {@link Settings}. Immutable. */
public final class CollectiveConf implements Serializable {
  @Serial private static final long serialVersionUID = 1L;

  private static final Set<String> KNOWN =
      Settings.all().stream().map(Setting::key).collect(Collectors.toUnmodifiableSet());

  /** What was set, by key. */
  private final HashMap<String, String> values;

  /** The text of the cost profile, or empty. */
  private final String profile;

  private CollectiveConf(Map<String, String> values, String profile) {
    this.values = new HashMap<>(values);
    this.profile = profile;
  }

  /**
   * The settings of an application.
   *
   * @param conf Spark's configuration
   * @return the values, all checked
   * @throws org.sparkcollectives.error.InvalidInputException if a key that begins with {@link
   *     Settings#PREFIX} is unknown or a value cannot be read
   */
  public static CollectiveConf of(SparkConf conf) {
    HashMap<String, String> values = new HashMap<>();
    for (Tuple2<String, String> entry : conf.getAllWithPrefix(Settings.PREFIX)) {
      String key = Settings.PREFIX + entry._1();
      if (!KNOWN.contains(key)) {
        throw SparkErrors.unknownSetting(key, KNOWN.stream().sorted().toList());
      }
      values.put(key, entry._2());
    }
    String path = values.getOrDefault(Settings.PROFILE.key(), "").trim();
    String profile =
        path.isEmpty()
            ? ""
            : ProfileFiles.textOnce(path, SparkHadoopUtil.get().newConfiguration(conf));
    CollectiveConf read = new CollectiveConf(values, profile);
    read.checkAll();
    return read;
  }

  /**
   * How long a rank waits for others.
   *
   * @return a positive time
   */
  public Duration timeout() {
    return time(Settings.TIMEOUT);
  }

  /**
   * How often a job is submitted again.
   *
   * @return 0 or more
   */
  public int retries() {
    return count(Settings.RETRIES, 0);
  }

  /**
   * How long to wait for slots.
   *
   * @return a positive time
   */
  public Duration slotsTimeout() {
    return time(Settings.SLOTS_TIMEOUT);
  }

  /**
   * Whether data may travel in clear although Spark's does not.
   *
   * @return true when the user allowed it
   */
  public boolean allowPlaintext() {
    return parse(Settings.ALLOW_PLAINTEXT, CollectiveConf::bool);
  }

  /**
   * The largest vector.
   *
   * @return bytes
   */
  public long maxVectorBytes() {
    return parse(Settings.MAX_BYTES, JavaUtils::byteStringAsBytes);
  }

  /**
   * How many executors keep a result that is not on all of them.
   *
   * @return 1 or more
   */
  public int replicas() {
    return count(Settings.REPLICAS, 1);
  }

  /**
   * How algorithms and block sizes are chosen.
   *
   * @return the policy
   */
  public Policy policy() {
    boolean reproducible = parse(Settings.REPRODUCIBLE, CollectiveConf::bool);
    Policy policy = new Policy(model(), Map.of(), reproducible);
    for (Collective collective : Collective.values()) {
      String rules = values.getOrDefault(Settings.select(collective).key(), "");
      if (!rules.isBlank()) {
        policy = policy.withRules(collective, Rules.parse(collective, rules));
      }
    }
    return policy;
  }

  private CostModel model() {
    CostModel model =
        profile.isEmpty() ? CostModel.DEFAULT : CostProfile.read(profile, text(Settings.PROFILE));
    LevelCost network = model.network();
    double alpha = positiveOr(Settings.ALPHA, network.alphaNanos());
    double beta = positiveOr(Settings.BETA, network.betaNanosPerByte());
    return model.withNetwork(
        new LevelCost(alpha, beta, network.gapNanos() * Math.min(1, alpha / network.alphaNanos())));
  }

  /**
   * How an executor listens.
   *
   * @param host the executor's host name as Spark gives it out
   * @return the options
   */
  EndpointOptions endpoint(String host) {
    int[] ports = parse(Settings.PORT, CollectiveConf::ports);
    int buffer = (int) (long) parse(Settings.SOCKET_BUFFER, JavaUtils::byteStringAsBytes);
    String advertised = text(Settings.ADVERTISED_HOST);
    EndpointOptions.Builder options =
        EndpointOptions.builder()
            .hosts(text(Settings.BIND_ADDRESS), advertised.isEmpty() ? host : advertised)
            .ports(ports[0], ports[1])
            .socketBuffers(buffer, buffer);
    boolean shared = parse(Settings.SHARED_MEMORY, CollectiveConf::bool);
    return (shared ? options : options.sharedMemory("")).build();
  }

  private void checkAll() {
    timeout();
    retries();
    slotsTimeout();
    allowPlaintext();
    maxVectorBytes();
    replicas();
    policy();
    endpoint("localhost");
  }

  private String text(Setting setting) {
    return values.getOrDefault(setting.key(), setting.defaultValue()).trim();
  }

  private <T> T parse(Setting setting, Function<String, T> parser) {
    try {
      return parser.apply(text(setting));
    } catch (IllegalArgumentException e) {
      throw SparkErrors.badSetting(
          setting.key(), text(setting), setting.unit(), setting.defaultValue(), e);
    }
  }

  private Duration time(Setting setting) {
    return parse(
        setting,
        value -> {
          Duration duration = Duration.ofMillis(JavaUtils.timeStringAsMs(value));
          if (duration.isNegative() || duration.isZero()) {
            throw new IllegalArgumentException("a time must be positive");
          }
          return duration;
        });
  }

  private int count(Setting setting, int least) {
    return parse(
        setting,
        value -> {
          int count = Integer.parseInt(value);
          if (count < least) {
            throw new IllegalArgumentException("it must be at least " + least);
          }
          return count;
        });
  }

  private static boolean bool(String value) {
    return switch (value.toLowerCase(Locale.ROOT)) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new IllegalArgumentException("neither true nor false");
    };
  }

  private double positiveOr(Setting setting, double otherwise) {
    return text(setting).isEmpty() ? otherwise : parse(setting, CollectiveConf::positive);
  }

  private static double positive(String value) {
    double number = Double.parseDouble(value);
    if (!(number > 0) || Double.isInfinite(number)) {
      throw new IllegalArgumentException("it must be positive");
    }
    return number;
  }

  private static int[] ports(String value) {
    String[] ends = value.split("-", -1);
    int first = Integer.parseInt(ends[0].trim());
    int last = Integer.parseInt(ends[ends.length - 1].trim());
    if (ends.length > 2 || first < 0 || last < first || last > 65535) {
      throw new IllegalArgumentException("no port or range of ports");
    }
    return new int[] {first, last};
  }
}
