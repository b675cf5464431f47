package org.sparkcollectives.spark.internal.rendezvous;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sparkcollectives.spark.Progress;

/** What a rank's function tells the driver while it runs. */
@Timeout(60)
class RankProgressTest {
  private final BlockingQueue<String> driver = new LinkedBlockingQueue<>();

  @Test
  void theLatestIsSentAndNotEach() throws InterruptedException {
    RankProgress progress = RankProgress.begin(driver::add);
    try {
      for (int i = 1; i <= 1000; i++) {
        Progress.tell("iteration " + i);
      }
      assertEquals("iteration 1000", driver.take());
      Progress.tell("iteration 1001,\n  the\tlast");
      assertEquals("iteration 1001, the last", driver.take());
      Progress.tell("x".repeat(1 << 20));
      assertEquals("x".repeat(RankProgress.LONGEST) + "...", driver.take());
    } finally {
      progress.close();
    }
    assertEquals(0, driver.size());
  }

  @Test
  void oneFailureToSendIsNotTheLastWord() throws InterruptedException {
    RankProgress progress =
        RankProgress.begin(
            text -> {
              driver.add(text);
              throw new IllegalStateException("the driver is not there");
            });
    try {
      Progress.tell("first");
      assertEquals("first", driver.take());
      Progress.tell("second");
      assertEquals("second", driver.take());
    } finally {
      progress.close();
    }
  }

  @Test
  void nothingIsSentOfWhatHasEndedAndOfOtherThreads() throws InterruptedException {
    Progress.tell("before");
    RankProgress other = RankProgress.begin(null); // of another rank than 0
    Progress.tell("of rank 1");
    other.close();
    RankProgress progress = RankProgress.begin(driver::add);
    Thread thread = new Thread(() -> Progress.tell("of another thread"));
    thread.start();
    thread.join();
    Progress.tell("within");
    progress.close(); // sooner than it is sent
    Progress.tell("after");
    assertNull(driver.poll(1500, TimeUnit.MILLISECONDS));
  }
}
