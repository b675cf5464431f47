package org.sparkcollectives.internal.algorithm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.sparkcollectives.internal.algorithm.pattern.EvenParts;
import org.sparkcollectives.internal.algorithm.pattern.Interleaving;
import org.sparkcollectives.schedule.BlockRange;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Combine;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Receive;
import org.sparkcollectives.schedule.Round;
import org.sparkcollectives.schedule.Schedule;
import org.sparkcollectives.schedule.Send;

final class ScheduleBuilderTest {
  private final ScheduleBuilder builder =
      new ScheduleBuilder(new Problem(Collective.ALLREDUCE, 4, 0, 3, true), "test", 1);

  @Test
  void fillsRoundsBetweenWithIdleOnes() {
    builder.send(2, 0, 0, BlockRange.of(1));
    Schedule schedule = builder.build();
    assertEquals(
        List.of(
            Round.IDLE, Round.IDLE, new Round(new Send(0, 0, BlockRange.of(1)), null, List.of())),
        schedule.rounds());
    assertEquals(new BlockRange(0, 3), schedule.owned());
  }

  @Test
  void leavesOutStepsOnNoBlocks() {
    BlockRange none = new BlockRange(2, 2);
    builder.send(0, 0, 0, none);
    builder.receiveLeft(1, 0, none);
    builder.receiveRight(2, 2, none);
    builder.copy(3, 0, 1, none);
    assertTrue(builder.build().rounds().isEmpty());
  }

  @Test
  void signalsAreMessagesOfNoBlocks() {
    builder.signal(0, 2);
    builder.receiveSignal(0, 3);
    Round round = builder.build().rounds().get(0);
    assertEquals(
        new Round(new Send(2, 0, BlockRange.NONE), new Receive(3, 0, BlockRange.NONE), List.of()),
        round);
    assertTrue(round.send().isSignal());
    assertThrows(IllegalStateException.class, () -> builder.signal(0, 1));
    assertThrows(IllegalStateException.class, () -> builder.receiveSignal(0, 1));
  }

  @Test
  void putsTheLowerRankOnTheLeft() {
    BlockRange block = BlockRange.of(0);
    builder.receiveInOrder(0, 0, block);
    builder.receiveInOrder(1, 2, block);
    assertEquals(
        List.of(
            new Round(null, new Receive(0, 1, block), List.of(new Combine(0, 1, 0, block))),
            new Round(null, new Receive(2, 1, block), List.of(new Combine(0, 0, 1, block)))),
        builder.build().rounds());
  }

  @Test
  void refusesASecondSendOrReceiveInARound() {
    BlockRange block = BlockRange.of(0);
    builder.send(0, 0, 0, block);
    builder.receive(0, 0, 1, block);
    assertThrows(IllegalStateException.class, () -> builder.send(0, 2, 0, block));
    assertThrows(IllegalStateException.class, () -> builder.receive(0, 2, 1, block));
    assertThrows(IllegalStateException.class, () -> builder.send(-1, 2, 0, block));
  }

  @Test
  void partsAreNearlyEqualAndCoverAll() {
    for (int blocks = 1; blocks <= 30; blocks++) {
      for (int parts = 1; parts <= 12; parts++) {
        int end = 0;
        for (int i = 0; i < parts; i++) {
          BlockRange part = EvenParts.of(blocks, parts, i);
          assertEquals(end, part.from());
          assertTrue(part.size() == blocks / parts || part.size() == (blocks + parts - 1) / parts);
          end = part.to();
        }
        assertEquals(blocks, end);
      }
    }
  }

  @Test
  void halvingFollowsThePathFromTheLowestBit() {
    assertEquals(new BlockRange(0, 8), EvenParts.halved(8, 5, 0));
    assertEquals(new BlockRange(4, 8), EvenParts.halved(8, 5, 1));
    assertEquals(new BlockRange(4, 6), EvenParts.halved(8, 5, 2));
    assertEquals(new BlockRange(5, 6), EvenParts.halved(8, 5, 3));
  }

  @Test
  void interleavingTakesTurnsAfterTheLead() {
    Interleaving turns = new Interleaving(5, 4, 2);
    int[] merged = new int[turns.rounds()];
    for (int round = 0; round < 5; round++) {
      merged[turns.ofFirst(round)] = round + 1;
    }
    for (int round = 0; round < 4; round++) {
      merged[turns.ofSecond(round)] = -round - 1;
    }
    assertEquals(List.of(1, 2, -1, 3, -2, 4, -3, 5, -4), Arrays.stream(merged).boxed().toList());
  }
}
