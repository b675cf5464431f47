package org.sparkcollectives;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toCollection;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.InstanceofCheck;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/**
 * Which package may use which. The table is complete: what it does not list is forbidden, and so is
 * a package that it does not know. Package names are relative to {@code org.sparkcollectives}; the
 * empty name is that package itself.
 */
class ArchitectureTest {

  private static final String ROOT = "org.sparkcollectives";

  /**
   * A use that is in the table, outside the JDK. Every package may use the nullness annotations.
   */
  private static final String SPARK = "org.apache.spark.";

  private static final String SCALA = "scala.";
  private static final String JACKSON = "com.fasterxml.jackson.";
  private static final String JFR = "jdk.jfr.";
  private static final String XML = "javax.xml.stream.";
  private static final String PICOCLI = "picocli.";
  private static final String CODAHALE = "com.codahale.metrics.";
  private static final String SLF4J = "org.slf4j.";
  private static final String HADOOP = "org.apache.hadoop.";
  private static final String METRICS = "com.codahale.metrics.";
  private static final String BREEZE = "breeze.";

  /** Spark 3.5's servlet API and Spark 4's. */
  private static final String[] SERVLETS = {"javax.servlet.", "jakarta.servlet."};

  /** The only MLlib packages of Spark; {@code spark.internal.ml} alone may name them. */
  private static final List<String> MLLIB = List.of(SPARK + "ml.", SPARK + "mllib.");

  /** Spark SQL; {@code sql} and {@code spark.internal.sql} alone may name it. */
  private static final List<String> SPARK_SQL = List.of(SPARK + "sql.");

  /** What users of Spark implement: it lies below the rooms, and the entries above them. */
  private static final String IMPLEMENTED = "spark (implemented by users)";

  private static final Set<String> IMPLEMENTED_TYPES =
      Set.of(ROOT + ".spark.CollectiveFunction", ROOT + ".spark.VectorAdapter");

  /** Packages without sockets, threads, clocks and randomness: same input, same output. */
  private static final Set<String> PURE =
      Set.of("schedule", "internal.shape", "internal.algorithm", "internal.draw");

  private record Row(Set<String> packages, List<String> libraries) {}

  private static final Map<String, Row> MAY_USE = new TreeMap<>();

  static {
    allow("error", uses());
    allow("schedule", uses("error"));
    allow("verify", uses("schedule", "error"));
    allow("cost", uses("schedule"));
    allow("vector", uses("error"));
    allow("internal.vector", uses("vector", "error"));
    allow("transport", uses("error"));
    allow("internal.shape", uses());
    allow(
        "internal.algorithm", uses("schedule", "error", "internal.shape", "internal.algorithm.*"));
    allow(
        "internal.algorithm.pattern",
        uses("schedule", "error", "internal.shape", "internal.algorithm"));
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
          uses(
              "schedule",
              "error",
              "internal.shape",
              "internal.algorithm",
              "internal.algorithm.pattern"));
    }
    allow(
        "internal.conformance",
        uses("schedule", "verify", "internal.algorithm", "internal.shape", "error"));
    allow("internal.cost", uses("schedule", "cost", "internal.shape", "error"));
    allow("internal.draw", uses("schedule", "error"), XML);
    allow("internal.text", uses("error"));
    allow("select", uses("schedule", "cost", "internal.algorithm", "internal.text", "error"));
    allow(
        "internal.select",
        uses(
            "select",
            "schedule",
            "cost",
            "internal.algorithm",
            "internal.algorithm.pattern",
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
    allow("internal.engine", uses("schedule", "vector", "internal.vector", "transport", "error"));

    allow(
        "internal.calibrate",
        uses("", "schedule", "cost", "vector", "internal.algorithm", "internal.cost", "error"));

    String[] core = {
      "cost", "error", "schedule", "select", "transport", "vector", "verify", "internal.*"
    };
    allow("", uses(core));
    spark();
    allow("tools", uses("tools.internal.cli"));
    allow("tools.internal.json", uses("schedule", "error"), JACKSON);
    allow(
        "tools.internal.cli",
        uses(and(core, "", "spark", "spark.internal.*", "tools.internal.json")),
        PICOCLI);
  }

  /** The kinds of links, each a room that knows what they have in common and no other kind. */
  private static void links() {
    String common = "internal.transport";
    String ring = common + ".ring";
    String shared = common + ".shared";
    String tcp = common + ".tcp";
    allow(common, uses("transport", "internal.observe", "error"));
    allow(ring, uses("transport", common));
    allow(shared, uses("transport", common, ring));
    String crypto = "internal.crypto";
    allow(crypto, uses());
    allow(tcp + ".channel", uses(crypto));
    allow(tcp + ".handshake", uses(common, crypto, tcp + ".channel"));
    allow(tcp + ".lease", uses("transport", common, tcp + ".channel", tcp + ".handshake"));
    allow(
        tcp,
        uses("transport", common, tcp + ".channel", tcp + ".handshake", tcp + ".lease", "error"));
    allow(
        common + ".endpoint",
        uses("transport", "internal.observe", common, ring, shared, tcp, tcp + ".channel"));
  }

  /** The rooms behind the entries to Spark, each with those below it. */
  private static void spark() {
    String rooms = "spark.internal.";
    allow(IMPLEMENTED, uses(""));
    allow(rooms + "bridge", uses(), SCALA);
    allow(
        rooms + "conf",
        uses("cost", "error", "schedule", "select", "internal.algorithm", "internal.transport"),
        SPARK,
        SCALA,
        HADOOP,
        JACKSON);
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
        uses("error", "vector", "internal.vector", IMPLEMENTED, rooms + "input"),
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
    allow(
        rooms + "job",
        uses(
            "error",
            "schedule",
            "select",
            "vector",
            "internal.algorithm",
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
        uses("schedule", "select", "internal.observe", "internal.select", rooms + "rendezvous"),
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
        "spark",
        uses(
            "error",
            "schedule",
            "select",
            "vector",
            "internal.select",
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
    allow(rooms + "plugin", uses("error", rooms + "ui"), SPARK, SLF4J, METRICS);
    allow(
        rooms + "calibrate",
        uses(
            "",
            "cost",
            "error",
            "internal.calibrate",
            "spark",
            IMPLEMENTED,
            rooms + "bridge",
            rooms + "conf"),
        SPARK,
        SCALA);
    allow(rooms + "ml", uses(IMPLEMENTED, rooms + "input"), SPARK, SCALA, BREEZE);
    allow(rooms + "function", uses("", "vector", IMPLEMENTED, rooms + "bridge"), SPARK, SCALA);
    allow(
        "rdd", uses("", "spark", "schedule", rooms + "function", "vector", "error"), SPARK, SCALA);
    allow(rooms + "sql", uses("error"), SPARK, SCALA);
    allow("python", uses("spark", "schedule", "vector", "internal.vector", "error"), SPARK);
    allow("sql", uses("", "vector", "spark", IMPLEMENTED, "rdd", rooms + "sql"), SPARK, SCALA);
  }

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(location -> !location.contains("/test-classes/"))
          .withImportOption(location -> !location.contains("-tests.jar"))
          .importPackages(ROOT);

  @Test
  void everyPackageIsInTheTable() {
    assertFalse(CLASSES.isEmpty(), "no class was found to look at");
    Set<String> unknown =
        CLASSES.stream()
            .map(ArchitectureTest::packageOf)
            .filter(name -> !MAY_USE.containsKey(name))
            .collect(toCollection(TreeSet::new));
    assertEquals(Set.of(), unknown, "packages without a row in the table");
  }

  @Test
  void aPackageUsesOnlyWhatItsRowLists() {
    assertNone(
        dependencies(
            (from, to) ->
                inside(to)
                    && !packageOf(from).equals(packageOf(to))
                    && !allowed(packageOf(from), packageOf(to))));
  }

  @Test
  void aPackageUsesOnlyTheLibrariesItsRowLists() {
    assertNone(
        dependencies(
            (from, to) ->
                !inside(to)
                    && !isJdk(to)
                    && !startsWith(to, List.of("org.jspecify."))
                    && !startsWith(to, row(from).libraries())));
  }

  @Test
  void aSocketOfALinkIsNamedByThePlainChannelAlone() {
    String tcp = "internal.transport.tcp";
    String meeting = "internal.group"; // its ranks meet before they have links
    assertNone(
        dependencies(
            (from, to) ->
                startsWith(to, List.of("java.nio.channels.SocketChannel"))
                    && !from.getName().equals(ROOT + "." + tcp + ".channel.PlainChannel")
                    && !packageOf(from).equals(meeting)));
    assertNone(
        dependencies(
            (from, to) ->
                startsWith(to, List.of("java.nio.channels.ServerSocketChannel"))
                    && !(packageOf(from) + ".").startsWith(tcp + ".")
                    && !packageOf(from).equals(meeting)));
  }

  @Test
  void theEngineAsksLinksWhatTheyCanDoAndNotWhatTheyAre() {
    List<InstanceofCheck> checks =
        CLASSES.stream()
            .filter(c -> packageOf(c).equals("internal.engine"))
            .flatMap(c -> c.getInstanceofChecks().stream())
            .toList();
    assertFalse(checks.isEmpty(), "no test of a type was found to look at");
    assertNone(
        checks.stream()
            .filter(check -> check.getRawType().isAssignableTo(ROOT + ".transport.Link"))
            .map(Object::toString));
  }

  @Test
  void mllibIsNamedInMlAlone() {
    assertNone(
        dependencies(
            (from, to) -> startsWith(to, MLLIB) && !packageOf(from).equals("spark.internal.ml")));
  }

  @Test
  void sparkSqlIsNamedInSqlAlone() {
    Set<String> packages =
        CLASSES.stream()
            .filter(
                c ->
                    c.getDirectDependenciesFromSelf().stream()
                        .anyMatch(d -> startsWith(d.getTargetClass(), SPARK_SQL)))
            .map(ArchitectureTest::packageOf)
            .collect(toCollection(TreeSet::new));
    assertEquals(Set.of("sql", "spark.internal.sql"), packages);
  }

  @Test
  void onlyOneClassOfAPackageKnowsJackson() {
    Map<String, Set<String>> classes = new TreeMap<>();
    CLASSES.stream()
        .filter(
            c ->
                c.getDirectDependenciesFromSelf().stream()
                    .anyMatch(d -> startsWith(d.getTargetClass(), List.of(JACKSON))))
        .map(ArchitectureTest::outermost)
        .forEach(
            c -> classes.computeIfAbsent(packageOf(c), name -> new TreeSet<>()).add(c.getName()));
    assertEquals(
        Set.of("spark.internal.conf", "spark.internal.events", "tools.internal.json"),
        classes.keySet());
    classes.values().forEach(names -> assertEquals(1, names.size(), names::toString));
  }

  @Test
  void schedulesShapesAlgorithmsAndPicturesArePure() {
    Predicate<JavaClass> pure =
        c -> PURE.stream().anyMatch(room -> (packageOf(c) + ".").startsWith(room + "."));
    Stream<String> types =
        dependenciesOf(CLASSES.stream().filter(pure).toList(), (from, to) -> isImpure(to));
    Stream<String> calls =
        CLASSES.stream()
            .filter(pure)
            .flatMap(c -> c.getAccessesFromSelf().stream())
            .filter(ArchitectureTest::isImpureCall)
            .map(JavaAccess::getDescription);
    assertNone(Stream.concat(types, calls));
  }

  @Test
  void packagesHaveNoCycles() {
    // An algorithm's family and the registry that lists it are one slice.
    slices()
        .assignedFrom(
            new SliceAssignment() {
              @Override
              public SliceIdentifier getIdentifierOf(JavaClass type) {
                return !inside(type)
                    ? SliceIdentifier.ignore()
                    : SliceIdentifier.of(
                        packageOf(type).replaceFirst("^(internal\\.algorithm)\\..*", "$1"));
              }

              @Override
              public String getDescription() {
                return "packages, algorithms in one";
              }
            })
        .should()
        .beFreeOfCycles()
        .check(CLASSES);
  }

  private static boolean isImpure(JavaClass type) {
    return startsWith(
        type,
        List.of(
            "java.io.File",
            "java.io.RandomAccessFile",
            "java.lang.Process",
            "java.lang.Runtime",
            "java.lang.Thread",
            "java.lang.ref.",
            "java.net.",
            "java.nio.channels.",
            "java.nio.file.",
            "java.security.SecureRandom",
            "java.time.",
            "java.util.Date",
            "java.util.Calendar",
            "java.util.Random",
            "java.util.SplittableRandom",
            "java.util.Timer",
            "java.util.UUID",
            "java.util.concurrent.",
            "java.util.random.",
            "javax.net.",
            "jdk."));
  }

  private static boolean isImpureCall(JavaAccess<?> access) {
    String call = access.getTargetOwner().getName() + "." + access.getName();
    return Set.of(
            "java.lang.System.nanoTime",
            "java.lang.System.currentTimeMillis",
            "java.lang.System.getenv",
            "java.lang.System.getProperty",
            "java.lang.System.identityHashCode",
            "java.lang.Math.random",
            "java.lang.StrictMath.random",
            "java.util.Collections.shuffle")
        .contains(call);
  }

  private static Stream<String> dependencies(BiPredicate<JavaClass, JavaClass> forbidden) {
    return dependenciesOf(CLASSES, forbidden);
  }

  private static Stream<String> dependenciesOf(
      Iterable<JavaClass> classes, BiPredicate<JavaClass, JavaClass> forbidden) {
    return Stream.of(classes)
        .flatMap(all -> StreamSupport.stream(all.spliterator(), false))
        .flatMap(c -> c.getDirectDependenciesFromSelf().stream())
        .filter(d -> forbidden.test(d.getOriginClass(), d.getTargetClass().getBaseComponentType()))
        .map(Dependency::getDescription);
  }

  private static void assertNone(Stream<String> violations) {
    String found = violations.distinct().sorted().limit(50).collect(joining("\n"));
    assertEquals("", found, "forbidden uses");
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

  private static Row row(JavaClass type) {
    return MAY_USE.getOrDefault(packageOf(type), new Row(Set.of(), List.of()));
  }

  private static boolean allowed(String from, String to) {
    Row row = MAY_USE.get(from);
    return row != null
        && row.packages().stream()
            .anyMatch(
                listed ->
                    listed.endsWith(".*")
                        ? to.startsWith(listed.substring(0, listed.length() - 1))
                        : to.equals(listed));
  }

  /**
   * The name in the table. The façade's entry {@code implicits} stands in the root for short
   * imports, and what users of Spark implement beside what they call.
   */
  private static String packageOf(JavaClass type) {
    JavaClass outer = outermost(type);
    if (outer.getName().startsWith(ROOT + ".implicits")) {
      return "rdd";
    }
    if (IMPLEMENTED_TYPES.contains(outer.getName())) {
      return IMPLEMENTED;
    }
    return outer.getPackageName().equals(ROOT)
        ? ""
        : outer.getPackageName().substring(ROOT.length() + 1);
  }

  private static JavaClass outermost(JavaClass type) {
    JavaClass outer = type;
    while (outer.getEnclosingClass().isPresent()) {
      outer = outer.getEnclosingClass().get();
    }
    return outer;
  }

  private static boolean inside(JavaClass type) {
    return type.getPackageName().equals(ROOT) || type.getPackageName().startsWith(ROOT + ".");
  }

  private static boolean isJdk(JavaClass type) {
    return type.isPrimitive()
        || startsWith(
            type, List.of("java.", "javax.net.", "javax.crypto.", "javax.security.", "jdk.net."));
  }

  private static boolean startsWith(JavaClass type, Collection<String> prefixes) {
    String name = type.getBaseComponentType().getName();
    return prefixes.stream().anyMatch(name::startsWith);
  }
}
