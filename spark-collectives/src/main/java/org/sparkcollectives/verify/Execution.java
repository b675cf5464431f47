package org.sparkcollectives.verify;

import java.util.Arrays;
import java.util.List;
import org.sparkcollectives.schedule.BlockRange;
import org.sparkcollectives.schedule.Combine;
import org.sparkcollectives.schedule.Copy;
import org.sparkcollectives.schedule.LocalStep;
import org.sparkcollectives.schedule.Receive;
import org.sparkcollectives.schedule.Round;
import org.sparkcollectives.schedule.Schedule;
import org.sparkcollectives.schedule.Send;

/** The slots of all ranks, on which rounds are executed with symbolic values. */
final class Execution {
  private final List<Schedule> schedules;
  private final Values values;
  private final Findings findings;
  private final int blocks;

  /** By rank, slot and block; a rank has the slots up to the highest one touched. */
  private final int[][][] slots;

  Execution(
      List<Schedule> schedules, Specification specification, Values values, Findings findings) {
    this.schedules = schedules;
    this.values = values;
    this.findings = findings;
    this.blocks = schedules.get(0).problem().blocks();
    this.slots = new int[schedules.size()][][];
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
    for (int rank = 0; rank < slots.length; rank++) {
      checkCommunication(rank, round);
    }
    // Nothing sent in this round is overwritten by a receive of this round, or it is a hazard and
    // has been found, so values can go straight from slot to slot.
    if (findings.isEmpty()) {
      for (int rank = 0; rank < slots.length; rank++) {
        deliver(rank, round);
      }
      for (int rank = 0; rank < slots.length; rank++) {
        for (LocalStep step : at(rank, round).local()) {
          execute(rank, round, step);
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

  private Round at(int rank, int round) {
    List<Round> rounds = schedules.get(rank).rounds();
    return round < rounds.size() ? rounds.get(round) : Round.IDLE;
  }

  private void checkCommunication(int rank, int round) {
    Send send = at(rank, round).send();
    Receive receive = at(rank, round).receive();
    if (send != null) {
      Receive matching = at(send.peer(), round).receive();
      if (matching == null || matching.peer() != rank) {
        findings.add(
            Check.MATCHING, rank, round, "sends to " + send.peer() + ", which does not receive it");
      } else if (!matching.blocks().equals(send.blocks())) {
        findings.add(
            Check.MATCHING,
            rank,
            round,
            "sends blocks "
                + send.blocks()
                + " to "
                + send.peer()
                + ", which expects "
                + matching.blocks());
      }
      checkHeld(rank, round, send.slot(), send.blocks(), "sends");
    }
    if (receive != null) {
      Send matching = at(receive.peer(), round).send();
      if (matching == null || matching.peer() != rank) {
        findings.add(
            Check.MATCHING,
            rank,
            round,
            "receives from " + receive.peer() + ", which does not send");
      }
    }
    if (send != null
        && receive != null
        && send.slot() == receive.slot()
        && send.blocks().from() < receive.blocks().to()
        && receive.blocks().from() < send.blocks().to()) {
      findings.add(
          Check.HAZARD,
          rank,
          round,
          "receives blocks "
              + receive.blocks()
              + " into slot "
              + receive.slot()
              + " while it sends blocks "
              + send.blocks()
              + " of it");
    }
  }

  private void deliver(int rank, int round) {
    Receive receive = at(rank, round).receive();
    if (receive != null) {
      Send send = at(receive.peer(), round).send();
      if (send != null) {
        BlockRange range = receive.blocks();
        int[] source = slot(receive.peer(), send.slot());
        System.arraycopy(
            source, range.from(), slot(rank, receive.slot()), range.from(), range.size());
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
      if (held[block] == Values.NOTHING) {
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
