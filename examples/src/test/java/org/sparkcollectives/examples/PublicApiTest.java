package org.sparkcollectives.examples;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.Test;

/** Examples use what users may use: the library's public packages. */
class PublicApiTest {

  @Test
  void examplesUseNoInternalPackage() {
    noClasses()
        .should()
        .dependOnClassesThat(
            resideInAPackage("org.sparkcollectives..").and(resideInAPackage("..internal..")))
        .check(
            new ClassFileImporter()
                .withImportOption(location -> !location.contains("/test-classes/"))
                .importPackages("org.sparkcollectives.examples"));
  }
}
