package org.sparkcollectives.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.sparkcollectives.schedule.BlockRange;

class BlockIndexTest {

  @Test
  void blocksAreNumberedInTheirOrderWithoutGaps() {
    SplittableRandom random = new SplittableRandom(17);
    for (int trial = 0; trial < 500; trial++) {
      List<BlockRange> ranges = new ArrayList<>();
      TreeSet<Integer> blocks = new TreeSet<>();
      for (int i = random.nextInt(12); i > 0; i--) {
        int from = random.nextInt(60);
        BlockRange range = new BlockRange(from, from + random.nextInt(9));
        ranges.add(range);
        for (int b = range.from(); b < range.to(); b++) {
          blocks.add(b);
        }
      }
      BlockIndex index = new BlockIndex(ranges);
      assertEquals(blocks.size(), index.count(), ranges.toString());
      int number = 0;
      for (int block : blocks) {
        assertEquals(number++, index.of(block), ranges.toString());
      }
    }
  }
}
