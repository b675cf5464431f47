package org.sparkcollectives.verify;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.sparkcollectives.schedule.Combine;
import org.sparkcollectives.schedule.LocalStep;

/** Local steps spoilt in every place where a kind of mistake can be made; none may pass. */
final class StepMutantsTest {
  @ParameterizedTest
  @MethodSource(Subject.REDUCING_IN_ORDER)
  void swappedOperandsAreFound(Subject subject) {
    for (Subject.RankRound at : subject.places()) {
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
  @MethodSource(Subject.REDUCING_IN_ORDER)
  void aDuplicatedContributionIsFound(Subject subject) {
    for (Subject.RankRound at : subject.places()) {
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
  @MethodSource(Subject.ALL)
  void aForgottenLocalStepIsFound(Subject subject) {
    for (Subject.RankRound at : subject.places()) {
      if (!at.round().local().isEmpty()) {
        Mutant mutant = subject.mutant().local(at.rank(), at.index(), List.of());
        subject.mustReject(mutant, "without local steps: " + at, Check.RESULT, Check.HOLDING);
      }
    }
  }

  /** Right as a value on every rank, but rounded differently on one of them. */
  @Test
  void anotherExpressionOnOneRankIsFound() {
    Subject subject = Subject.allReduce("recursive-doubling", false);
    Subject.RankRound at =
        subject.places().stream()
            .filter(place -> place.rank() == Subject.SIZE - 1 && !place.round().local().isEmpty())
            .reduce((earlier, later) -> later)
            .orElseThrow();
    Combine last = (Combine) at.round().local().get(0);
    Combine swapped = new Combine(last.dst(), last.right(), last.left(), last.blocks());
    subject.mustReject(
        withStep(subject, at, 0, swapped), "with another expression", Check.AGREEMENT);
  }

  private static Mutant withStep(Subject subject, Subject.RankRound at, int index, LocalStep step) {
    List<LocalStep> steps = new ArrayList<>(at.round().local());
    steps.set(index, step);
    return subject.mutant().local(at.rank(), at.index(), steps);
  }
}
