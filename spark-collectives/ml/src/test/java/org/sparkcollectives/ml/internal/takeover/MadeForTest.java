package org.sparkcollectives.ml.internal.takeover;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.spark.package$;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkcollectives.spark.internal.conf.MadeFor;
import scala.util.Properties;

/** What this module's jar says it is made for, beside what runs. */
class MadeForTest {

  @Test
  @Tag("cross-version")
  void theBuildSaysWhatItCompilesAgainst() {
    MadeFor made = MadeFor.of(MllibExtension.class).orElseThrow();
    assertEquals("spark-collectives-ml_" + made.scala(), made.jar());
    assertTrue(package$.MODULE$.SPARK_VERSION().startsWith(made.spark() + "."), made::toString);
    assertTrue(Properties.versionNumberString().startsWith(made.scala() + "."), made::toString);
  }
}
