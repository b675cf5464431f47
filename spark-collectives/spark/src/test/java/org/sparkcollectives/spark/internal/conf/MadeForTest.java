package org.sparkcollectives.spark.internal.conf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.apache.spark.package$;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import scala.util.Properties;

/** What jars say they are made for, beside what runs. */
class MadeForTest {

  @Test
  @Tag("cross-version")
  void theBuildSaysWhatItCompilesAgainst() {
    MadeFor made = MadeFor.of(MadeFor.class).orElseThrow();
    assertEquals("spark-collectives_" + made.scala(), made.jar());
    String spark = package$.MODULE$.SPARK_VERSION();
    String scala = Properties.versionNumberString();
    assertTrue(spark.startsWith(made.spark() + "."), made + " " + spark);
    assertTrue(scala.startsWith(made.scala() + "."), made + " " + scala);
    assertEquals(Optional.empty(), made.difference(spark, scala));
  }

  @Test
  void anotherLineIsAnotherOneHoweverItsVersionGoesOn() {
    MadeFor made = new MadeFor("brass-band", "9.1.3", "8.7.0-M1");
    assertEquals(new MadeFor("brass-band", "9.1", "8.7"), made);
    assertEquals(Optional.empty(), made.difference("9.1.0", "8.7.12"));
    assertEquals(Optional.empty(), made.difference("9.1.0.4-vendor.2", "8.7"));
    String begin =
        "this jar (brass-band) is made for Spark 9.1 and Scala 8.7, the application runs ";
    assertEquals(
        Optional.of(begin + "Spark 9.10.0 (Scala 8.7.12)"), made.difference("9.10.0", "8.7.12"));
    assertEquals(
        Optional.of(begin + "Spark 9.1.0 (Scala 8.6.1)"), made.difference("9.1.0", "8.6.1"));
  }

  @Test
  void aJarThatDoesNotSayItIsForAnything() {
    assertEquals(Optional.empty(), MadeFor.of(String.class));
  }
}
