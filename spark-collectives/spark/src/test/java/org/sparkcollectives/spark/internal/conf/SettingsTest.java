package org.sparkcollectives.spark.internal.conf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import org.apache.spark.SparkConf;
import org.junit.jupiter.api.Test;
import org.sparkcollectives.internal.transport.tcp.EndpointOptions;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.select.Policy;

/** The settings, their defaults and their document. */
class SettingsTest {
  private static final Path DOCUMENT = Path.of("..", "..", "docs", "settings.md");

  @Test
  void theDocumentEqualsTheCode() throws IOException {
    if (Boolean.getBoolean("update.docs")) {
      Files.writeString(DOCUMENT, Settings.markdown());
    }
    assertEquals(
        Settings.markdown(),
        Files.readString(DOCUMENT),
        "docs/settings.md is out of date; run this test with -Dupdate.docs=true");
  }

  @Test
  void defaultsCanBeRead() {
    CollectiveConf conf = CollectiveConf.of(new SparkConf(false));
    assertEquals(Duration.ofMinutes(10), conf.get(Settings.TIMEOUT));
    assertEquals(2, conf.get(Settings.RETRIES));
    assertEquals(Policy.DEFAULT, conf.policy());
    assertEquals(0, conf.endpoint("host").firstPort());
    assertEquals(EndpointOptions.defaults().sharedMemory(), conf.endpoint("host").sharedMemory());
    assertTrue(conf.get(Settings.MAX_BYTES) > Integer.MAX_VALUE);
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
                .set("spark.collectives.cost.profile", "../../conf/cost-200mbit.json")
                .set("spark.collectives.reproducible", "true")
                .set("spark.collectives.sharedMemory", "false")
                .set("spark.collectives.vector.maxBytes", "1g"));
    assertEquals(Duration.ofSeconds(3), conf.get(Settings.TIMEOUT));
    assertEquals(40000, conf.endpoint("host").firstPort());
    assertEquals(40100, conf.endpoint("host").lastPort());
    assertEquals("", conf.endpoint("host").sharedMemory());
    Policy policy = conf.policy();
    assertEquals("[ALLREDUCE]", policy.rules().keySet().toString().toUpperCase(Locale.ROOT));
    assertEquals("ring", policy.rules().get(Collective.ALLREDUCE).rules().get(1).slug());
    assertTrue(policy.reproducible());
    assertEquals(2000, policy.model().network().alphaNanos());
    assertTrue(policy.model().network().betaNanosPerByte() > 40);
    assertEquals(1L << 30, conf.get(Settings.MAX_BYTES));
  }
}
