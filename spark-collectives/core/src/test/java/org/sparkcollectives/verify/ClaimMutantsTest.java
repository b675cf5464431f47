package org.sparkcollectives.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.sparkcollectives.schedule.BlockRange;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Receive;
import org.sparkcollectives.schedule.Send;

/** Claims that right schedules do not keep; none may pass. */
final class ClaimMutantsTest {
  /** Both sides agree and the result stays right, but it costs more than claimed. */
  @ParameterizedTest
  @MethodSource(Subject.ALL)
  void anExtraRoundIsFound(Subject subject) {
    int last = subject.claims().rounds();
    BlockRange block = BlockRange.of(0);
    Mutant mutant = subject.mutant().send(0, last, new Send(1, 0, block));
    mutant.receive(1, last, new Receive(0, 5, block));
    subject.mustReject(mutant, "with one more round", Check.ROUNDS);
  }

  @ParameterizedTest
  @MethodSource(Subject.ALL)
  void wrongClaimsAreFound(Subject subject) {
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
  @MethodSource(Subject.ALL)
  void phasesThatClaimTooLittleAreFound(Subject subject) {
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
    Subject subject = Subject.allReduce("recursive-doubling", false);
    Claims claims = subject.claims();
    List<Phase> oneWay =
        claims.phases().stream()
            .map(p -> new Phase(p.rounds(), p.blocks(), p.combined(), false, false))
            .toList();
    subject.mustReject(subject.schedules(), oneWay, Check.PHASES);
    Verification report =
        Verifier.verify(
            subject.schedules(), new Claims(claims.phases(), claims.blocksSent(), true));
    assertEquals(Check.SIMPLEX, report.violations().get(0).check(), report::toString);
  }

  @Test
  void aLocalPhaseThatLeavesTheHostIsFound() {
    Subject subject = Subject.allReduce("recursive-doubling", false);
    List<Phase> local =
        subject.claims().phases().stream()
            .map(p -> new Phase(p.rounds(), p.blocks(), p.combined(), true, true))
            .toList();
    subject.mustReject(subject.schedules(), local, Check.PHASES);
  }
}
