package org.sparkcollectives.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.sparkcollectives.internal.algorithm.Algorithm;
import org.sparkcollectives.internal.algorithm.Algorithms;
import org.sparkcollectives.schedule.BlockRange;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Combine;
import org.sparkcollectives.schedule.Piece;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Receive;
import org.sparkcollectives.schedule.Round;
import org.sparkcollectives.schedule.Schedule;
import org.sparkcollectives.schedule.Send;

/** Right schedules pass; small wrong ones do not, and the report says why. */
final class VerifierTest {
  @ParameterizedTest
  @MethodSource(Subject.ALL)
  void theOriginalPasses(Subject subject) {
    Verification report = Verifier.verify(subject.mutant().schedules(), subject.claims());
    assertTrue(report.isCorrect(), report::toString);
    assertEquals(subject.claims().rounds(), report.rounds());
    assertEquals(subject.claims().blocksSent(), report.blocksSent());
    assertTrue(report.toString().startsWith("correct: " + report.rounds() + " rounds"));
  }

  /** A message of several pieces: one missing, one twice, one over what is being sent. */
  @Test
  void spoiltPiecesAreFound() {
    Problem problem = new Problem(Collective.ALLREDUCE, 2, 0, 3, false);
    List<Piece> outer = List.of(new Piece(0, BlockRange.of(0)), new Piece(0, BlockRange.of(2)));
    List<Piece> scratch = List.of(new Piece(1, BlockRange.of(0)), new Piece(1, BlockRange.of(2)));
    assertFirst(exchange(problem, outer, scratch), Check.RESULT);
    assertFirst(exchange(problem, outer, scratch.subList(0, 1)), Check.MATCHING);
    assertFirst(exchange(problem, outer, List.of(scratch.get(1), scratch.get(0))), Check.MATCHING);
    assertFirst(exchange(problem, outer, List.of(outer.get(0), scratch.get(1))), Check.HAZARD);
    List<Piece> twice = List.of(scratch.get(0), scratch.get(0));
    assertFirst(exchange(problem, List.of(outer.get(0), outer.get(0)), twice), Check.HAZARD);
    assertFirst(exchange(problem, List.of(), List.of()), Check.FORM);
    List<Piece> unheld = List.of(new Piece(2, BlockRange.of(0)), outer.get(1));
    assertFirst(exchange(problem, unheld, scratch), Check.HOLDING);
  }

  /** A signal carries nothing, but it has a sender and a receiver as every message. */
  @Test
  void lostSignalsAreFound() {
    Algorithm algorithm = Algorithms.find(Collective.ALLTOALL, "clear-to-send");
    Problem problem = new Problem(Collective.ALLTOALL, 3, 0, 9, false);
    List<Schedule> schedules = new ArrayList<>();
    for (int rank = 0; rank < 3; rank++) {
      schedules.add(algorithm.schedule(problem, rank));
    }
    assertFirst(schedules, null);
    Schedule one = schedules.get(1);
    List<Round> rounds = new ArrayList<>(one.rounds());
    rounds.set(1, new Round(null, rounds.get(1).receive(), List.of()));
    schedules.set(1, new Schedule(problem, one.algorithm(), 1, one.owned(), rounds));
    assertFirst(schedules, Check.MATCHING);
  }

  /** Blocks of a signal are not looked at, its slots are. */
  @Test
  void signalsHaveSlotsThatExist() {
    Problem problem = new Problem(Collective.ALLREDUCE, 2, 0, 3, false);
    List<Piece> signal = List.of(new Piece(0, BlockRange.NONE));
    assertFirst(exchange(problem, signal, signal), Check.RESULT);
    for (int slot : new int[] {-1, Integer.MAX_VALUE}) {
      List<Piece> nowhere = List.of(new Piece(slot, BlockRange.NONE));
      assertFirst(exchange(problem, nowhere, signal), Check.FORM);
      assertFirst(exchange(problem, signal, nowhere), Check.FORM);
    }
  }

  private static List<Schedule> exchange(Problem problem, List<Piece> sent, List<Piece> received) {
    List<Schedule> schedules = new ArrayList<>();
    for (int rank = 0; rank < 2; rank++) {
      Round round = new Round(new Send(1 - rank, sent), new Receive(1 - rank, received), List.of());
      schedules.add(new Schedule(problem, "exchange", rank, new BlockRange(0, 3), List.of(round)));
    }
    return schedules;
  }

  /** Each rank waits for the next one: every send has its receive, but never in the same round. */
  @Test
  void aCircleOfWaitsIsFound() {
    Problem problem = new Problem(Collective.ALLREDUCE, 2, 0, 1, false);
    BlockRange block = BlockRange.of(0);
    List<Schedule> schedules = new ArrayList<>();
    for (int rank = 0; rank < 2; rank++) {
      Round receive =
          new Round(
              null,
              new Receive(1 - rank, 1, block),
              List.of(new Combine(0, rank, 1 - rank, block)));
      Round send = new Round(new Send(1 - rank, 0, block), null, List.of());
      schedules.add(
          new Schedule(problem, "waits", rank, new BlockRange(0, 1), List.of(receive, send)));
    }
    assertFirst(schedules, Check.MATCHING);
  }

  @Test
  void badFormIsFound() {
    Subject subject = Subject.allReduce("ring", false);
    assertFirst(List.of(), Check.FORM);
    assertFirst(subject.schedules().subList(1, Subject.SIZE), Check.FORM);
    List<Schedule> swapped = new ArrayList<>(subject.schedules());
    swapped.add(swapped.remove(0));
    assertFirst(swapped, Check.FORM);
    BlockRange block = BlockRange.of(0);
    List<Round> bad =
        List.of(
            new Round(new Send(2, 0, block), null, List.of()),
            new Round(new Send(Subject.SIZE, 0, block), null, List.of()),
            new Round(null, new Receive(-1, 0, block), List.of()),
            new Round(new Send(1, -1, block), null, List.of()),
            new Round(new Send(1, 64, block), null, List.of()),
            new Round(new Send(1, 0, new BlockRange(0, Subject.BLOCKS + 1)), null, List.of()),
            new Round(new Send(1, 0, new BlockRange(3, 3)), null, List.of()),
            new Round(null, null, List.of(new Combine(0, 0, 99, block))));
    for (Round round : bad) {
      assertFirst(subject.mutant().change(2, 0, old -> round).schedules(), Check.FORM);
    }
    Schedule first = subject.schedules().get(0);
    List<Schedule> part = new ArrayList<>(subject.schedules());
    part.set(0, new Schedule(first.problem(), "ring", 0, new BlockRange(0, 1), first.rounds()));
    assertFirst(part, Check.FORM);
    List<Schedule> mixed = new ArrayList<>(subject.schedules());
    mixed.set(0, new Schedule(first.problem(), "two-tree", 0, first.owned(), first.rounds()));
    assertFirst(mixed, Check.FORM);
  }

  private static void assertFirst(List<Schedule> schedules, @Nullable Check expected) {
    Verification report = Verifier.verify(schedules, null);
    Check first = report.isCorrect() ? null : report.violations().get(0).check();
    assertEquals(expected, first, report::toString);
  }

  @Test
  void manyViolationsAreListedInPartAndCounted() {
    Problem problem = new Problem(Collective.ALLREDUCE, 30, 0, 30, false);
    List<Schedule> idle = new ArrayList<>();
    for (int rank = 0; rank < 30; rank++) {
      idle.add(new Schedule(problem, "idle", rank, new BlockRange(0, 30), List.of()));
    }
    Verification report = Verifier.verify(idle, null);
    assertEquals(50, report.violations().size());
    String last = report.violations().get(49).what();
    assertTrue(last.endsWith("(and " + (30 * 30 + 29 * 30 - 50) + " violations more)"), last);
  }

  @Test
  void violationsSayWhoWhenAndWhat() {
    Subject subject = Subject.allReduce("recursive-doubling", true);
    Verification report =
        Verifier.verify(subject.mutant().send(1, 0, null).schedules(), subject.claims());
    assertEquals(
        "MATCHING rank 0 round 0: receives from 1, which does not send",
        report.violations().get(0).toString());
    Verification wrong =
        Verifier.verify(subject.mutant().local(6, 2, List.of()).schedules(), subject.claims());
    assertTrue(
        wrong.toString().startsWith("RESULT rank 6: block 0 ends as 4..6, not as 0..6 in order"),
        wrong::toString);
  }
}
