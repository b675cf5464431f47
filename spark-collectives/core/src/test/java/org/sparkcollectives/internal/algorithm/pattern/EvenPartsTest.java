package org.sparkcollectives.internal.algorithm.pattern;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.sparkcollectives.internal.shape.FoldedRanks;
import org.sparkcollectives.schedule.BlockRange;

/** How blocks are divided among ranks, and among ranks of which some stand back for others. */
final class EvenPartsTest {
  private static final int MOST_PARTS = 20;
  private static final int MOST_BLOCKS = 45;

  private interface Division {
    void check(int blocks, int parts);
  }

  private static void forAll(Division division) {
    for (int parts = 1; parts <= MOST_PARTS; parts++) {
      for (int blocks = 1; blocks <= MOST_BLOCKS; blocks++) {
        division.check(blocks, parts);
      }
    }
  }

  @Test
  void partsFollowEachOtherAndKnowTheirBlocks() {
    forAll(
        (blocks, parts) -> {
          int end = 0;
          for (int index = 0; index < parts; index++) {
            BlockRange part = EvenParts.of(blocks, parts, index);
            assertEquals(end, part.from());
            end = part.to();
            for (int block = part.from(); block < part.to(); block++) {
              assertEquals(index, EvenParts.indexOf(blocks, parts, block));
            }
          }
          assertEquals(blocks, end);
        });
  }

  @Test
  void noRunOfPartsIsLargerThanTheLastOne() {
    forAll(
        (blocks, parts) -> {
          for (int run = 0; run <= parts; run++) {
            int length = run;
            int largest = EvenParts.largest(blocks, parts, run);
            assertEquals(largest, EvenParts.of(blocks, parts, parts - run, parts).size());
            assertTrue(
                IntStream.rangeClosed(0, parts - run)
                    .allMatch(i -> EvenParts.of(blocks, parts, i, i + length).size() <= largest));
          }
        });
  }

  @Test
  void groupsOfMembersHaveThePartsOfAllTheirRanks() {
    forAll(
        (blocks, size) -> {
          FoldedRanks folded = new FoldedRanks(size);
          FoldedParts parts = new FoldedParts(blocks, folded);
          for (int level = 0; level <= folded.levels(); level++) {
            int end = 0;
            for (int member = 0; member < 1 << folded.levels(); member += 1 << level) {
              BlockRange group = parts.group(member, level);
              assertEquals(end, group.from());
              assertTrue(group.size() <= parts.largestGroup(level), parts.toString());
              end = group.to();
            }
            assertEquals(blocks, end);
          }
        });
  }

  @Test
  void aMemberHasItsPartAndItsPartners() {
    forAll(
        (blocks, size) -> {
          FoldedRanks folded = new FoldedRanks(size);
          FoldedParts parts = new FoldedParts(blocks, folded);
          boolean any = false;
          for (int rank = 0; rank < size; rank++) {
            if (folded.isFoldedAway(rank)) {
              any |= !parts.own(rank).isEmpty();
            } else {
              BlockRange group = parts.group(folded.member(rank), 0);
              assertEquals(parts.own(rank).from(), group.from());
              int last = folded.hasPartner(rank) ? rank + 1 : rank;
              assertEquals(parts.own(last).to(), group.to());
            }
          }
          assertEquals(any, parts.foldedHaveBlocks(), parts.toString());
        });
  }
}
