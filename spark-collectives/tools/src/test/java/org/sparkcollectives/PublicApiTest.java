package org.sparkcollectives;

import static com.tngtech.archunit.core.domain.JavaModifier.PROTECTED;
import static com.tngtech.archunit.core.domain.JavaModifier.PUBLIC;
import static java.util.stream.Collectors.joining;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaType;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What users can name of core, spark and tools: public types outside of packages called {@code
 * internal}. They are few, and what they show of themselves mentions no internal type. Those of
 * module ml are listed in its own tests.
 */
class PublicApiTest {
  private static final String ROOT = "org.sparkcollectives";

  /** More than these are a reason to ask whether users need them all. */
  private static final int MOST_TYPES = 61;

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(location -> !location.contains("/test-classes/"))
          .withImportOption(location -> !location.contains("-tests.jar"))
          .importPackages(ROOT);

  @Test
  void publicTypesAreFew() {
    List<String> types =
        CLASSES.stream()
            .filter(type -> type.isTopLevelClass() && isApi(type))
            // Scala's objects are two classes.
            .map(type -> type.getName().replaceFirst("\\$$", ""))
            .distinct()
            .sorted()
            .toList();
    assertTrue(types.contains(ROOT + ".Communicator"), "the API is not on the class path");
    assertTrue(types.size() <= MOST_TYPES, () -> types.size() + ": " + String.join(" ", types));
  }

  @Test
  void publicTypesMentionNoInternalOnes() {
    String mentions =
        CLASSES.stream()
            .filter(PublicApiTest::isApi)
            .flatMap(PublicApiTest::mentions)
            .distinct()
            .sorted()
            .collect(joining("\n"));
    assertEquals("", mentions, "internal types in public signatures");
  }

  /** Each internal type that a class shows, as a sentence. */
  private static Stream<String> mentions(JavaClass type) {
    Stream<String> parents =
        Stream.concat(type.getSuperclass().stream(), type.getInterfaces().stream())
            .flatMap(parent -> internal(type.getName(), parent));
    Stream<String> members =
        type.getMembers().stream()
            .filter(member -> isVisible(member.getModifiers()))
            .flatMap(member -> shown(member).flatMap(s -> internal(member.getFullName(), s)));
    return Stream.concat(parents, members);
  }

  private static Stream<JavaType> shown(JavaMember member) {
    if (member instanceof JavaField field) {
      return Stream.of(field.getType());
    }
    JavaCodeUnit unit = (JavaCodeUnit) member;
    return Stream.concat(Stream.of(unit.getReturnType()), unit.getParameterTypes().stream());
  }

  private static Stream<String> internal(String where, JavaType type) {
    return type.getAllInvolvedRawTypes().stream()
        .filter(raw -> raw.getPackageName().startsWith(ROOT) && isInternal(raw))
        .map(raw -> where + " shows " + raw.getName());
  }

  private static boolean isApi(JavaClass type) {
    boolean visible = isVisible(type.getModifiers());
    JavaClass outer = type;
    while (visible && outer.getEnclosingClass().isPresent()) {
      outer = outer.getEnclosingClass().get();
      visible = isVisible(outer.getModifiers());
    }
    return visible && !isInternal(type) && !type.getSimpleName().equals("package-info");
  }

  private static boolean isInternal(JavaClass type) {
    return (type.getPackageName() + ".").contains(".internal.");
  }

  private static boolean isVisible(
      java.util.Set<com.tngtech.archunit.core.domain.JavaModifier> modifiers) {
    return modifiers.contains(PUBLIC) || modifiers.contains(PROTECTED);
  }
}
