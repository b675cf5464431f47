package org.sparkcollectives.ml.internal.training;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.sparkcollectives.ml.internal.bridge.JavaBytes;

class LossesTest {

  @Test
  void oneMoreLeavesThoseBeforeAsTheyWere() {
    Losses one = new Losses(5);
    Losses two = one.and(4);
    Losses three = two.and(3);
    Losses other = two.and(2);
    assertArrayEquals(new double[] {5}, one.toArray());
    assertArrayEquals(new double[] {5, 4}, two.toArray());
    assertArrayEquals(new double[] {5, 4, 3}, three.toArray());
    assertArrayEquals(new double[] {5, 4, 2}, other.toArray());
    assertEquals(5, other.first());
    assertEquals(2, other.last());
    assertEquals(4, two.last());
    assertThrows(IndexOutOfBoundsException.class, () -> new Losses().last());
  }

  @Test
  void theyAreSerializedWithoutThoseOfLaterBatches() throws Exception {
    Losses some = new Losses().and(3).and(2);
    int bytes = JavaBytes.of(some).length;
    Losses later = some;
    for (int i = 0; i < 1000; i++) {
      later = later.and(i);
    }
    assertEquals(bytes, JavaBytes.of(some).length);
    Losses read = (Losses) JavaBytes.read(JavaBytes.of(some));
    assertArrayEquals(new double[] {3, 2}, read.toArray());
    assertArrayEquals(new double[] {3, 2, 1}, read.and(1).toArray());
  }

  @Test
  @Tag("plain-jvm")
  void manyBatchesTakeMemoryInProportion() throws IOException {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    int batches = 100_000;
    long before = threads.getCurrentThreadAllocatedBytes();
    Losses losses = new Losses();
    for (int i = 0; i < batches; i++) {
      losses = losses.and(i);
    }
    long bytes = threads.getCurrentThreadAllocatedBytes() - before;
    assertEquals(batches, losses.count());
    assertTrue(bytes < 100L * batches, bytes + " bytes for " + batches + " batches");
  }
}
