package org.sparkcollectives.spark;

import java.util.ArrayList;
import java.util.List;
import org.sparkcollectives.internal.algorithm.Algorithms;
import org.sparkcollectives.schedule.Collective;

/** Every setting of the library; {@code docs/settings.md} is made from this list. */
public final class Settings {
  /** What the names of all settings begin with. */
  public static final String PREFIX = "spark.collectives.";

  static final Setting TIMEOUT =
      setting(
          "timeout",
          "time",
          "10min",
          "How long a rank waits for the other ranks: to arrive at the rendezvous, and in each"
              + " operation. Longer than the longest time that one rank may compute while others"
              + " wait.");
  static final Setting RETRIES =
      setting(
          "retries",
          "count",
          "2",
          "How often a job is submitted again after an executor or a connection was lost. Failures"
              + " of user code are not retried.");
  static final Setting SLOTS_TIMEOUT =
      setting(
          "slots.timeout",
          "time",
          "2min",
          "How long to wait for the first executor, and after a failure for the executors that take"
              + " the place of lost ones. When there are executors but too few slots, ten seconds of"
              + " this.");
  static final Setting PORT =
      setting(
          "port",
          "port",
          "0",
          "Port on which an executor listens for other executors: one number, or a range such as"
              + " 40000-40100, of which the first free port is taken. 0 is any free port.");
  static final Setting BIND_ADDRESS =
      setting(
          "bindAddress",
          "host",
          "",
          "Address that executors listen on. Empty is all addresses of the machine.");
  static final Setting ADVERTISED_HOST =
      setting(
          "advertisedHost",
          "host",
          "",
          "Host name or address under which executors are reached. Empty is the name that Spark"
              + " itself gives out for the executor.");
  static final Setting ALLOW_PLAINTEXT =
      setting(
          "allowPlaintext",
          "boolean",
          "false",
          "Whether vectors may travel unencrypted although Spark's own traffic is encrypted.");
  static final Setting MAX_BYTES =
      setting(
          "vector.maxBytes",
          "bytes",
          "17179869176",
          "Largest vector of a collective on an RDD. A larger one is refused before anything is"
              + " sent. The default is what an array of doubles can hold.");
  static final Setting REPLICAS =
      setting(
          "result.replicas",
          "count",
          "2",
          "On how many executors the prefixes of a scan, the results of a collectively call, and"
              + " the result of an allreduce within one executor are kept. With 2 they survive the"
              + " loss of one executor.");
  static final Setting SOCKET_BUFFER =
      setting(
          "socketBuffer",
          "bytes",
          "0",
          "Size of the send and of the receive buffer of a connection. 0 is the system's choice.");
  static final Setting SHARED_MEMORY =
      setting(
          "sharedMemory",
          "boolean",
          "true",
          "Whether executors of one host exchange vectors through memory that they share (files in"
              + " /dev/shm) instead of sockets; where there is none, sockets are used.");
  static final Setting PROFILE =
      setting(
          "cost.profile",
          "path",
          "",
          "Cost profile of the cluster, for the choice of algorithms and block sizes: a file that"
              + " `collectives calibrate` wrote, in any file system of Hadoop. The driver reads it"
              + " once. Empty is the built-in profile.");
  static final Setting REPRODUCIBLE =
      setting(
          "reproducible",
          "boolean",
          "false",
          "Whether reduce, allreduce, scan, exscan and reduce_scatter use one algorithm each and"
              + " blocks of one length whatever the vector's size, so that an element's bits depend"
              + " on its operands, their number and the root alone. A rule or a name in a call"
              + " still decides before this.");
  static final Setting ALPHA =
      setting(
          "cost.alpha",
          "nanoseconds",
          "",
          "Start-up time of a message between hosts, for the choice of algorithms and block sizes."
              + " Empty is that of the profile.");
  static final Setting BETA =
      setting(
          "cost.beta",
          "nanoseconds per byte",
          "",
          "Time to send a byte between hosts, for the choice of algorithms and block sizes. Empty is"
              + " that of the profile.");

  private Settings() {}

  /**
   * All settings.
   *
   * @return the settings, in the order in which documents list them
   */
  public static List<Setting> all() {
    List<Setting> all =
        new ArrayList<>(
            List.of(
                TIMEOUT,
                RETRIES,
                SLOTS_TIMEOUT,
                PORT,
                BIND_ADDRESS,
                ADVERTISED_HOST,
                ALLOW_PLAINTEXT,
                MAX_BYTES,
                REPLICAS,
                SOCKET_BUFFER,
                SHARED_MEMORY,
                REPRODUCIBLE,
                PROFILE,
                ALPHA,
                BETA));
    for (Collective collective : Collective.values()) {
      if (Algorithms.of(collective).size() > 1) {
        all.add(select(collective));
      }
    }
    return List.copyOf(all);
  }

  /** The setting that overrides the choice for a collective. */
  static Setting select(Collective collective) {
    return setting(
        "select." + collective.slug(),
        "rules",
        "",
        "Algorithm of every "
            + collective.slug()
            + " that names none: a name, or rules such as `bytes<=4k: A; size>=16,bytes>1m: B; C`,"
            + " of which the first that holds decides. Empty, or where none holds, it is the"
            + " cheapest.");
  }

  /**
   * The settings as a document.
   *
   * @return Markdown
   */
  public static String markdown() {
    StringBuilder text = new StringBuilder();
    text.append("# Settings\n\n");
    text.append("Set them like any of Spark's, for example with `spark-submit --conf KEY=VALUE`. ");
    text.append("A time without unit is in milliseconds, a size without unit in bytes.\n\n");
    text.append("| key | unit | default | meaning |\n|---|---|---|---|\n");
    for (Setting setting : all()) {
      String shown =
          setting.defaultValue().isEmpty() ? "empty" : "`" + setting.defaultValue() + "`";
      text.append("| `").append(setting.key()).append("` | ").append(setting.unit());
      text.append(" | ").append(shown).append(" | ").append(setting.doc()).append(" |\n");
    }
    return text.toString();
  }

  private static Setting setting(String name, String unit, String defaultValue, String doc) {
    return new Setting(PREFIX + name, unit, defaultValue, doc);
  }
}
