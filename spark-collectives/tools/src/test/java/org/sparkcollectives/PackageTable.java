package org.sparkcollectives;

import com.tngtech.archunit.core.domain.JavaClass;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Which package may use which. The table is complete: what it does not list is forbidden, and so is
 * a package that it does not know. Package names are relative to {@code org.sparkcollectives}; the
 * empty name is that package itself.
 */
final class PackageTable {
  static final String ROOT = "org.sparkcollectives";

  /** What is outside the JDK. Every package may use the nullness annotations and {@link #TEXTS}. */
  static final String SPARK = "org.apache.spark.";

  private static final String SCALA = "scala.";
  static final String JACKSON = "com.fasterxml.jackson.";
  private static final String JFR = "jdk.jfr.";
  private static final String XML = "javax.xml.stream.";
  private static final String PICOCLI = "picocli.";
  private static final String CODAHALE = "com.codahale.metrics.";
  private static final String SLF4J = "org.slf4j.";
  private static final String HADOOP = "org.apache.hadoop.";
  private static final String BREEZE = "breeze.";

  /** The form that the messages of all exceptions have. */
  private static final String TEXTS = "internal.error";

  /** Spark 3.5's servlet API and Spark 4's. */
  private static final String[] SERVLETS = {"javax.servlet.", "jakarta.servlet."};

  /** What users of Spark implement: it lies below the rooms, and the entries above them. */
  private static final String IMPLEMENTED = "spark (implemented by users)";

  private static final Set<String> IMPLEMENTED_TYPES =
      Set.of(ROOT + ".spark.CollectiveFunction", ROOT + ".spark.VectorAdapter");

  private static final String SPARK_ROOMS = "spark.internal.";

  private record Row(Set<String> packages, List<String> libraries) {}

  private static final Row NOTHING = new Row(Set.of(), List.of());

  private static final Map<String, Row> MAY_USE = new TreeMap<>();

  static {
    allow(TEXTS, uses());
    allow("error", uses());
    allow("schedule", uses("error"));
    allow("verify", uses("schedule"));
    allow("cost", uses("schedule"));
    allow("vector", uses("error"));
    allow("internal.vector", uses("vector", "error"));
    allow("transport", uses());
    allow("internal.shape", uses());
    algorithms();
    allow(
        "internal.conformance", uses("schedule", "verify", "internal.algorithm", "internal.shape"));
    allow("internal.cost", uses("schedule", "cost", "internal.shape"));
    allow("internal.draw", uses("schedule", "internal.text", "error"), XML);
    allow("internal.text", uses("error"));
    allow("internal.cache", uses());
    allow("select", uses("schedule", "cost", "internal.algorithm", "internal.text", "error"));
    allow(
        "internal.select",
        uses(
            "select",
            "schedule",
            "cost",
            "internal.algorithm",
            "internal.algorithm.pattern",
            "internal.cache",
            "internal.shape",
            "internal.cost",
            "error"));
    links();
    allow(
        "internal.group",
        uses(
            "transport",
            "internal.transport",
            "internal.transport.endpoint",
            "internal.transport.tcp.channel",
            "error"));
    allow("internal.observe", uses("schedule"), JFR);
    allow(
        "internal.engine",
        uses(
            "schedule",
            "vector",
            "internal.cache",
            "internal.text",
            "internal.vector",
            "transport",
            "error"));

    allow(
        "internal.calibrate",
        uses(
            "",
            "schedule",
            "cost",
            "vector",
            "internal.algorithm",
            "internal.cost",
            "internal.text",
            "internal.transport",
            "error"));
    allow("", uses("cost", "error", "schedule", "select", "transport", "vector", "internal.*"));
    sparkRanks();
    sparkDriver();
    sparkEntries();
    allow("tools", uses("tools.internal.cli"));
    allow("tools.internal.json", uses("schedule"), JACKSON);
    allow(
        "tools.internal.cli",
        uses(
            "",
            "cost",
            "error",
            "schedule",
            "select",
            "verify",
            "internal.*",
            "spark.internal.*",
            "tools.internal.json"),
        PICOCLI);
  }

  /** The registry, what algorithms share, and a room for those of each kind. */
  private static void algorithms() {
    allow(
        "internal.algorithm", uses("schedule", "error", "internal.shape", "internal.algorithm.*"));
    allow("internal.algorithm.pattern", uses("schedule", "internal.shape", "internal.algorithm"));
    for (String family :
        List.of(
            "broadcast",
            "reduce",
            "allreduce",
            "scan",
            "reducescatter",
            "allgather",
            "alltoall",
            "rooted",
            "barrier")) {
      allow(
          "internal.algorithm." + family,
          uses("schedule", "internal.shape", "internal.algorithm", "internal.algorithm.pattern"));
    }
  }

  /** The kinds of links, each a room that knows what they have in common and no other kind. */
  private static void links() {
    String common = "internal.transport";
    String ring = common + ".ring";
    String shared = common + ".shared";
    String tcp = common + ".tcp";
    allow(common, uses("transport", "internal.observe", "error"));
    allow(ring, uses("transport", common));
    allow(shared, uses(common, ring));
    String crypto = "internal.crypto";
    allow(crypto, uses());
    allow(tcp + ".channel", uses(crypto));
    allow(tcp + ".handshake", uses(common, crypto, tcp + ".channel"));
    allow(tcp + ".lease", uses(common, "internal.cache", tcp + ".channel", tcp + ".handshake"));
    allow(tcp, uses("transport", common, tcp + ".channel", tcp + ".handshake", tcp + ".lease"));
    allow(
        common + ".endpoint",
        uses("internal.observe", common, ring, shared, tcp, tcp + ".channel"));
  }

  /** What ranks are made of, each room with those below it. */
  private static void sparkRanks() {
    String rooms = SPARK_ROOMS;
    allow(IMPLEMENTED, uses(""));
    allow(rooms + "bridge", uses(), SCALA);
    allow(
        rooms + "conf",
        uses("cost", "error", "schedule", "select", "internal.algorithm", "internal.transport"),
        SPARK,
        SCALA,
        HADOOP,
        JACKSON,
        SLF4J);
    allow(
        rooms + "rendezvous",
        uses(
            "",
            "error",
            "vector",
            "transport",
            "schedule",
            "internal.crypto",
            "internal.engine",
            "internal.observe",
            "internal.transport.endpoint",
            "internal.transport",
            "internal.transport.tcp.channel",
            rooms + "bridge",
            rooms + "conf"),
        SPARK,
        SCALA,
        HADOOP,
        CODAHALE,
        SLF4J);
    allow(
        rooms + "input",
        uses(
            "error",
            "vector",
            "internal.vector",
            IMPLEMENTED,
            rooms + "bridge",
            rooms + "rendezvous"),
        SPARK,
        SCALA,
        SLF4J);
    allow(
        rooms + "result",
        uses(
            "error",
            "vector",
            "internal.vector",
            IMPLEMENTED,
            rooms + "bridge",
            rooms + "rendezvous",
            rooms + "input"),
        SPARK,
        SCALA);
    allow(
        rooms + "body",
        uses(
            "",
            "error",
            "vector",
            "internal.vector",
            IMPLEMENTED,
            rooms + "conf",
            rooms + "rendezvous",
            rooms + "input",
            rooms + "result"),
        SPARK,
        SCALA);
  }

  /** What the driver does around them. */
  private static void sparkDriver() {
    String rooms = SPARK_ROOMS;
    allow(
        rooms + "job",
        uses(
            "error",
            "schedule",
            "select",
            "vector",
            "internal.algorithm",
            "internal.text",
            "internal.vector",
            rooms + "bridge",
            rooms + "conf",
            rooms + "rendezvous",
            rooms + "input",
            rooms + "result",
            rooms + "body",
            rooms + "events",
            rooms + "ui"),
        SPARK,
        SCALA,
        SLF4J);
    allow(
        rooms + "events",
        uses(
            "schedule",
            "select",
            "internal.cache",
            "internal.observe",
            "internal.select",
            "internal.text",
            rooms + "rendezvous"),
        SPARK,
        CODAHALE,
        JACKSON,
        SLF4J);
    allow(
        rooms + "ui",
        uses(
            "schedule",
            "error",
            "internal.algorithm",
            "internal.draw",
            rooms + "bridge",
            rooms + "conf",
            rooms + "events"),
        and(SERVLETS, SPARK, SCALA, SLF4J));
    allow(
        rooms + "plugin",
        uses("error", rooms + "conf", rooms + "ui"),
        SPARK,
        SCALA,
        SLF4J,
        CODAHALE);
    allow(
        rooms + "calibrate",
        uses(
            "",
            "cost",
            "error",
            "internal.calibrate",
            "spark",
            rooms + "bridge",
            rooms + "conf",
            rooms + "input",
            rooms + "job"),
        SPARK,
        SCALA);
  }

  /** What users call, and the rooms that these entries alone need. */
  private static void sparkEntries() {
    String rooms = SPARK_ROOMS;
    allow(
        "spark",
        uses(
            "error",
            "schedule",
            "select",
            "vector",
            "internal.select",
            "internal.text",
            "internal.vector",
            IMPLEMENTED,
            rooms + "conf",
            rooms + "rendezvous",
            rooms + "input",
            rooms + "result",
            rooms + "body",
            rooms + "job",
            rooms + "plugin"),
        SPARK,
        SCALA);
    allow(rooms + "ml", uses(rooms + "input"), SPARK, SCALA, BREEZE);
    allow(rooms + "function", uses("", "vector", IMPLEMENTED, rooms + "bridge"), SPARK, SCALA);
    allow(
        "rdd",
        uses(
            "",
            "spark",
            "schedule",
            rooms + "function",
            rooms + "input",
            rooms + "result",
            "vector"),
        SPARK,
        SCALA);
    allow(rooms + "sql", uses("error"), SPARK, SCALA);
    allow("python", uses("spark", "schedule", "vector", "internal.vector", "error"), SPARK);
    allow("sql", uses("", "vector", "spark", IMPLEMENTED, "rdd", rooms + "sql"), SPARK, SCALA);
  }

  private PackageTable() {}

  /** The packages that have a row. */
  static Set<String> names() {
    return MAY_USE.keySet();
  }

  /** What a package's row lists; {@code .*} at the end stands for all below. */
  static Set<String> listed(String name) {
    return MAY_USE.getOrDefault(name, NOTHING).packages();
  }

  /** The prefixes of the names of classes outside the JDK that a package may use. */
  static List<String> libraries(String name) {
    return MAY_USE.getOrDefault(name, NOTHING).libraries();
  }

  static boolean allows(String from, String to) {
    return to.equals(TEXTS) || listed(from).stream().anyMatch(listed -> covers(listed, to));
  }

  /** Whether what a row lists stands for a package. */
  static boolean covers(String listed, String name) {
    return listed.endsWith(".*")
        ? name.startsWith(listed.substring(0, listed.length() - 1))
        : name.equals(listed);
  }

  /**
   * The name in the table. The façade's entry {@code implicits} stands in the root for short
   * imports, and what users of Spark implement beside what they call.
   */
  static String packageOf(JavaClass type) {
    return packageOf(outermost(type).getName());
  }

  /** The same of the full name of a class that is in no other. */
  static String packageOf(String type) {
    if (type.startsWith(ROOT + ".implicits")) {
      return "rdd";
    }
    if (IMPLEMENTED_TYPES.contains(type)) {
      return IMPLEMENTED;
    }
    int end = type.lastIndexOf('.');
    return end <= ROOT.length() ? "" : type.substring(ROOT.length() + 1, end);
  }

  static JavaClass outermost(JavaClass type) {
    JavaClass outer = type;
    while (outer.getEnclosingClass().isPresent()) {
      outer = outer.getEnclosingClass().get();
    }
    return outer;
  }

  private static void allow(String name, Set<String> packages, String... libraries) {
    MAY_USE.put(name, new Row(packages, List.of(libraries)));
  }

  private static Set<String> uses(String... packages) {
    return Set.of(packages);
  }

  private static String[] and(String[] packages, String... more) {
    return Stream.concat(Arrays.stream(packages), Arrays.stream(more)).toArray(String[]::new);
  }
}
