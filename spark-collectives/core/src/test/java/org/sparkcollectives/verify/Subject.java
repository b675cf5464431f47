package org.sparkcollectives.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.sparkcollectives.internal.algorithm.Algorithm;
import org.sparkcollectives.internal.algorithm.Algorithms;
import org.sparkcollectives.internal.conformance.Conformance;
import org.sparkcollectives.internal.conformance.Sweep;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Round;
import org.sparkcollectives.schedule.Schedule;

/** A right set of schedules with its claims, to be spoilt. */
record Subject(String name, List<Schedule> schedules, Claims claims) {
  /** The ranks of a subject; where it cannot have so many, it has the next number that it can. */
  static final int SIZE = 7;

  /** The blocks of a subject; where it cannot have so many, it has one for each rank. */
  static final int BLOCKS = 9;

  /** The method that gives all subjects. */
  static final String ALL = "org.sparkcollectives.verify.Subject#cases";

  /** The method that gives those that combine in rank order. */
  static final String REDUCING_IN_ORDER = "org.sparkcollectives.verify.Subject#reducingInOrder";

  /** A place in a schedule. */
  record RankRound(int rank, int index, Round round) {}

  /** Every algorithm, in any order and, if it keeps that, in rank order. */
  static List<Subject> cases() {
    List<Subject> cases = new ArrayList<>();
    for (Algorithm algorithm : Algorithms.all()) {
      assertNull(algorithm.refusal(problem(algorithm, false)), algorithm::toString);
      cases.add(of(algorithm, false));
      if (algorithm.traits().keepsOrder()) {
        cases.add(of(algorithm, true));
      }
    }
    return cases;
  }

  static List<Subject> reducingInOrder() {
    return cases().stream()
        .filter(c -> c.schedules().get(0).problem().ordered())
        .filter(c -> c.schedules().get(0).problem().collective().reducing())
        .toList();
  }

  static Subject allReduce(String slug, boolean ordered) {
    return of(Algorithms.find(Collective.ALLREDUCE, slug), ordered);
  }

  static Subject of(Algorithm algorithm, boolean ordered) {
    Problem problem = problem(algorithm, ordered);
    return new Subject(
        algorithm + (ordered ? ", in order" : ", in any order"),
        Conformance.schedules(algorithm, problem),
        Conformance.claims(algorithm, problem));
  }

  static Problem problem(Algorithm algorithm, boolean ordered) {
    Collective collective = algorithm.collective();
    Problem example = Sweep.example(algorithm, SIZE);
    int size = example.size();
    int blocks = collective == Collective.ALLTOALL ? size * size : BLOCKS;
    Problem problem = new Problem(collective, size, 0, blocks, ordered, example.topology());
    return algorithm.refusal(problem) == null
        ? problem
        : new Problem(collective, size, 0, size, ordered, example.topology());
  }

  /** The number of ranks. */
  int size() {
    return schedules.size();
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
    Verification report = Verifier.verify(originals, wrong);
    assertFalse(report.isCorrect(), () -> name + " passed with " + phases);
    assertEquals(expected, report.violations().get(0).check(), report::toString);
  }

  void mustReject(Mutant mutant, String how, Check... expected) {
    Verification report = Verifier.verify(mutant.schedules(), claims);
    Set<Check> found = EnumSet.noneOf(Check.class);
    report.violations().forEach(violation -> found.add(violation.check()));
    assertTrue(
        Stream.of(expected).anyMatch(found::contains),
        () -> name + " " + how + " passed " + List.of(expected) + ": " + report);
  }

  /** All rounds of all ranks. */
  List<RankRound> places() {
    List<RankRound> places = new ArrayList<>();
    for (Schedule schedule : schedules) {
      for (int i = 0; i < schedule.rounds().size(); i++) {
        places.add(new RankRound(schedule.rank(), i, schedule.rounds().get(i)));
      }
    }
    assertTrue(places.stream().anyMatch(place -> place.round().send() != null));
    return places;
  }
}
