package org.sparkcollectives.ml;

import static java.util.stream.Collectors.toCollection;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The module's packages, who uses whom, and what users can name. */
class ArchitectureTest {
  private static final String ROOT = "org.sparkcollectives.ml";

  /** Each package, and those of the module that it uses; no two use each other. */
  private static final Map<String, Set<String>> USES =
      Map.ofEntries(
          Map.entry("", Set.of("internal.estimator", "internal.state", "internal.training")),
          Map.entry("internal.agent", Set.of()),
          Map.entry("internal.connect", Set.of("")),
          Map.entry("internal.bridge", Set.of()),
          Map.entry("internal.rows", Set.of()),
          Map.entry("internal.objective", Set.of("internal.bridge", "internal.rows")),
          Map.entry("internal.minimizer", Set.of("internal.bridge", "internal.objective")),
          Map.entry("internal.state", Set.of("internal.bridge", "internal.minimizer")),
          Map.entry(
              "internal.training",
              Set.of(
                  "internal.bridge",
                  "internal.minimizer",
                  "internal.objective",
                  "internal.rows",
                  "internal.state")),
          Map.entry(
              "internal.iteration",
              Set.of(
                  "internal.bridge",
                  "internal.objective",
                  "internal.rows",
                  "internal.state",
                  "internal.training")),
          Map.entry(
              "internal.estimator",
              Set.of(
                  "internal.bridge",
                  "internal.iteration",
                  "internal.objective",
                  "internal.rows",
                  "internal.training")),
          Map.entry(
              "internal.takeover",
              Set.of(
                  "internal.agent",
                  "internal.bridge",
                  "internal.estimator",
                  "internal.objective",
                  "internal.rows",
                  "internal.state",
                  "internal.training")));

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(location -> !location.contains("/test-classes/"))
          .withImportOption(location -> !location.contains("/bytebuddy/"))
          .importPackages(ROOT);

  @Test
  void packagesUseTheseOfTheModule() {
    Map<String, Set<String>> uses = new TreeMap<>();
    for (JavaClass type : CLASSES) {
      Set<String> used = uses.computeIfAbsent(room(type), room -> new TreeSet<>());
      type.getDirectDependenciesFromSelf().stream()
          .map(Dependency::getTargetClass)
          .filter(target -> target.getPackageName().startsWith(ROOT))
          .map(ArchitectureTest::room)
          .filter(room -> !room.equals(room(type)))
          .forEach(used::add);
    }
    assertEquals(USES, uses);
  }

  @Test
  void usersCanNameThese() {
    Set<String> names =
        CLASSES.stream()
            .filter(type -> type.isTopLevelClass() && shown(type))
            .map(JavaClass::getSimpleName)
            .collect(toCollection(TreeSet::new));
    assertEquals(
        new TreeSet<>(
            Set.of(
                "AFTSurvivalRegression",
                "ConnectBackend",
                "FMClassifier",
                "FMRegressor",
                "KMeans",
                "LinearRegression",
                "LinearSVC",
                "LogisticRegression",
                "Minimum",
                "Objective",
                "Trainer")),
        names);
  }

  @Test
  void whatUsersCanNameShowsNothingInternal() {
    Set<String> mentions = new TreeSet<>();
    for (JavaClass type : CLASSES) {
      if (shown(type)) {
        for (JavaMethod method : type.getMethods()) {
          if (visible(method)) {
            Stream.concat(
                    Stream.of(method.getRawReturnType()), method.getRawParameterTypes().stream())
                .filter(mentioned -> mentioned.getPackageName().contains("sparkcollectives"))
                .filter(mentioned -> mentioned.getPackageName().contains("internal"))
                .forEach(mentioned -> mentions.add(method.getFullName()));
          }
        }
      }
    }
    assertEquals(Set.of(), mentions);
  }

  private static boolean shown(JavaClass type) {
    return type.getPackageName().equals(ROOT) && type.getModifiers().contains(JavaModifier.PUBLIC);
  }

  private static boolean visible(JavaMember member) {
    return member.getModifiers().contains(JavaModifier.PUBLIC)
        || member.getModifiers().contains(JavaModifier.PROTECTED);
  }

  /** The name of a class's package below the module's. */
  private static String room(JavaClass type) {
    String name = type.getPackageName();
    return name.equals(ROOT) ? "" : name.substring(ROOT.length() + 1);
  }
}
