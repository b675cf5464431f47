package org.sparkcollectives.verify;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.schedule.BlockRange;
import org.sparkcollectives.schedule.Combine;
import org.sparkcollectives.schedule.Copy;
import org.sparkcollectives.schedule.LocalStep;
import org.sparkcollectives.schedule.Message;
import org.sparkcollectives.schedule.Piece;
import org.sparkcollectives.schedule.Receive;
import org.sparkcollectives.schedule.Round;
import org.sparkcollectives.schedule.Schedule;
import org.sparkcollectives.schedule.Send;

/** The slots of all ranks, on which rounds are executed with symbolic values. */
final class Execution {
  private final List<Schedule> schedules;
  private final SymbolicValues values;
  private final Findings findings;
  private final int blocks;

  /** By rank, slot and block; a rank has the slots up to the highest one touched. */
  private final int[][][] slots;

  /** By rank, the round that is being executed. */
  private final Round[] now;

  Execution(
      List<Schedule> schedules,
      Specification specification,
      SymbolicValues values,
      Findings findings) {
    this.schedules = schedules;
    this.values = values;
    this.findings = findings;
    this.blocks = schedules.get(0).problem().blocks();
    this.slots = new int[schedules.size()][][];
    this.now = new Round[schedules.size()];
    for (int rank = 0; rank < slots.length; rank++) {
      int[] vector = new int[blocks];
      for (int block = 0; block < blocks; block++) {
        vector[block] = specification.initial(rank, block);
      }
      slots[rank] = new int[][] {vector};
    }
  }

  /** Executes one round of all ranks. */
  void run(int round) {
    enter(round);
    for (int rank = 0; rank < slots.length; rank++) {
      checkCommunication(rank, round);
    }
    // Nothing sent in this round is overwritten by a receive of this round, or it is a hazard and
    // has been found, so values can go straight from slot to slot.
    if (findings.isEmpty()) {
      for (int rank = 0; rank < slots.length; rank++) {
        deliver(rank);
      }
      for (int rank = 0; rank < slots.length; rank++) {
        List<LocalStep> local = now[rank].local();
        for (int i = 0; i < local.size(); i++) {
          execute(rank, round, local.get(i));
        }
      }
    }
  }

  /** All ranks' vectors as they are now. */
  int[][] vectors() {
    int[][] vectors = new int[slots.length][];
    for (int rank = 0; rank < slots.length; rank++) {
      vectors[rank] = slots[rank][0];
    }
    return vectors;
  }

  private void enter(int round) {
    for (int rank = 0; rank < now.length; rank++) {
      List<Round> rounds = schedules.get(rank).rounds();
      now[rank] = round < rounds.size() ? rounds.get(round) : Round.IDLE;
    }
  }

  private void checkCommunication(int rank, int round) {
    Send send = now[rank].send();
    Receive receive = now[rank].receive();
    if (send != null) {
      Receive matching = now[send.peer()].receive();
      if (matching == null || matching.peer() != rank) {
        findings.add(
            Check.MATCHING, rank, round, "sends to " + send.peer() + ", which does not receive it");
      } else if (!matching.hasRangesOf(send)) {
        findings.add(
            Check.MATCHING,
            rank,
            round,
            "sends blocks "
                + text(send)
                + " to "
                + send.peer()
                + ", which expects "
                + text(matching));
      }
      List<Piece> pieces = send.pieces();
      for (int i = 0; i < pieces.size(); i++) {
        checkHeld(rank, round, pieces.get(i).slot(), pieces.get(i).blocks(), "sends");
      }
    }
    if (receive != null) {
      Send matching = now[receive.peer()].send();
      if (matching == null || matching.peer() != rank) {
        findings.add(
            Check.MATCHING,
            rank,
            round,
            "receives from " + receive.peer() + ", which does not send");
      }
    }
    checkHazards(rank, round, send, receive);
  }

  /** What is received must not lie where something is sent from, nor where it lies itself. */
  private void checkHazards(int rank, int round, @Nullable Send send, @Nullable Receive receive) {
    if (receive == null) {
      return;
    }
    List<Piece> written = receive.pieces();
    List<Piece> reads = send == null ? List.of() : send.pieces();
    for (int i = 0; i < written.size(); i++) {
      Piece piece = written.get(i);
      for (int j = 0; j < reads.size(); j++) {
        Piece read = reads.get(j);
        if (overlap(read, piece)) {
          findings.add(
              Check.HAZARD,
              rank,
              round,
              "receives blocks "
                  + piece.blocks()
                  + " into slot "
                  + piece.slot()
                  + " while it sends blocks "
                  + read.blocks()
                  + " of it");
        }
      }
      for (int j = i + 1; j < written.size(); j++) {
        if (overlap(written.get(j), piece)) {
          findings.add(
              Check.HAZARD, rank, round, "receives blocks " + written.get(j).blocks() + " twice");
        }
      }
    }
  }

  private static boolean overlap(Piece one, Piece other) {
    return one.slot() == other.slot()
        && one.blocks().from() < other.blocks().to()
        && other.blocks().from() < one.blocks().to();
  }

  private static String text(Message message) {
    return message.ranges().stream().map(BlockRange::toString).collect(Collectors.joining(" "));
  }

  private void deliver(int rank) {
    Receive receive = now[rank].receive();
    if (receive != null) {
      Send send = now[receive.peer()].send();
      if (send != null) {
        List<Piece> writes = receive.pieces();
        List<Piece> reads = send.pieces();
        for (int i = 0; i < writes.size(); i++) {
          Piece written = writes.get(i);
          BlockRange range = written.blocks();
          int[] source = slot(receive.peer(), reads.get(i).slot());
          int[] target = slot(rank, written.slot());
          System.arraycopy(source, range.from(), target, range.from(), range.size());
        }
      }
    }
  }

  private void execute(int rank, int round, LocalStep step) {
    BlockRange range = step.blocks();
    int[] dst = slot(rank, step.dst());
    if (step instanceof Combine combine) {
      if (checkHeld(rank, round, combine.left(), range, "combines")
          && checkHeld(rank, round, combine.right(), range, "combines")) {
        int[] left = slot(rank, combine.left());
        int[] right = slot(rank, combine.right());
        for (int block = range.from(); block < range.to(); block++) {
          dst[block] = values.combine(left[block], right[block]);
        }
      }
    } else if (step instanceof Copy copy && checkHeld(rank, round, copy.src(), range, "copies")) {
      System.arraycopy(slot(rank, copy.src()), range.from(), dst, range.from(), range.size());
    }
  }

  private boolean checkHeld(int rank, int round, int slot, BlockRange range, String verb) {
    int[] held = slot(rank, slot);
    for (int block = range.from(); block < range.to(); block++) {
      if (held[block] == SymbolicValues.NOTHING) {
        findings.add(
            Check.HOLDING,
            rank,
            round,
            verb + " block " + block + " of slot " + slot + ", which holds nothing");
        return false;
      }
    }
    return true;
  }

  private int[] slot(int rank, int slot) {
    int[][] ofRank = slots[rank];
    if (slot >= ofRank.length) {
      int before = ofRank.length;
      ofRank = Arrays.copyOf(ofRank, slot + 1);
      for (int i = before; i <= slot; i++) {
        ofRank[i] = new int[blocks];
      }
      slots[rank] = ofRank;
    }
    return ofRank[slot];
  }
}
