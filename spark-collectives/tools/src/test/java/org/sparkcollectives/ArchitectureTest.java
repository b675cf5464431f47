package org.sparkcollectives;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.regex.Pattern.MULTILINE;
import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toCollection;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.sparkcollectives.PackageTable.JACKSON;
import static org.sparkcollectives.PackageTable.ROOT;
import static org.sparkcollectives.PackageTable.SPARK;
import static org.sparkcollectives.PackageTable.packageOf;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.InstanceofCheck;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/** What the classes of all packages use, held against {@link PackageTable} and a few more rules. */
class ArchitectureTest {

  /** The only MLlib packages of Spark; {@code spark.internal.ml} alone may name them. */
  private static final List<String> MLLIB = List.of(SPARK + "ml.", SPARK + "mllib.");

  /** Spark SQL; {@code sql} and {@code spark.internal.sql} alone may name it. */
  private static final List<String> SPARK_SQL = List.of(SPARK + "sql.");

  /** Packages without sockets, threads, clocks and randomness: same input, same output. */
  private static final Set<String> PURE =
      Set.of("schedule", "internal.shape", "internal.algorithm", "internal.draw");

  /** Packages that say what is chosen, on each rank for itself. */
  private static final Set<String> CHOOSING =
      Set.of(
          "cost",
          "select",
          "internal.algorithm",
          "internal.cost",
          "internal.select",
          "internal.shape");

  /** What messages say of the rules that the table has. */
  private static final String TABLE = "PackageTable, beside this test, lists who may use what";

  /** An import of a class of the project, of what is in it too. */
  private static final Pattern IMPORT =
      Pattern.compile(
          "^import (?:static )?(org\\.sparkcollectives\\.[a-z0-9.]*[A-Z]\\w*).*;", MULTILINE);

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(location -> !location.contains("/test-classes/"))
          .withImportOption(location -> !location.contains("-tests.jar"))
          .importPackages(ROOT);

  @Test
  void theTableHasARowForEveryPackage() {
    Set<String> packages =
        CLASSES.stream().map(PackageTable::packageOf).collect(toCollection(TreeSet::new));
    assertEquals(PackageTable.names(), packages, "the packages; " + TABLE);
  }

  @Test
  void aNameStandsForOneClass() {
    Map<String, Set<String>> named = new TreeMap<>();
    CLASSES.stream()
        .filter(type -> type.isTopLevelClass() && !type.getSimpleName().equals("package-info"))
        // Scala's objects are two classes; those that are imported from have lower-case names.
        .map(type -> type.getName().replaceFirst("\\$$", ""))
        .filter(name -> !name.matches(".*\\.[a-z]\\w*"))
        .forEach(
            name ->
                named
                    .computeIfAbsent(name.replaceFirst(".*\\.", ""), simple -> new TreeSet<>())
                    .add(name));
    named.values().removeIf(names -> names.size() == 1);
    assertEquals(Map.of(), named, "names of several classes");
  }

  @Test
  void aPackageUsesOnlyWhatItsRowLists() throws IOException {
    assertNone(
        uses().filter(use -> !PackageTable.allows(use.from(), use.to())).map(Use::description),
        TABLE);
  }

  @Test
  void aRowListsOnlyWhatItsPackageUses() throws IOException {
    Map<String, Set<String>> used = new TreeMap<>();
    uses().forEach(use -> used.computeIfAbsent(use.from(), from -> new TreeSet<>()).add(use.to()));
    assertNone(
        PackageTable.names().stream()
            .flatMap(
                from ->
                    PackageTable.listed(from).stream()
                        .filter(
                            listed ->
                                used.getOrDefault(from, Set.of()).stream()
                                    .noneMatch(to -> PackageTable.covers(listed, to)))
                        .map(listed -> "'" + from + "' does not use '" + listed + "'")),
        TABLE);
  }

  /** That one package uses another one, and where. */
  private record Use(String from, String to, String description) {
    static Use of(Dependency found) {
      return new Use(
          packageOf(found.getOriginClass()),
          packageOf(found.getTargetClass().getBaseComponentType()),
          found.getDescription());
    }
  }

  private static Stream<Use> uses() throws IOException {
    Stream<Use> classes =
        CLASSES.stream()
            .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
            .filter(found -> inside(found.getTargetClass().getBaseComponentType()))
            .map(Use::of);
    return Stream.concat(classes, imports().stream()).filter(use -> !use.from().equals(use.to()));
  }

  /** Classes do not tell where the constants come from that the compiler has copied into them. */
  private static List<Use> imports() throws IOException {
    List<Use> uses = new ArrayList<>();
    for (String module : List.of("core", "spark", "tools")) {
      Path sources = Path.of("..", module, "src", "main", "java");
      try (Stream<Path> files = Files.walk(sources)) {
        for (Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
          String name = sources.relativize(file).toString().replace('/', '.');
          String from = packageOf(name.replaceFirst("\\.java$", ""));
          Matcher found = IMPORT.matcher(Files.readString(file));
          while (found.find()) {
            uses.add(new Use(from, packageOf(found.group(1)), name + ": " + found.group()));
          }
        }
      }
    }
    assertFalse(uses.isEmpty(), "no import was found to look at");
    return uses;
  }

  @Test
  void aPackageUsesOnlyTheLibrariesItsRowLists() {
    assertNone(
        dependencies(
            (from, to) ->
                !inside(to)
                    && !isJdk(to)
                    && !startsWith(to, List.of("org.jspecify."))
                    && !startsWith(to, PackageTable.libraries(packageOf(from)))),
        TABLE);
  }

  /**
   * Links over TCP pass their seals; providers of other links have rooms and rules of their own.
   */
  @Test
  void aSocketOfALinkIsNamedByThePlainChannelAlone() {
    String tcp = "internal.transport.tcp";
    Set<String> others =
        CLASSES.stream()
            .filter(type -> type.isAssignableTo(ROOT + ".internal.transport.LinkProvider"))
            .filter(type -> !type.isInterface())
            .map(PackageTable::packageOf)
            .collect(toCollection(TreeSet::new));
    assertTrue(others.remove(tcp), "no provider of links over TCP was found to look at");
    others.add("internal.group"); // its ranks meet before they have links
    assertNone(
        dependencies(
            (from, to) ->
                startsWith(to, List.of("java.nio.channels.SocketChannel"))
                    && !from.getName().equals(ROOT + "." + tcp + ".channel.PlainChannel")
                    && !isBelow(from, others)));
    assertNone(
        dependencies(
            (from, to) ->
                startsWith(to, List.of("java.nio.channels.ServerSocketChannel"))
                    && !isBelow(from, Set.of(tcp))
                    && !isBelow(from, others)));
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
            .map(PackageTable::packageOf)
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
        .map(PackageTable::outermost)
        .forEach(
            c -> classes.computeIfAbsent(packageOf(c), name -> new TreeSet<>()).add(c.getName()));
    assertEquals(
        Set.of("spark.internal.conf", "spark.internal.events", "tools.internal.json"),
        classes.keySet());
    classes.values().forEach(names -> assertEquals(1, names.size(), names::toString));
  }

  @Test
  void schedulesShapesAlgorithmsAndPicturesArePure() {
    Predicate<JavaClass> pure = c -> isBelow(c, PURE);
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

  /** JVMs may round them differently, and ranks that choose must come to the same bits. */
  @Test
  void functionsThatJvmsRoundAsTheyLikeDecideNothing() {
    Set<String> functions = Set.of("log", "log10", "log1p", "exp", "expm1", "pow", "hypot", "cbrt");
    assertNone(
        CLASSES.stream()
            .filter(type -> CHOOSING.contains(packageOf(type)))
            .flatMap(type -> type.getMethodCallsFromSelf().stream())
            .filter(call -> call.getTargetOwner().isEquivalentTo(Math.class))
            .filter(call -> functions.contains(call.getName()))
            .map(JavaMethodCall::getDescription));
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
    assertNone(violations, "forbidden uses");
  }

  private static void assertNone(Stream<String> violations, String rule) {
    assertEquals("", violations.distinct().sorted().limit(50).collect(joining("\n")), rule);
  }

  /** Whether a class is in one of some packages, or deeper. */
  private static boolean isBelow(JavaClass type, Set<String> rooms) {
    return rooms.stream().anyMatch(room -> (packageOf(type) + ".").startsWith(room + "."));
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
