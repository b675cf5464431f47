package org.sparkcollectives.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.sparkcollectives.cost.CostModel;

class MessageHeaderTest {

  @Test
  void pricesCountTheHeaderThatIsSent() {
    assertEquals(MessageHeader.BYTES, CostModel.HEADER_BYTES);
  }
}
