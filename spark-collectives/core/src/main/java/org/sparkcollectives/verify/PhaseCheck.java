package org.sparkcollectives.verify;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.schedule.Combine;
import org.sparkcollectives.schedule.Level;
import org.sparkcollectives.schedule.LocalStep;
import org.sparkcollectives.schedule.Message;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Round;
import org.sparkcollectives.schedule.Schedule;

/** Compares each round of each rank with the phase that is claimed for it. */
final class PhaseCheck {
  private final Claims claims;
  private final Findings findings;

  private PhaseCheck(Claims claims, Findings findings) {
    this.claims = claims;
    this.findings = findings;
  }

  static void run(List<Schedule> schedules, Claims claims, Findings findings) {
    PhaseCheck check = new PhaseCheck(claims, findings);
    for (Schedule schedule : schedules) {
      int round = 0;
      for (Phase phase : claims.phases()) {
        int end = Math.min(round + phase.rounds(), schedule.rounds().size());
        for (; round < end; round++) {
          check.check(schedule, round, phase);
        }
      }
    }
  }

  private void check(Schedule schedule, int number, Phase phase) {
    Round round = schedule.rounds().get(number);
    int rank = schedule.rank();
    checkMessage(schedule, number, phase, round.send());
    checkMessage(schedule, number, phase, round.receive());
    long combined = 0;
    for (LocalStep step : round.local()) {
      combined += step instanceof Combine ? step.blocks().size() : 0;
    }
    if (combined > phase.combined()) {
      findings.add(
          Check.PHASES,
          rank,
          number,
          "combines " + combined + " blocks, but at most " + phase.combined() + " are claimed");
    }
    if (round.send() != null && round.receive() != null) {
      if (claims.simplex()) {
        findings.add(Check.SIMPLEX, rank, number, "sends and receives");
      } else if (!phase.bothWays()) {
        findings.add(Check.PHASES, rank, number, "sends and receives, which is claimed not to be");
      }
    }
  }

  private void checkMessage(Schedule schedule, int number, Phase phase, @Nullable Message message) {
    if (message == null) {
      return;
    }
    int rank = schedule.rank();
    if (message.size() > phase.blocks()) {
      findings.add(
          Check.PHASES,
          rank,
          number,
          "a message has "
              + message.size()
              + " blocks, but at most "
              + phase.blocks()
              + " are claimed");
    }
    boolean crosses = schedule.problem().topology().level(rank, message.peer()) == Level.NETWORK;
    if (phase.local() && crosses) {
      findings.add(Check.PHASES, rank, number, "a message leaves the host, which is claimed not");
    }
  }
}
