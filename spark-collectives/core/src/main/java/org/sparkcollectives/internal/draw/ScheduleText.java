package org.sparkcollectives.internal.draw;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.sparkcollectives.internal.text.Counted;
import org.sparkcollectives.schedule.Combine;
import org.sparkcollectives.schedule.Copy;
import org.sparkcollectives.schedule.LocalStep;
import org.sparkcollectives.schedule.Message;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Round;
import org.sparkcollectives.schedule.Schedule;

/**
 * Schedules as text for people. {@code v} is the user's vector and {@code s1}, {@code s2} … are the
 * scratch slots; {@code v[2]} is one block and {@code v[2, 5)} a range; {@code ⊕} combines.
 */
public final class ScheduleText {
  private ScheduleText() {}

  /**
   * The problem that schedules solve.
   *
   * @param schedule the schedule of any rank
   * @return one line without its end
   */
  public static String header(Schedule schedule) {
    Problem problem = schedule.problem();
    return problem.collective()
        + " by "
        + schedule.algorithm()
        + ", "
        + Counted.of(problem.size(), "rank")
        + (problem.collective().rooted() ? ", root " + problem.root() : "")
        + ", "
        + Counted.of(problem.blocks(), "block")
        + (problem.collective().reducing()
            ? problem.ordered() ? ", in order" : ", in any order"
            : "")
        + (problem.topology().isFlat() ? "" : ", " + problem.topology());
  }

  /**
   * One rank's rounds; idle rounds are left out.
   *
   * @param schedule the rank's schedule
   * @return lines, each with its end
   */
  public static String rounds(Schedule schedule) {
    StringBuilder text = new StringBuilder("rank ").append(schedule.rank());
    if (schedule.owned().size() < schedule.problem().blocks()) {
      text.append(", owns ").append(schedule.owned());
    }
    text.append('\n');
    for (int i = 0; i < schedule.rounds().size(); i++) {
      if (!schedule.rounds().get(i).isIdle()) {
        text.append("  round ").append(i).append(": ").append(round(schedule.rounds().get(i)));
        text.append('\n');
      }
    }
    return text.toString();
  }

  private static String round(Round round) {
    List<String> parts = new ArrayList<>();
    if (round.send() != null) {
      parts.add("send " + pieces(round.send()) + " to " + round.send().peer());
    }
    if (round.receive() != null) {
      parts.add("receive " + pieces(round.receive()) + " from " + round.receive().peer());
    }
    for (LocalStep step : round.local()) {
      parts.add(slot(step.dst()) + step.blocks() + " = " + operands(step));
    }
    return String.join("; ", parts);
  }

  private static String pieces(Message message) {
    if (message.isSignal()) {
      return "a signal";
    }
    return message.pieces().stream()
        .map(piece -> slot(piece.slot()) + piece.blocks())
        .collect(Collectors.joining(" "));
  }

  private static String operands(LocalStep step) {
    if (step instanceof Combine combine) {
      return slot(combine.left()) + " ⊕ " + slot(combine.right());
    }
    return slot(((Copy) step).src());
  }

  private static String slot(int slot) {
    return slot == 0 ? "v" : "s" + slot;
  }
}
