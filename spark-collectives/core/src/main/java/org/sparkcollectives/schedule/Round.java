package org.sparkcollectives.schedule;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one rank does in one round: at most one send and at most one receive, at the same time, then
 * local steps in their order. Rounds have the same number on all ranks, so a rank that is idle has
 * an empty round.
 *
 * @param send what is sent, or null
 * @param receive what is received, or null
 * @param local the local steps, in order
 */
public record Round(@Nullable Send send, @Nullable Receive receive, List<LocalStep> local) {

  /** The round in which a rank does nothing. */
  public static final Round IDLE = new Round(null, null, List.of());

  /**
   * Copies the list of steps.
   *
   * @param send what is sent, or null
   * @param receive what is received, or null
   * @param local the local steps, in order
   */
  public Round {
    local = List.copyOf(local);
  }

  /**
   * Whether nothing happens in this round.
   *
   * @return true when there is neither communication nor a local step
   */
  public boolean isIdle() {
    return send == null && receive == null && local.isEmpty();
  }
}
