package org.sparkcollectives.spark.internal.body;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Iterator;
import org.junit.jupiter.api.Test;
import org.sparkcollectives.spark.internal.input.RankInput;
import org.sparkcollectives.spark.internal.rendezvous.RankSession;

/** How many values an attempt may leave behind, each of which it takes all executors to remove. */
class StoredNumbersTest {
  private static final int PARTITIONS = 1000;

  @Test
  void aProgramStoresAValueForEachRank() {
    RankBody program = new SpmdBody<Integer, Integer>((communicator, elements) -> elements);
    assertEquals(4, program.stored(PARTITIONS, 4));
    assertEquals(2, program.stored(2, 4));
  }

  @Test
  void otherBodiesMayStoreAValueForEachPartition() {
    RankBody parts =
        new RankBody() {
          private static final long serialVersionUID = 1L;

          @Override
          public Object run(RankSession session, Iterator<RankInput> input) {
            return "";
          }
        };
    assertEquals(PARTITIONS, parts.stored(PARTITIONS, 4));
  }
}
