package org.sparkcollectives.spark.internal.conf;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.spark.SparkConf;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sparkcollectives.cost.CostModel;
import org.sparkcollectives.cost.LevelCost;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.internal.algorithm.Algorithms;
import org.sparkcollectives.internal.transport.EndpointOptions;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.select.Policy;

/** The settings, their defaults and their document. */
class SettingsTest {
  private static final Path DOCUMENT = Path.of("..", "..", "docs", "settings.md");
  private static final String UPDATE =
      "mvn test -pl spark-collectives/core,spark-collectives/spark -Dtest=SettingsTest"
          + " -Dupdate.docs=true";

  @Test
  void theDocumentEqualsTheCode() throws IOException {
    if (Boolean.getBoolean("update.docs")) {
      Files.writeString(DOCUMENT, markdown());
    }
    assertEquals(
        markdown(),
        Files.readString(DOCUMENT),
        "docs/settings.md is out of date; '" + UPDATE + "' writes it anew");
  }

  /** The settings as a document, in Markdown. */
  private static String markdown() {
    StringBuilder text = new StringBuilder();
    text.append("# Settings\n\n");
    text.append("*Generated from the declarations in `Settings.java`: edit those. To regenerate:*");
    text.append(" `").append(UPDATE).append("`\n\n");
    text.append("Set them like any of Spark's, for example with `spark-submit --conf KEY=VALUE`. ");
    text.append("A time without unit is in milliseconds, a size without unit in bytes. ");
    text.append(
        "They are the application's: give them before it starts; what `spark.conf.set` says");
    text.append(" to a session changes nothing.\n\n");
    text.append("| key | unit | default | meaning |\n|---|---|---|---|\n");
    for (Setting<?> setting : Settings.all()) {
      String shown =
          setting.defaultValue().isEmpty() ? "empty" : "`" + setting.defaultValue() + "`";
      text.append("| `").append(setting.key()).append("` | ").append(setting.unit());
      text.append(" | ").append(shown).append(" | ").append(setting.doc()).append(" |\n");
    }
    return text.toString();
  }

  @Test
  void defaultsCanBeRead() {
    CollectiveConf conf = CollectiveConf.of(new SparkConf(false));
    assertEquals(Duration.ofMinutes(10), conf.get(Settings.TIMEOUT));
    assertEquals(2, conf.get(Settings.RETRIES));
    assertEquals(Policy.DEFAULT, conf.policy());
    assertEquals(0, conf.endpoint("host", true).firstPort());
    assertEquals(
        EndpointOptions.builder().build().sharedMemory(),
        conf.endpoint("host", true).sharedMemory());
    assertTrue(conf.get(Settings.MAX_BYTES) > Integer.MAX_VALUE);
  }

  /** Of which a product with a quotient may lie a rounding error beside α. */
  @Test
  void aGapThatIsAllOfAlphaStaysSo(@TempDir Path folder) throws IOException {
    String saved = Files.readString(Path.of("../../conf/cost-200mbit.json"));
    CostModel model = CostProfile.read(saved, "saved");
    LevelCost linear = new LevelCost(100_000, 40, 100_000);
    Path profile = folder.resolve("linear.json");
    Files.writeString(profile, CostProfile.write(model.withNetwork(linear)));
    for (int alpha = 100; alpha <= 200_000; alpha += 100) {
      CollectiveConf conf =
          CollectiveConf.of(
              new SparkConf(false)
                  .set("spark.collectives.cost.alpha", String.valueOf(alpha))
                  .set("spark.collectives.cost.profile", profile.toString()));
      LevelCost network = conf.policy().model().network();
      assertEquals(alpha, network.gapNanos());
      assertEquals(alpha, network.alphaNanos());
    }
  }

  @Test
  void valuesAreRead() {
    CollectiveConf conf =
        CollectiveConf.of(
            new SparkConf(false)
                .set("spark.collectives.timeout", "3s")
                .set("spark.collectives.port", "40000-40100")
                .set("spark.collectives.select.allreduce", "bytes<=4k: recursive-doubling; ring")
                .set("spark.collectives.cost.alpha", "2000")
                .set("spark.collectives.cost.beta", "50.5")
                .set("spark.collectives.cost.profile", "../../conf/cost-200mbit.json")
                .set("spark.collectives.reproducible", "true")
                .set("spark.collectives.sharedMemory", "false")
                .set("spark.collectives.socketBuffer", "64k")
                .set("spark.collectives.vector.maxBytes", "1g"));
    assertEquals(Duration.ofSeconds(3), conf.get(Settings.TIMEOUT));
    assertEquals(40000, conf.endpoint("host", true).firstPort());
    assertEquals(40100, conf.endpoint("host", true).lastPort());
    assertEquals("", conf.endpoint("host", true).sharedMemory());
    assertEquals(64 << 10, conf.endpoint("host", true).sendBufferBytes());
    assertEquals(64 << 10, conf.endpoint("host", true).receiveBufferBytes());
    Policy policy = conf.policy();
    assertEquals("[ALLREDUCE]", policy.rules().keySet().toString().toUpperCase(Locale.ROOT));
    assertEquals("ring", policy.rules().get(Collective.ALLREDUCE).rules().get(1).slug());
    assertTrue(policy.reproducible());
    assertEquals(2000, policy.model().network().alphaNanos());
    assertEquals(50.5, policy.model().network().betaNanosPerByte());
    assertEquals(25_000, policy.model().host().alphaNanos(), "the profile's");
    assertEquals(1L << 30, conf.get(Settings.MAX_BYTES));
    CollectiveConf travelled = CollectiveConf.decode(conf.encode());
    assertEquals(policy, travelled.policy());
    for (Setting<?> setting : Settings.all()) {
      assertEquals(conf.get(setting), travelled.get(setting), setting::key);
    }
  }

  @Test
  void timesAreOfAtMostWhatNanosecondsCanSay() {
    Duration longest = Duration.ofNanos(Long.MAX_VALUE);
    for (Setting<Duration> setting : List.of(Settings.START_TIMEOUT, Settings.COMPUTE_TIMEOUT)) {
      for (String time : List.of("106752d", "365000d", "99999999999999999d")) {
        assertEquals(longest, setting.read(time), time);
      }
      assertEquals(Duration.ofDays(106_751), setting.read("106751d"));
    }
  }

  @Test
  void aTimeOfLessThanAMillisecondIsNotNone() {
    for (Setting<Duration> setting : List.of(Settings.TIMEOUT, Settings.COMPUTE_TIMEOUT)) {
      assertEquals(Duration.ofNanos(500_000), setting.read("500us"));
      assertEquals(Duration.ofNanos(1_500_000), setting.read("1500US"));
      assertEquals(Duration.ofMillis(20), setting.read("20"));
    }
  }

  /** Which the JDK would take for a part of the last pattern. */
  @Test
  void aFilterOfClassesHasNoBlanksAtItsEnds() {
    assertEquals("java.base/*;!*", Settings.OBJECTS_FILTER.read(" java.base/*;!*\t"));
    String hard = "java.base/*;!*" + (char) 0xa0;
    assertThrows(InvalidInputException.class, () -> Settings.OBJECTS_FILTER.read(hard));
  }

  @Test
  void noDeclaredSettingIsForgotten() throws IllegalAccessException {
    List<Setting<?>> declared = new ArrayList<>();
    for (Field field : Settings.class.getDeclaredFields()) {
      if (field.getType() == Setting.class) {
        declared.add((Setting<?>) field.get(null));
      }
    }
    for (Collective collective : Collective.values()) {
      if (Algorithms.of(collective).size() > 1) {
        declared.add(Settings.select().get(collective));
      }
    }
    assertTrue(declared.size() > 20, () -> "only " + declared.size() + " settings were found");
    assertEquals(declared, Settings.all());
    for (Setting<?> setting : declared) {
      assertSame(setting, Settings.find(setting.key()));
      assertDoesNotThrow(() -> setting.read(null), setting::key);
      assertTrue(setting.doc().endsWith("."), setting::key);
    }
  }

  @Test
  void anUnknownKeyIsRefusedWithAllThatAreKnown() {
    InvalidInputException e = refused("spark.collectives.timeuot", "3s");
    assertTrue(
        e.getMessage().startsWith("unknown setting spark.collectives.timeuot: the settings"));
    for (Setting<?> setting : Settings.all()) {
      assertTrue(e.getMessage().contains(setting.key()), setting::key);
    }
    assertTrue(e.getMessage().endsWith(". Correct the name."), e.getMessage());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          timeout             | 0s         | a time must be positive
          slots.timeout       | -1s        | a time must be positive
          compute.timeout     | -1us       | a time must not be negative
          retries             | -1         | it must be at least 0
          retries             | two        | no whole number
          retries             | 99999999999| it is too large
          connectionsPerPeer  | x          | no whole number
          encryption          | yes        | neither auto nor on
          result.replicas     | 0          | it must be at least 1
          result.replicas     | 40         | it must be at most 39
          allowPlaintext      | yes        | neither true nor false
          vector.maxBytes     | much       | Size must be specified as bytes
          socketBuffer        | 2g         | it must be below 2 GiB
          socketBuffer        | 4g         | it must be below 2 GiB
          socketBuffer        | 65535      | at least 64 KiB
          socketBuffer        | -1         | Size must be specified as bytes
          port                | 40100-40000| no port or range of ports
          port                | 65536      | no port or range of ports up to 65535
          port                | 1-2-3      | no port or range of ports
          port                | -1         | no port or range of ports
          port                | 4000,5000  | no port or range of ports
          port                | 40000000000| no port or range of ports
          objects.filter      | p.A; !*    | it must be without blanks
          objects.filter      | p.A ;!*    | it must be without blanks
          cost.alpha          | quick      | no number
          cost.alpha          | 0          | it must be positive
          cost.beta           | Infinity   | it must be positive
          """)
  void aBadValueIsRefusedWithItsReason(String name, String value, String reason) {
    InvalidInputException e = refused("spark.collectives." + name, value);
    String problem = "the value '" + value + "' of spark.collectives." + name + " cannot be used: ";
    assertTrue(e.getMessage().startsWith(problem), e.getMessage());
    assertTrue(e.getMessage().contains(reason), e.getMessage());
    Setting<?> setting = Settings.find("spark.collectives." + name);
    String usual = setting.defaultValue();
    String otherwise = usual.isEmpty() ? "empty" : "at '" + usual + "'";
    String remedy = "Correct it (" + setting.unit() + "), or leave it " + otherwise + ".";
    assertTrue(e.getMessage().endsWith(remedy), e.getMessage());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          gather    | rring            | unknown algorithm 'rring' for gather
          allreduce | bytes<4x: linear | the rule 'bytes<4x: linear' for allreduce cannot be read
          allreduce | ring;;           | the rule 'ring;;' for allreduce cannot be read
          """)
  void badRulesAreRefusedWithTheirSetting(String collective, String rules, String reason) {
    InvalidInputException e = refused("spark.collectives.select." + collective, rules);
    String problem =
        "the value '" + rules + "' of spark.collectives.select." + collective + " cannot be used: ";
    assertTrue(e.getMessage().startsWith(problem + reason + ": "), e.getMessage());
    String remedy = ". Correct this rule, or leave the setting empty.";
    assertTrue(e.getMessage().endsWith(remedy), e.getMessage());
  }

  private static InvalidInputException refused(String key, String value) {
    SparkConf conf = new SparkConf(false).set(key, value);
    return assertThrows(InvalidInputException.class, () -> CollectiveConf.of(conf));
  }
}
