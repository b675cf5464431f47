package org.sparkcollectives.benchmarks.ml;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class SettingTest {
  /** Each card passes 2 (h - 1) / h of a vector each way, once there are as many partitions. */
  @Test
  void anAllreduceTakesWhatItsNumbersTakeByTheCards() {
    TrainingSet problem = TrainingSet.parse("sparse:10000000");
    Setting hosts = new Setting(Model.LOGISTIC_REGRESSION, problem, 16, 4, 25e6);
    assertEquals(2 * 0.75 * 8e6 / 25e3, hosts.leastMillis(1, 1_000_000), 1e-9);
    assertEquals(3 * 2 * 0.75 * 800 / 25e3, hosts.leastMillis(3, 100), 1e-9);
    Setting fewer = new Setting(Model.LOGISTIC_REGRESSION, problem, 2, 4, 25e6);
    assertEquals(8e6 / 25e3, fewer.leastMillis(1, 1_000_000), 1e-9);
  }
}
