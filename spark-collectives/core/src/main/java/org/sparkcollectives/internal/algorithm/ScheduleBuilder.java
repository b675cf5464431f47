package org.sparkcollectives.internal.algorithm;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.schedule.BlockRange;
import org.sparkcollectives.schedule.Combine;
import org.sparkcollectives.schedule.Copy;
import org.sparkcollectives.schedule.LocalStep;
import org.sparkcollectives.schedule.Piece;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Receive;
import org.sparkcollectives.schedule.Round;
import org.sparkcollectives.schedule.Schedule;
import org.sparkcollectives.schedule.Send;

/**
 * Collects one rank's rounds under their global numbers, in any sequence. Rounds without an entry
 * are idle; steps on no block are left out, on the sender's side as on the receiver's.
 */
public final class ScheduleBuilder {

  /** The user's vector. */
  public static final int VECTOR = 0;

  /** The scratch slot that takes an operand for the combine of the same round. */
  public static final int OPERAND = 1;

  private final Problem problem;
  private final String algorithm;
  private final int rank;
  private final List<Draft> drafts = new ArrayList<>();
  private BlockRange owned;

  /**
   * Starts with no rounds; the rank owns all blocks.
   *
   * @param problem what the schedule solves
   * @param algorithm the slug of its algorithm
   * @param rank the rank
   */
  public ScheduleBuilder(Problem problem, String algorithm, int rank) {
    this.problem = problem;
    this.algorithm = algorithm;
    this.rank = rank;
    this.owned = new BlockRange(0, problem.blocks());
  }

  /**
   * Says which blocks are the rank's part of the vector.
   *
   * @param blocks the blocks that it owns
   */
  public void own(BlockRange blocks) {
    owned = blocks;
  }

  /**
   * Sends blocks.
   *
   * @param round the round's number
   * @param peer the receiver
   * @param slot the slot read
   * @param blocks the blocks; nothing happens for none
   * @throws IllegalStateException if the round has a send already
   */
  public void send(int round, int peer, int slot, BlockRange blocks) {
    send(round, peer, List.of(new Piece(slot, blocks)));
  }

  /**
   * Sends several runs of blocks in one message.
   *
   * @param round the round's number
   * @param peer the receiver
   * @param pieces the runs; empty ones are left out, and nothing happens if all are
   * @throws IllegalStateException if the round has a send already
   */
  public void send(int round, int peer, List<Piece> pieces) {
    List<Piece> present = present(pieces);
    if (!present.isEmpty()) {
      enterSend(round, new Send(peer, present));
    }
  }

  /**
   * Sends a signal, a message of no blocks: that this rank has received all that earlier rounds
   * bring it.
   *
   * @param round the round's number
   * @param peer the receiver
   * @throws IllegalStateException if the round has a send already
   */
  public void signal(int round, int peer) {
    enterSend(round, new Send(peer, VECTOR, BlockRange.NONE));
  }

  /**
   * Receives a signal.
   *
   * @param round the round's number
   * @param peer the sender
   * @throws IllegalStateException if the round has a receive already
   */
  public void receiveSignal(int round, int peer) {
    enterReceive(round, new Receive(peer, VECTOR, BlockRange.NONE));
  }

  private void enterSend(int round, Send send) {
    Draft draft = draft(round);
    if (draft.send != null) {
      throw new IllegalStateException(
          describe(round) + " sends to " + draft.send.peer() + " already");
    }
    draft.send = send;
  }

  private void enterReceive(int round, Receive receive) {
    Draft draft = draft(round);
    if (draft.receive != null) {
      throw new IllegalStateException(
          describe(round) + " receives from " + draft.receive.peer() + " already");
    }
    draft.receive = receive;
  }

  private static List<Piece> present(List<Piece> pieces) {
    for (Piece piece : pieces) {
      if (piece.blocks().isEmpty()) {
        return pieces.stream().filter(each -> !each.blocks().isEmpty()).toList();
      }
    }
    return pieces;
  }

  /**
   * Receives blocks.
   *
   * @param round the round's number
   * @param peer the sender
   * @param slot the slot written
   * @param blocks the blocks; nothing happens for none
   * @throws IllegalStateException if the round has a receive already
   */
  public void receive(int round, int peer, int slot, BlockRange blocks) {
    receive(round, peer, List.of(new Piece(slot, blocks)));
  }

  /**
   * Receives several runs of blocks in one message, with the ranges that the sender names.
   *
   * @param round the round's number
   * @param peer the sender
   * @param pieces the runs; empty ones are left out, and nothing happens if all are
   * @throws IllegalStateException if the round has a receive already
   */
  public void receive(int round, int peer, List<Piece> pieces) {
    List<Piece> present = present(pieces);
    if (!present.isEmpty()) {
      enterReceive(round, new Receive(peer, present));
    }
  }

  /**
   * Receives blocks that stand for lower ranks and combines them into the vector: {@code vector =
   * received ⊕ vector}.
   *
   * @param round the round's number
   * @param peer the sender
   * @param blocks the blocks; nothing happens for none
   */
  public void receiveLeft(int round, int peer, BlockRange blocks) {
    receive(round, peer, OPERAND, blocks);
    combine(round, VECTOR, OPERAND, VECTOR, blocks);
  }

  /**
   * Receives blocks that stand for higher ranks and combines them into the vector: {@code vector =
   * vector ⊕ received}.
   *
   * @param round the round's number
   * @param peer the sender
   * @param blocks the blocks; nothing happens for none
   */
  public void receiveRight(int round, int peer, BlockRange blocks) {
    receive(round, peer, OPERAND, blocks);
    combine(round, VECTOR, VECTOR, OPERAND, blocks);
  }

  /**
   * Combines the vector with blocks of a peer, with the lower rank's operand on the left.
   *
   * @param round the round's number
   * @param peer the sender, whose blocks stand for ranks all lower or all higher than this one's
   * @param blocks the blocks; nothing happens for none
   */
  public void receiveInOrder(int round, int peer, BlockRange blocks) {
    if (peer < rank) {
      receiveLeft(round, peer, blocks);
    } else {
      receiveRight(round, peer, blocks);
    }
  }

  /**
   * Combines the vector with several runs of blocks of a peer, with the lower rank's operand on the
   * left.
   *
   * @param round the round's number
   * @param peer the sender, whose blocks stand for ranks all lower or all higher than this one's
   * @param ranges the runs; empty ones are left out, and nothing happens if all are
   */
  public void receiveInOrder(int round, int peer, List<BlockRange> ranges) {
    receive(round, peer, pieces(OPERAND, ranges));
    int left = peer < rank ? OPERAND : VECTOR;
    for (BlockRange range : ranges) {
      combine(round, VECTOR, left, VECTOR + OPERAND - left, range);
    }
  }

  /**
   * Several runs of blocks of one slot.
   *
   * @param slot the slot
   * @param ranges the runs
   * @return a piece for each
   */
  public static List<Piece> pieces(int slot, List<BlockRange> ranges) {
    List<Piece> pieces = new ArrayList<>(ranges.size());
    for (BlockRange range : ranges) {
      pieces.add(new Piece(slot, range));
    }
    return pieces;
  }

  /**
   * Combines, after the round's communication and the local steps entered before.
   *
   * @param round the round's number
   * @param dst the slot written
   * @param left the slot of the left operand
   * @param right the slot of the right operand
   * @param blocks the blocks; nothing happens for none
   */
  public void combine(int round, int dst, int left, int right, BlockRange blocks) {
    if (!blocks.isEmpty()) {
      draft(round).local(new Combine(dst, left, right, blocks));
    }
  }

  /**
   * Copies, after the round's communication and the local steps entered before.
   *
   * @param round the round's number
   * @param dst the slot written
   * @param src the slot read
   * @param blocks the blocks; nothing happens for none
   */
  public void copy(int round, int dst, int src, BlockRange blocks) {
    if (!blocks.isEmpty()) {
      draft(round).local(new Copy(dst, src, blocks));
    }
  }

  /**
   * The schedule of the rounds entered so far, without idle rounds at the end.
   *
   * @return the schedule
   */
  public Schedule build() {
    List<Round> rounds = new ArrayList<>(drafts.size());
    for (Draft draft : drafts) {
      rounds.add(draft.build());
    }
    return new Schedule(problem, algorithm, rank, owned, rounds);
  }

  private Draft draft(int round) {
    if (round < 0) {
      throw new IllegalStateException(describe(round) + " is before the first");
    }
    while (drafts.size() <= round) {
      drafts.add(new Draft());
    }
    return drafts.get(round);
  }

  private String describe(int round) {
    return algorithm + " for " + problem + ": rank " + rank + " in round " + round;
  }

  /** A round in the making. */
  private static final class Draft {
    private @Nullable Send send;
    private @Nullable Receive receive;
    private List<LocalStep> local = List.of();

    void local(LocalStep step) {
      if (local.isEmpty()) {
        local = new ArrayList<>(2);
      }
      local.add(step);
    }

    Round build() {
      return send == null && receive == null && local.isEmpty()
          ? Round.IDLE
          : new Round(send, receive, local);
    }
  }
}
