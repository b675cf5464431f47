package org.sparkcollectives.verify;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.schedule.BlockRange;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Combine;
import org.sparkcollectives.schedule.Copy;
import org.sparkcollectives.schedule.LocalStep;
import org.sparkcollectives.schedule.Message;
import org.sparkcollectives.schedule.Piece;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Round;
import org.sparkcollectives.schedule.Schedule;

/**
 * Executes all ranks' schedules of a problem round by round with symbolic values and checks what
 * {@link Check} lists.
 *
 * <p><b>No deadlock.</b> A round has at most one send and one receive by its type. With {@link
 * Check#MATCHING}, ranks that take their rounds in sequence, with send and receive of a round at
 * the same time, always advance, even if nothing is buffered and every send waits for its receive:
 * among the ranks that are not done, take one whose round number i is least. Its peers of round i
 * have not finished round i without it, since they have their half of the same message there, and
 * they are not before round i, since i is least. So they are in round i, and the message can pass.
 */
public final class Verifier {
  /** More slots than any schedule has use for; a higher number is taken for a mistake. */
  private static final int SLOTS = 64;

  private Verifier() {}

  /**
   * Verifies schedules and what their algorithm claims of them.
   *
   * @param schedules all ranks' schedules of one problem, in rank order
   * @param claims what is claimed, or null to check the schedules alone
   * @return the finding
   */
  public static Verification verify(List<Schedule> schedules, @Nullable Claims claims) {
    Findings findings = new Findings();
    checkForm(schedules, findings);
    if (!findings.isEmpty()) {
      return new Verification(findings.list(), 0, 0);
    }
    Problem problem = schedules.get(0).problem();
    SymbolicValues values =
        new SymbolicValues(problem.size(), problem.collective() == Collective.BARRIER);
    Specification specification = new Specification(schedules, values);
    Execution execution = new Execution(schedules, specification, values, findings);
    int rounds = 0;
    long blocksSent = 0;
    for (Schedule schedule : schedules) {
      rounds = Math.max(rounds, rounds(schedule));
      blocksSent = Math.max(blocksSent, blocksSent(schedule));
    }
    for (int round = 0; round < rounds && findings.isEmpty(); round++) {
      execution.run(round);
    }
    if (findings.isEmpty()) {
      specification.checkResults(execution.vectors(), findings);
    }
    if (claims != null) {
      checkClaims(claims, rounds, blocksSent, findings);
      if (findings.isEmpty()) {
        PhaseCheck.run(schedules, claims, findings);
      }
    }
    return new Verification(findings.list(), rounds, blocksSent);
  }

  private static void checkClaims(Claims claims, int rounds, long blocksSent, Findings findings) {
    if (rounds != claims.rounds()) {
      findings.add(Check.ROUNDS, -1, -1, rounds + " rounds, but " + claims.rounds() + " claimed");
    }
    if (blocksSent != claims.blocksSent()) {
      findings.add(
          Check.VOLUME,
          -1,
          -1,
          "a rank sends " + blocksSent + " blocks, but " + claims.blocksSent() + " claimed");
    }
  }

  private static int rounds(Schedule schedule) {
    int rounds = schedule.rounds().size();
    while (rounds > 0 && schedule.rounds().get(rounds - 1).isIdle()) {
      rounds--;
    }
    return rounds;
  }

  private static long blocksSent(Schedule schedule) {
    long sum = 0;
    for (Round round : schedule.rounds()) {
      sum += round.send() == null ? 0 : round.send().size();
    }
    return sum;
  }

  private static void checkForm(List<Schedule> schedules, Findings findings) {
    if (schedules.isEmpty()) {
      findings.add(Check.FORM, -1, -1, "there are no schedules");
      return;
    }
    Schedule first = schedules.get(0);
    Problem problem = first.problem();
    if (schedules.size() != problem.size()) {
      findings.add(
          Check.FORM, -1, -1, schedules.size() + " schedules for " + problem.size() + " ranks");
    }
    for (int rank = 0; rank < schedules.size(); rank++) {
      Schedule schedule = schedules.get(rank);
      if (schedule.rank() != rank
          || !schedule.problem().equals(problem)
          || !schedule.algorithm().equals(first.algorithm())) {
        findings.add(
            Check.FORM,
            rank,
            -1,
            "the schedule is one of rank "
                + schedule.rank()
                + " by "
                + schedule.algorithm()
                + " for "
                + schedule.problem());
      }
      checkRounds(schedule, findings);
    }
    if (findings.isEmpty()) { // what a rank owns begins where that of the rank before ends
      checkOwned(schedules, findings);
    }
  }

  private static void checkRounds(Schedule schedule, Findings findings) {
    for (int i = 0; i < schedule.rounds().size(); i++) {
      Round round = schedule.rounds().get(i);
      if (round.send() != null) {
        checkMessage(schedule, i, round.send(), findings);
      }
      if (round.receive() != null) {
        checkMessage(schedule, i, round.receive(), findings);
      }
      for (LocalStep step : round.local()) {
        if (step instanceof Combine combine) {
          checkBlocks(
              schedule, i, step.blocks(), findings, step.dst(), combine.left(), combine.right());
        } else if (step instanceof Copy copy) {
          checkBlocks(schedule, i, step.blocks(), findings, step.dst(), copy.src());
        }
      }
    }
  }

  private static void checkMessage(
      Schedule schedule, int round, Message message, Findings findings) {
    int peer = message.peer();
    if (peer < 0 || peer >= schedule.problem().size() || peer == schedule.rank()) {
      findings.add(Check.FORM, schedule.rank(), round, peer + " is no peer of this rank");
    }
    if (message.pieces().isEmpty()) {
      findings.add(Check.FORM, schedule.rank(), round, "a message carries nothing");
    }
    boolean signal = message.isSignal();
    for (Piece piece : message.pieces()) {
      if (signal) {
        checkSlot(schedule, round, findings, piece.slot());
      } else {
        checkBlocks(schedule, round, piece.blocks(), findings, piece.slot());
      }
    }
  }

  private static void checkBlocks(
      Schedule schedule, int round, BlockRange blocks, Findings findings, int... slots) {
    if (blocks.isEmpty() || blocks.to() > schedule.problem().blocks()) {
      findings.add(
          Check.FORM,
          schedule.rank(),
          round,
          "blocks " + blocks + " of 0 to " + (schedule.problem().blocks() - 1));
    }
    for (int slot : slots) {
      checkSlot(schedule, round, findings, slot);
    }
  }

  private static void checkSlot(Schedule schedule, int round, Findings findings, int slot) {
    if (slot < 0 || slot >= SLOTS) {
      findings.add(Check.FORM, schedule.rank(), round, "there is no slot " + slot);
    }
  }

  private static void checkOwned(List<Schedule> schedules, Findings findings) {
    Problem problem = schedules.get(0).problem();
    boolean divided = problem.collective().divided();
    int end = 0;
    for (Schedule schedule : schedules) {
      BlockRange owned = schedule.owned();
      int to = divided ? end(problem, schedule.rank(), end) : problem.blocks();
      BlockRange wanted = new BlockRange(divided ? end : 0, to);
      if (!owned.equals(wanted)) {
        findings.add(
            Check.FORM, schedule.rank(), -1, "owns blocks " + owned + " instead of " + wanted);
      }
      end = to;
    }
    if (problem.collective() == Collective.ALLTOALL
        && problem.blocks() != (long) problem.size() * problem.size()) {
      findings.add(
          Check.FORM,
          -1,
          -1,
          "an alltoall has a block for each pair of ranks, not " + problem.blocks());
    }
  }

  /**
   * Where a rank's part ends: as the problem says, or such that parts are nearly equal. Counted
   * here anew, as nothing of what makes schedules is taken for granted.
   */
  private static int end(Problem problem, int rank, int start) {
    return problem.parts().isEmpty()
        ? (int) ((rank + 1L) * problem.blocks() / problem.size())
        : start + problem.parts().get(rank);
  }
}
