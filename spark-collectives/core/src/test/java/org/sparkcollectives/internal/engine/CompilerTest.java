package org.sparkcollectives.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.sparkcollectives.schedule.BlockRange;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Combine;
import org.sparkcollectives.schedule.LocalStep;
import org.sparkcollectives.schedule.Piece;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Receive;
import org.sparkcollectives.schedule.Round;
import org.sparkcollectives.schedule.Schedule;
import org.sparkcollectives.schedule.Send;

/** What the compiler makes of small schedules written by hand. */
class CompilerTest {

  private static Program compile(int blocks, Round... rounds) {
    Problem problem = new Problem(Collective.ALLREDUCE, 4, 0, blocks, true);
    return Program.compile(
        new Schedule(problem, "by-hand", 0, new BlockRange(0, blocks), List.of(rounds)));
  }

  private static Round round(Send send, Receive receive, LocalStep... local) {
    return new Round(send, receive, List.of(local));
  }

  @Test
  void aReceiveThatIsCombinedAtOnceNeedsNoScratch() {
    BlockRange all = new BlockRange(0, 3);
    Program program = compile(3, round(null, new Receive(1, 1, all), new Combine(0, 0, 1, all)));
    assertEquals(0, program.cells());
    Program.Stage stage = program.stages().get(0);
    assertNull(stage.store());
    assertEquals(1, stage.fused().size());
    assertEquals(Storage.STAGING, stage.fused().get(0).right());
  }

  @Test
  void aStepWaitsForAllPiecesOfItsBlock() {
    BlockRange all = new BlockRange(0, 2);
    Receive both = new Receive(1, List.of(new Piece(1, all), new Piece(2, all)));
    Program program = compile(2, round(null, both, new Combine(0, 1, 2, all)));
    assertEquals(2, program.stages().size());
    assertEquals(List.of(), program.stages().get(0).fused());
    Program.Step step = program.stages().get(1).fused().get(0);
    assertTrue(step.left().inCells(), "the first piece is kept");
    assertEquals(Storage.STAGING, step.right());
  }

  @Test
  void anAllToAllIsCompiledInMemoryOfItsSteps() {
    int size = 40_000; // of its 1.6 billion blocks a rank touches few
    Problem problem = new Problem(Collective.ALLTOALL, size, 0, size * size, false);
    BlockRange sent = new BlockRange(7 * size, 7 * size + 2);
    BlockRange received = BlockRange.of(size * size - size + 7);
    Schedule schedule =
        new Schedule(
            problem,
            "by-hand",
            7,
            sent,
            List.of(
                round(new Send(1, 0, sent), new Receive(size - 1, 1, received)),
                round(new Send(2, 1, received), new Receive(3, 0, received))));
    Program program = Program.compile(schedule);
    assertEquals(1, program.cells());
    assertEquals(1, program.sends().get(1).afterStages());
  }

  @Test
  void aSendWaitsForTheStageThatWroteItsBlock() {
    BlockRange first = BlockRange.of(0);
    BlockRange second = BlockRange.of(1);
    Program program =
        compile(
            2,
            round(null, new Receive(1, 0, first)),
            round(new Send(2, 0, first), new Receive(1, 0, second)),
            round(new Send(2, 0, second), null));
    assertEquals(1, program.sends().get(0).afterStages());
    assertEquals(2, program.sends().get(1).afterStages());
    assertEquals(0, program.stages().get(1).followedSend(), "another block is being sent");
  }

  @Test
  void aSignalGoesWhenAllBeforeHasComeAndLaterSendsWaitForIt() {
    BlockRange first = BlockRange.of(0);
    BlockRange second = BlockRange.of(1);
    Program program =
        compile(
            2,
            round(new Send(2, 0, second), new Receive(1, 0, first)),
            round(new Send(3, 0, BlockRange.NONE), new Receive(2, 0, BlockRange.NONE)),
            round(new Send(2, 0, second), null));
    assertEquals(0, program.sends().get(0).afterStages());
    assertEquals(1, program.sends().get(1).afterStages(), "the signal");
    assertEquals(2, program.sends().get(2).afterStages(), "what is sent when the other's has come");
  }

  @Test
  void aMessageStartsWhenAllItsPiecesAreThere() {
    BlockRange first = BlockRange.of(0);
    BlockRange second = BlockRange.of(1);
    Send both = new Send(2, List.of(new Piece(0, first), new Piece(0, second)));
    Program program = compile(2, round(null, new Receive(1, 0, second)), round(both, null));
    assertEquals(1, program.sends().get(0).afterStages());
    assertEquals(1, program.sends().get(1).afterStages());
    Send turned = new Send(2, List.of(new Piece(0, second), new Piece(0, first)));
    Program other = compile(2, round(null, new Receive(1, 0, second)), round(turned, null));
    assertEquals(1, other.sends().get(1).afterStages());
  }

  @Test
  void longMessagesThatNeedNothingWaitForTheRoundsBeforeWhereAsked() {
    BlockRange first = BlockRange.of(0);
    BlockRange second = BlockRange.of(1);
    Problem problem = new Problem(Collective.ALLREDUCE, 4, 0, 2, true);
    List<Round> rounds =
        List.of(
            round(new Send(1, 0, first), new Receive(3, 0, second)),
            round(new Send(2, 0, first), new Receive(2, 0, second)));
    Schedule schedule = new Schedule(problem, "by-hand", 0, new BlockRange(0, 2), rounds);
    Program free = Program.compile(schedule, Pace.FREE);
    Program inStep = Program.compile(schedule, Pace.ROUNDS);
    assertEquals(0, free.sends().get(1).inStep());
    assertEquals(0, inStep.sends().get(1).afterStages());
    assertEquals(1, inStep.sends().get(1).inStep());
    assertEquals(0, inStep.sends().get(0).exchange(), "to one rank and from another");
    assertEquals(2, inStep.sends().get(1).exchange());
  }

  @Test
  void whatIsBeingSentMustNotBeOverwritten() {
    BlockRange all = new BlockRange(0, 1);
    Program program =
        compile(1, round(new Send(1, 0, all), new Receive(1, 1, all), new Combine(0, 0, 1, all)));
    assertEquals(1, program.stages().get(0).followedSend());
    assertEquals(0, program.stages().get(0).afterSends());
  }

  @Test
  void aValueThatIsReadLaterIsKept() {
    BlockRange b = BlockRange.of(0);
    Program program =
        compile(
            1,
            round(null, new Receive(1, 1, b), new Combine(0, 0, 1, b)),
            round(new Send(2, 1, b), null));
    assertEquals(1, program.cells());
    Storage store = program.stages().get(0).store();
    assertTrue(store != null && store.inCells());
    assertEquals(store.cell(0), program.sends().get(0).source().cell(0));
  }

  @Test
  void scratchBlocksThatAreDoneWithAreUsedAgain() {
    int blocks = 500;
    List<Round> rounds = new ArrayList<>();
    for (int i = 0; i < blocks; i++) {
      BlockRange b = BlockRange.of(i);
      rounds.add(round(null, new Receive(1, 1, b), new Combine(2, 0, 1, b)));
      rounds.add(round(new Send(2, 2, b), null));
    }
    Program program = compile(blocks, rounds.toArray(new Round[0]));
    assertTrue(program.cells() <= 12, program.cells() + " cells");
    for (int i = 0; i < blocks; i++) {
      assertEquals(i + 1, program.sends().get(i).afterStages());
    }
    assertTrue(
        program.stages().get(499).afterSends() > 0, "a reused cell waits for its last reader");
  }

  @Test
  void readingWhatWasNeverWrittenIsRefused() {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () -> compile(1, round(new Send(1, 3, BlockRange.of(0)), null)));
    assertTrue(e.getMessage().contains("slot 3 block 0"), e.getMessage());
  }
}
