package org.sparkcollectives.ml.internal.bridge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class JavaBytesTest {
  /** A stream that knows whether it is closed. */
  private static final class Closing extends ByteArrayInputStream {
    private boolean closed;

    Closing(byte[] bytes) {
      super(bytes);
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  @Test
  void aStreamIsClosedWhateverItHolds() throws Exception {
    byte[] whole = JavaBytes.of("a state");
    for (int length : new int[] {0, 3, whole.length - 1}) { // no header, or no whole object
      Closing cut = new Closing(Arrays.copyOf(whole, length));
      assertThrows(IOException.class, () -> JavaBytes.readState(cut));
      assertTrue(cut.closed, length + " bytes");
    }
    Closing stream = new Closing(whole);
    assertEquals("a state", JavaBytes.readState(stream));
    assertTrue(stream.closed);
  }
}
