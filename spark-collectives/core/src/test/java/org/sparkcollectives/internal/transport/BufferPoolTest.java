package org.sparkcollectives.internal.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BufferPoolTest {
  private final BufferPool pool = new BufferPool();

  @Test
  void aBufferComesBackWithAllOfItsRoom() {
    ByteBuffer buffer = pool.take(64);
    assertTrue(buffer.isDirect());
    assertEquals(ByteOrder.LITTLE_ENDIAN, buffer.order());
    buffer.position(10).limit(20);
    pool.put(buffer);
    assertSame(buffer, pool.take(64));
    assertEquals(64, buffer.remaining());
    assertNotSame(buffer, pool.take(64));
  }

  @Test
  void keepsABoundedNumber() {
    List<ByteBuffer> buffers = new ArrayList<>();
    for (int i = 0; i < BufferPool.KEPT + 5; i++) {
      buffers.add(pool.take(64));
    }
    buffers.forEach(pool::put);
    assertEquals(BufferPool.KEPT, pool.size());
  }
}
