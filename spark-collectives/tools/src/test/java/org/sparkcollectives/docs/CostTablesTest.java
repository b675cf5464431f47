package org.sparkcollectives.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.sparkcollectives.cost.CostModel;
import org.sparkcollectives.internal.algorithm.Algorithm;
import org.sparkcollectives.internal.algorithm.Algorithms;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.spark.internal.conf.CostProfile;

/**
 * Tables of {@code docs/cost.md} are the simulator's, and who pays contention is named; {@code
 * -Dupdate.docs} writes the tables anew.
 */
final class CostTablesTest {
  private static final Path FILE = Path.of("../../docs/cost.md");
  private static final Path PROFILE = Path.of("../../conf/cost-200mbit.json");
  private static final boolean UPDATE = System.getProperty("update.docs") != null;
  private static final String ANEW =
      "; 'mvn -pl spark-collectives/tools -am test -Dtest=CostTablesTest -Dupdate.docs' writes the"
          + " tables anew";
  private static final String END = "\n<!-- end of the table -->";

  @Test
  void tablesAreWhatTheSimulatorSays() throws IOException {
    CostModel slow = CostProfile.read(Files.readString(PROFILE), PROFILE.toString());
    for (Map.Entry<String, String> table : CostTables.all(slow).entrySet()) {
      String mark = "<!-- " + table.getKey() + ": written by CostTablesTest, -Dupdate.docs -->\n";
      String text = Files.readString(FILE);
      int begin = text.indexOf(mark) + mark.length();
      int end = text.indexOf(END, begin);
      assertTrue(begin >= mark.length() && end >= begin, () -> "its marks are gone: " + mark);
      if (UPDATE) {
        text = text.substring(0, begin) + table.getValue() + text.substring(end);
        Files.writeString(FILE, text);
        end = text.indexOf(END, begin);
      }
      assertEquals(
          table.getValue(), text.substring(begin, end), () -> table.getKey() + " differ" + ANEW);
    }
  }

  @Test
  void whoPaysAllContentionIsNamed() throws IOException {
    String text = Files.readString(FILE);
    String before = "- Algorithms whose ranks have another partner in every round (";
    int begin = text.indexOf(before) + before.length();
    String named = text.substring(begin, text.indexOf(')', begin));
    for (Algorithm algorithm : Algorithms.all()) {
      if (algorithm.traits().has(Traits.Feature.ROAMING)) {
        assertTrue(named.contains("`" + algorithm.slug() + "`"), algorithm + " is not in " + named);
      }
    }
  }
}
