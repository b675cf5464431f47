package org.sparkcollectives.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.sparkcollectives.algorithm.Algorithm;
import org.sparkcollectives.algorithm.Algorithms;
import org.sparkcollectives.cli.Sweep;
import org.sparkcollectives.schedule.BlockRange;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Combine;
import org.sparkcollectives.schedule.LocalStep;
import org.sparkcollectives.schedule.Message;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Piece;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Receive;
import org.sparkcollectives.schedule.Round;
import org.sparkcollectives.schedule.Schedule;
import org.sparkcollectives.schedule.Send;

/** Spoils right schedules in every place where a kind of mistake can be made; none may pass. */
final class VerifierTest {
  private static final int SIZE = 7;
  private static final int BLOCKS = 9;

  /** A right set of schedules with its claims. */
  private record Case(String name, List<Schedule> schedules, Claims claims) {
    static Case of(Algorithm algorithm, boolean ordered) {
      Problem problem = problem(algorithm, ordered);
      return new Case(
          algorithm + (ordered ? ", in order" : ", in any order"),
          Sweep.schedules(algorithm, problem),
          Sweep.claims(algorithm, problem));
    }

    static Problem problem(Algorithm algorithm, boolean ordered) {
      int blocks = algorithm.collective() == Collective.ALLTOALL ? SIZE * SIZE : BLOCKS;
      Problem flat = new Problem(algorithm.collective(), SIZE, 0, blocks, ordered);
      return flat.on(Sweep.example(algorithm, SIZE).topology());
    }

    @Override
    public String toString() {
      return name;
    }

    Mutant mutant() {
      return new Mutant(schedules);
    }

    void mustReject(List<Schedule> originals, List<Phase> phases, Check expected) {
      Claims wrong = new Claims(phases, claims.blocksSent(), claims.simplex());
      Report report = Verifier.verify(originals, wrong);
      assertFalse(report.isCorrect(), () -> name + " passed with " + phases);
      assertEquals(expected, report.violations().get(0).check(), report::toString);
    }

    void mustReject(Mutant mutant, String how, Check... expected) {
      Report report = Verifier.verify(mutant.schedules(), claims);
      Set<Check> found = EnumSet.noneOf(Check.class);
      report.violations().forEach(violation -> found.add(violation.check()));
      assertTrue(
          Stream.of(expected).anyMatch(found::contains),
          () -> name + " " + how + " passed " + List.of(expected) + ": " + report);
    }
  }

  /** A place in a schedule. */
  private record Place(int rank, int index, Round round) {}

  static List<Case> cases() {
    List<Case> cases = new ArrayList<>();
    for (Algorithm algorithm : Algorithms.all()) {
      if (algorithm.refusal(Case.problem(algorithm, false)) != null) {
        continue;
      }
      cases.add(Case.of(algorithm, false));
      if (algorithm.traits().keepsOrder()) {
        cases.add(Case.of(algorithm, true));
      }
    }
    return cases;
  }

  static List<Case> reducingInOrder() {
    return cases().stream()
        .filter(c -> c.schedules().get(0).problem().ordered())
        .filter(c -> c.schedules().get(0).problem().collective().reducing())
        .toList();
  }

  private static BlockRange first(Message message) {
    return message.ranges().get(0);
  }

  /** A send whose first piece is another range. */
  private static Send with(Send send, int peer, BlockRange blocks) {
    List<Piece> pieces = new ArrayList<>(send.pieces());
    pieces.set(0, new Piece(pieces.get(0).slot(), blocks));
    return new Send(peer, pieces);
  }

  /** A send without the last block of its first piece. */
  private static Send shortened(Send send) {
    BlockRange first = first(send);
    return first.size() > 1
        ? with(send, send.peer(), new BlockRange(first.from(), first.to() - 1))
        : new Send(send.peer(), send.pieces().subList(1, send.pieces().size()));
  }

  private static boolean usesScratch(Send send) {
    return send.pieces().stream().anyMatch(piece -> piece.slot() != 0);
  }

  private static List<Place> places(Case subject) {
    List<Place> places = new ArrayList<>();
    for (Schedule schedule : subject.schedules()) {
      for (int i = 0; i < schedule.rounds().size(); i++) {
        places.add(new Place(schedule.rank(), i, schedule.rounds().get(i)));
      }
    }
    assertTrue(places.stream().anyMatch(place -> place.round().send() != null));
    return places;
  }

  @ParameterizedTest
  @MethodSource("cases")
  void theOriginalPasses(Case subject) {
    Report report = Verifier.verify(subject.mutant().schedules(), subject.claims());
    assertTrue(report.isCorrect(), report::toString);
    assertEquals(subject.claims().rounds(), report.rounds());
    assertEquals(subject.claims().blocksSent(), report.blocksSent());
    assertTrue(report.toString().startsWith("correct: " + report.rounds() + " rounds"));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void aDroppedSendIsFound(Case subject) {
    for (Place at : places(subject)) {
      if (at.round().send() != null) {
        Mutant mutant = subject.mutant().send(at.rank(), at.index(), null);
        subject.mustReject(mutant, "without a send: " + at, Check.MATCHING);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void aDroppedReceiveIsFound(Case subject) {
    for (Place at : places(subject)) {
      if (at.round().receive() != null) {
        Mutant mutant = subject.mutant().receive(at.rank(), at.index(), null);
        subject.mustReject(mutant, "without a receive: " + at, Check.MATCHING);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void aDroppedMessageIsFound(Case subject) {
    for (Place at : places(subject)) {
      Send send = at.round().send();
      if (send != null) {
        Mutant mutant = subject.mutant().send(at.rank(), at.index(), null);
        mutant.receive(send.peer(), at.index(), null);
        subject.mustReject(mutant, "without a message: " + at, Check.HOLDING, Check.RESULT);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void aShiftedBlockIsFound(Case subject) {
    for (Place at : places(subject)) {
      Send send = at.round().send();
      if (send != null && send.size() == 1) {
        int block = (first(send).from() + 1) % subject.schedules().get(0).problem().blocks();
        Send shifted = with(send, send.peer(), BlockRange.of(block));
        Mutant mutant = subject.mutant().send(at.rank(), at.index(), shifted);
        subject.mustReject(mutant, "with another block: " + at, Check.MATCHING);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void aShortenedRangeIsFound(Case subject) {
    for (Place at : places(subject)) {
      Send send = at.round().send();
      if (send != null && send.size() > 1) {
        Mutant mutant = subject.mutant().send(at.rank(), at.index(), shortened(send));
        subject.mustReject(mutant, "with fewer blocks: " + at, Check.MATCHING);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void anotherPeerIsFound(Case subject) {
    for (Place at : places(subject)) {
      Send send = at.round().send();
      if (send != null) {
        int other = (send.peer() + 1) % SIZE == at.rank() ? send.peer() + 2 : send.peer() + 1;
        Send wrong = with(send, other % SIZE, first(send));
        Mutant mutant = subject.mutant().send(at.rank(), at.index(), wrong);
        subject.mustReject(mutant, "to another peer: " + at, Check.MATCHING);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void aSendOneRoundLaterIsFound(Case subject) {
    for (Place at : places(subject)) {
      Send send = at.round().send();
      Mutant mutant = subject.mutant();
      if (send != null && mutant.at(at.rank(), at.index() + 1).send() == null) {
        mutant.send(at.rank(), at.index(), null).send(at.rank(), at.index() + 1, send);
        subject.mustReject(mutant, "with a late send: " + at, Check.MATCHING);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void aRankThatIsOneRoundLateIsFound(Case subject) {
    for (int rank = 0; rank < SIZE; rank++) {
      Mutant mutant = subject.mutant().delay(rank);
      subject.mustReject(mutant, "with rank " + rank + " late", Check.MATCHING);
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void anExtraSendIsFound(Case subject) {
    for (Place at : places(subject)) {
      if (at.round().send() == null) {
        Send extra = new Send((at.rank() + 1) % SIZE, 0, BlockRange.of(0));
        Mutant mutant = subject.mutant().send(at.rank(), at.index(), extra);
        subject.mustReject(mutant, "with one more send: " + at, Check.MATCHING);
      }
    }
  }

  /** Both sides agree and the result stays right, but it costs more than claimed. */
  @ParameterizedTest
  @MethodSource("cases")
  void anExtraRoundIsFound(Case subject) {
    int last = subject.claims().rounds();
    BlockRange block = BlockRange.of(0);
    Mutant mutant = subject.mutant().send(0, last, new Send(1, 0, block));
    mutant.receive(1, last, new Receive(0, 5, block));
    subject.mustReject(mutant, "with one more round", Check.ROUNDS);
  }

  @ParameterizedTest
  @MethodSource("cases")
  void wrongClaimsAreFound(Case subject) {
    Claims right = subject.claims();
    for (int by : new int[] {-1, 1}) {
      List<Phase> other = new ArrayList<>(right.phases());
      Phase last = other.remove(other.size() - 1);
      other.add(last.withRounds(last.rounds() + by));
      Claims rounds = new Claims(other, right.blocksSent(), right.simplex());
      Claims volume = new Claims(right.phases(), right.blocksSent() + by, right.simplex());
      assertEquals(
          List.of(Check.ROUNDS),
          Verifier.verify(subject.schedules(), rounds).violations().stream()
              .map(Violation::check)
              .toList());
      assertEquals(
          List.of(Check.VOLUME),
          Verifier.verify(subject.schedules(), volume).violations().stream()
              .map(Violation::check)
              .toList());
    }
  }

  /** A phase that claims smaller messages, or less combining, than its rounds have. */
  @ParameterizedTest
  @MethodSource("cases")
  void phasesThatClaimTooLittleAreFound(Case subject) {
    List<Phase> none =
        subject.claims().phases().stream()
            .map(phase -> new Phase(phase.rounds(), 0, phase.combined()))
            .toList();
    subject.mustReject(subject.schedules(), none, Check.PHASES);
    if (subject.schedules().get(0).problem().collective().reducing()) {
      List<Phase> idle =
          subject.claims().phases().stream()
              .map(phase -> new Phase(phase.rounds(), phase.blocks(), 0))
              .toList();
      subject.mustReject(subject.schedules(), idle, Check.PHASES);
    }
  }

  @Test
  void aRankThatSendsAndReceivesBreaksTheSimplexClaim() {
    Case subject = allReduce("recursive-doubling", false);
    Claims claims = subject.claims();
    List<Phase> oneWay =
        claims.phases().stream()
            .map(p -> new Phase(p.rounds(), p.blocks(), p.combined(), false, false))
            .toList();
    subject.mustReject(subject.schedules(), oneWay, Check.PHASES);
    Report report =
        Verifier.verify(
            subject.schedules(), new Claims(claims.phases(), claims.blocksSent(), true));
    assertEquals(Check.SIMPLEX, report.violations().get(0).check(), report::toString);
  }

  @Test
  void aLocalPhaseThatLeavesTheHostIsFound() {
    Case subject = allReduce("recursive-doubling", false);
    List<Phase> local =
        subject.claims().phases().stream()
            .map(p -> new Phase(p.rounds(), p.blocks(), p.combined(), true, true))
            .toList();
    subject.mustReject(subject.schedules(), local, Check.PHASES);
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

  private static List<Schedule> exchange(Problem problem, List<Piece> sent, List<Piece> received) {
    List<Schedule> schedules = new ArrayList<>();
    for (int rank = 0; rank < 2; rank++) {
      Round round = new Round(new Send(1 - rank, sent), new Receive(1 - rank, received), List.of());
      schedules.add(new Schedule(problem, "exchange", rank, new BlockRange(0, 3), List.of(round)));
    }
    return schedules;
  }

  @ParameterizedTest
  @MethodSource("cases")
  void aMessageBeforeItsContentIsHeldIsFound(Case subject) {
    boolean tried = false;
    for (Place at : places(subject)) {
      Send send = at.round().send();
      if (send != null && usesScratch(send)) {
        tried = true;
        Mutant mutant = early(subject, at, send);
        subject.mustReject(mutant, "sent before held: " + at, Check.HOLDING);
      }
    }
    if (subject.schedules().get(0).problem().collective() == Collective.BROADCAST) {
      for (Place at : places(subject)) {
        Send send = at.round().send();
        if (send != null && at.rank() != 0) {
          tried = true;
          subject.mustReject(early(subject, at, send), "sent before held: " + at, Check.HOLDING);
        }
      }
    }
    assertTrue(tried || subject.schedules().stream().allMatch(VerifierTest::holdsAllItSends));
  }

  private static boolean holdsAllItSends(Schedule schedule) {
    return schedule.problem().collective() != Collective.BROADCAST
        && schedule.rounds().stream().allMatch(r -> r.send() == null || !usesScratch(r.send()));
  }

  /** Moves a message to a new round before all others. */
  private static Mutant early(Case subject, Place at, Send send) {
    Mutant mutant = subject.mutant().delayAll();
    Receive receive = mutant.at(send.peer(), at.index() + 1).receive();
    assertNotNull(receive);
    mutant.send(at.rank(), at.index() + 1, null).receive(send.peer(), at.index() + 1, null);
    return mutant.send(at.rank(), 0, send).receive(send.peer(), 0, receive);
  }

  @ParameterizedTest
  @MethodSource("reducingInOrder")
  void swappedOperandsAreFound(Case subject) {
    for (Place at : places(subject)) {
      for (int i = 0; i < at.round().local().size(); i++) {
        if (at.round().local().get(i) instanceof Combine combine) {
          Combine swapped =
              new Combine(combine.dst(), combine.right(), combine.left(), combine.blocks());
          Mutant mutant = withStep(subject, at, i, swapped);
          subject.mustReject(mutant, "with swapped operands: " + at, Check.RESULT);
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("reducingInOrder")
  void aDuplicatedContributionIsFound(Case subject) {
    for (Place at : places(subject)) {
      for (int i = 0; i < at.round().local().size(); i++) {
        if (at.round().local().get(i) instanceof Combine combine) {
          Combine twice =
              new Combine(combine.dst(), combine.dst(), combine.right(), combine.blocks());
          List<LocalStep> steps = new ArrayList<>(at.round().local());
          steps.add(i + 1, twice);
          Mutant mutant = subject.mutant().local(at.rank(), at.index(), steps);
          subject.mustReject(mutant, "with one contribution twice: " + at, Check.RESULT);
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void aForgottenLocalStepIsFound(Case subject) {
    for (Place at : places(subject)) {
      if (!at.round().local().isEmpty()) {
        Mutant mutant = subject.mutant().local(at.rank(), at.index(), List.of());
        subject.mustReject(mutant, "without local steps: " + at, Check.RESULT, Check.HOLDING);
      }
    }
  }

  private static Mutant withStep(Case subject, Place at, int index, LocalStep step) {
    List<LocalStep> steps = new ArrayList<>(at.round().local());
    steps.set(index, step);
    return subject.mutant().local(at.rank(), at.index(), steps);
  }

  @Test
  void aReceiveIntoABlockThatIsBeingSentIsFound() {
    Case subject = allReduce("recursive-doubling", true);
    int tried = 0;
    for (Place at : places(subject)) {
      Receive receive = at.round().receive();
      if (at.round().send() != null && receive != null) {
        Receive over = new Receive(receive.peer(), 0, receive.ranges().get(0));
        Mutant mutant = subject.mutant().receive(at.rank(), at.index(), over);
        subject.mustReject(mutant, "received over what is sent: " + at, Check.HAZARD);
        tried++;
      }
    }
    assertTrue(tried > 0);
  }

  /** Right as a value on every rank, but rounded differently on one of them. */
  @Test
  void anotherExpressionOnOneRankIsFound() {
    Case subject = allReduce("recursive-doubling", false);
    Place at =
        places(subject).stream()
            .filter(place -> place.rank() == SIZE - 1 && !place.round().local().isEmpty())
            .reduce((earlier, later) -> later)
            .orElseThrow();
    Combine last = (Combine) at.round().local().get(0);
    Combine swapped = new Combine(last.dst(), last.right(), last.left(), last.blocks());
    subject.mustReject(
        withStep(subject, at, 0, swapped), "with another expression", Check.AGREEMENT);
  }

  private static Case allReduce(String slug, boolean ordered) {
    return Case.of(Algorithms.find(Collective.ALLREDUCE, slug), ordered);
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

  private static void assertFirst(List<Schedule> schedules, @Nullable Check expected) {
    Report report = Verifier.verify(schedules, null);
    Check first = report.isCorrect() ? null : report.violations().get(0).check();
    assertEquals(expected, first, report::toString);
  }

  @Test
  void badFormIsFound() {
    Case subject = allReduce("ring", false);
    assertFirst(List.of(), Check.FORM);
    assertFirst(subject.schedules().subList(1, SIZE), Check.FORM);
    List<Schedule> swapped = new ArrayList<>(subject.schedules());
    swapped.add(swapped.remove(0));
    assertFirst(swapped, Check.FORM);
    BlockRange block = BlockRange.of(0);
    List<Round> bad =
        List.of(
            new Round(new Send(2, 0, block), null, List.of()),
            new Round(new Send(SIZE, 0, block), null, List.of()),
            new Round(null, new Receive(-1, 0, block), List.of()),
            new Round(new Send(1, -1, block), null, List.of()),
            new Round(new Send(1, 64, block), null, List.of()),
            new Round(new Send(1, 0, new BlockRange(0, BLOCKS + 1)), null, List.of()),
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

  @Test
  void manyViolationsAreListedInPartAndCounted() {
    Problem problem = new Problem(Collective.ALLREDUCE, 30, 0, 30, false);
    List<Schedule> idle = new ArrayList<>();
    for (int rank = 0; rank < 30; rank++) {
      idle.add(new Schedule(problem, "idle", rank, new BlockRange(0, 30), List.of()));
    }
    Report report = Verifier.verify(idle, null);
    assertEquals(50, report.violations().size());
    String last = report.violations().get(49).what();
    assertTrue(last.endsWith("(and " + (30 * 30 + 29 * 30 - 50) + " violations more)"), last);
  }

  @Test
  void violationsSayWhoWhenAndWhat() {
    Case subject = allReduce("recursive-doubling", true);
    Report report =
        Verifier.verify(subject.mutant().send(1, 0, null).schedules(), subject.claims());
    assertEquals(
        "MATCHING rank 0 round 0: receives from 1, which does not send",
        report.violations().get(0).toString());
    Report wrong =
        Verifier.verify(subject.mutant().local(6, 2, List.of()).schedules(), subject.claims());
    assertTrue(
        wrong.toString().startsWith("RESULT rank 6: block 0 ends as 4..6, not as 0..6 in order"),
        wrong::toString);
  }
}
