package org.sparkcollectives.ml.internal.takeover;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkcollectives.error.InvalidInputException;
import scala.Function2;

/** By what an aggregation of MLlib is recognised, and which lines of Spark are known. */
@Tag("cross-version")
class KnownCallersTest {

  @Test
  void theCallersAreClassesOfMllib() {
    assertFalse(KnownCallers.names().isEmpty());
    for (String name : KnownCallers.names()) {
      assertDoesNotThrow(() -> Class.forName(name, false, getClass().getClassLoader()), name);
    }
  }

  @Test
  void aFunctionIsTheClassesThatItIsWrittenIn() {
    Function<String, String> lambda = text -> text + "!";
    assertEquals(KnownCallersTest.class.getName(), KnownCallers.caller(lambda));
    assertEquals(String.class.getName(), KnownCallers.caller("x"));
  }

  @Test
  void anotherFunctionIsNotTakenForASum() {
    Function2<Object, Object, Object> others = (a, b) -> a;
    assertNull(KnownCallers.sum(null, others));
    assertFalse(KnownCallers.mergesObjects(others));
    assertFalse(KnownCallers.sendsTopics());
  }

  @ParameterizedTest
  @ValueSource(strings = {"3.5.6", "4.1.0"})
  void versionsThatWereTried(String version) {
    assertEquals("", MllibExtension.trial(version));
  }

  @ParameterizedTest
  @CsvSource({"3.5.0,3.5.6", "3.5.61,3.5.6", "4.1.2-SNAPSHOT,4.1.0"})
  void versionsOfTheirLinesThatWereNot(String version, String tried) {
    String expected = "; tried with Spark " + tried + ", not " + version;
    assertEquals(expected, MllibExtension.trial(version));
  }

  @ParameterizedTest
  @ValueSource(strings = {"3.4.1", "3.50.0", "4.0.0", "4.10.0", "4.2.0", "5.0.0"})
  void linesThatAreNot(String version) {
    InvalidInputException e =
        assertThrows(InvalidInputException.class, () -> MllibExtension.trial(version));
    assertTrue(e.getMessage().contains("Spark " + version), e.getMessage());
    assertTrue(e.getMessage().contains("3.5.x or 4.1.x"), e.getMessage());
  }
}
