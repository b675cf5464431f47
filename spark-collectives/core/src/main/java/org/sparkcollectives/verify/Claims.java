package org.sparkcollectives.verify;

import java.util.List;
import org.sparkcollectives.schedule.Phase;

/**
 * What an algorithm says of its schedules for a problem.
 *
 * @param phases its rounds from the first to the last
 * @param blocksSent the number of blocks that the rank sends that sends most
 * @param simplex whether no rank sends and receives in the same round
 */
public record Claims(List<Phase> phases, long blocksSent, boolean simplex) {

  /**
   * Copies the list.
   *
   * @param phases its rounds from the first to the last
   * @param blocksSent the number of blocks that the rank sends that sends most
   * @param simplex whether no rank sends and receives in the same round
   */
  public Claims {
    phases = List.copyOf(phases);
  }

  /**
   * The number of rounds of the rank that has most.
   *
   * @return the sum over the phases
   */
  public int rounds() {
    return Phase.rounds(phases);
  }
}
