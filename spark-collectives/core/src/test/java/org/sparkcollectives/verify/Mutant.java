package org.sparkcollectives.verify;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.schedule.LocalStep;
import org.sparkcollectives.schedule.Receive;
import org.sparkcollectives.schedule.Round;
import org.sparkcollectives.schedule.Schedule;
import org.sparkcollectives.schedule.Send;

/** A copy of all ranks' schedules that can be spoilt. */
final class Mutant {
  private final List<Schedule> originals;
  private final List<List<Round>> rounds = new ArrayList<>();

  Mutant(List<Schedule> originals) {
    this.originals = originals;
    for (Schedule schedule : originals) {
      rounds.add(new ArrayList<>(schedule.rounds()));
    }
  }

  Round at(int rank, int round) {
    List<Round> ofRank = rounds.get(rank);
    return round < ofRank.size() ? ofRank.get(round) : Round.IDLE;
  }

  Mutant change(int rank, int round, UnaryOperator<Round> change) {
    List<Round> ofRank = rounds.get(rank);
    while (ofRank.size() <= round) {
      ofRank.add(Round.IDLE);
    }
    ofRank.set(round, change.apply(ofRank.get(round)));
    return this;
  }

  Mutant send(int rank, int round, @Nullable Send send) {
    return change(rank, round, r -> new Round(send, r.receive(), r.local()));
  }

  Mutant receive(int rank, int round, @Nullable Receive receive) {
    return change(rank, round, r -> new Round(r.send(), receive, r.local()));
  }

  Mutant local(int rank, int round, List<LocalStep> local) {
    return change(rank, round, r -> new Round(r.send(), r.receive(), local));
  }

  /** Puts an idle round before all rounds of a rank. */
  Mutant delay(int rank) {
    rounds.get(rank).add(0, Round.IDLE);
    return this;
  }

  Mutant delayAll() {
    for (int rank = 0; rank < rounds.size(); rank++) {
      delay(rank);
    }
    return this;
  }

  List<Schedule> schedules() {
    List<Schedule> schedules = new ArrayList<>();
    for (int rank = 0; rank < originals.size(); rank++) {
      Schedule original = originals.get(rank);
      schedules.add(
          new Schedule(
              original.problem(),
              original.algorithm(),
              original.rank(),
              original.owned(),
              rounds.get(rank)));
    }
    return schedules;
  }
}
