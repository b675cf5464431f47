package org.sparkcollectives.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.apache.spark.util.Utils;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkcollectives.spark.internal.bridge.Scala;

/** What a cluster of tests writes for Spark to read. */
@Tag("cross-version")
class SparkHomeTest {

  @Test
  void sparkReadsTheOptionsThatAreMeantWhateverFoldersAreCalled() {
    List<String> options =
        List.of("-Xmx1g", "-Da=/with a blank/b.jsa", "-Db=\"'\\", "-Dc=$0 \\\" \\$0");
    String setting = SparkHome.quoted(options);
    assertEquals(options, Scala.asJava(Utils.splitCommandString(setting)), setting);
  }
}
