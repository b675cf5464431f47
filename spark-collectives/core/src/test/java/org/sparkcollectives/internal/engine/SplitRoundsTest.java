package org.sparkcollectives.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.sparkcollectives.schedule.BlockRange;
import org.sparkcollectives.schedule.Piece;
import org.sparkcollectives.transport.Seed;

class SplitRoundsTest {

  @Test
  void aPieceComesAgainIfALaterOneHoldsSomeOfItsBlocks() {
    Seed.run(
        SplitRoundsTest.class,
        seed -> {
          SplittableRandom random = new SplittableRandom(seed);
          for (int i = 0; i < 5000; i++) {
            List<Piece> pieces = new ArrayList<>();
            int blocks = random.nextInt(4, 60);
            for (int left = random.nextInt(10); left > 0; left--) {
              int from = random.nextInt(blocks);
              int to = Math.min(blocks, from + random.nextInt(1, 1 + blocks / 3));
              pieces.add(new Piece(1, new BlockRange(from, to)));
            }
            boolean[] again = SplitRounds.comingAgain(pieces);
            for (int j = 0; j < again.length; j++) {
              assertEquals(isHeld(pieces.get(j), pieces.subList(j + 1, again.length)), again[j]);
            }
          }
        });
  }

  private static boolean isHeld(Piece piece, List<Piece> later) {
    for (int b = piece.blocks().from(); b < piece.blocks().to(); b++) {
      for (Piece other : later) {
        if (other.blocks().from() <= b && b < other.blocks().to()) {
          return true;
        }
      }
    }
    return false;
  }
}
