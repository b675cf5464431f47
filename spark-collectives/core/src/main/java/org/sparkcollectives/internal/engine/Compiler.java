package org.sparkcollectives.internal.engine;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.sparkcollectives.schedule.BlockRange;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Combine;
import org.sparkcollectives.schedule.Copy;
import org.sparkcollectives.schedule.LocalStep;
import org.sparkcollectives.schedule.Message;
import org.sparkcollectives.schedule.Piece;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Receive;
import org.sparkcollectives.schedule.Round;
import org.sparkcollectives.schedule.Schedule;
import org.sparkcollectives.schedule.Send;

/**
 * Compiles a schedule. A pass backwards finds where each scratch block is read for the last time; a
 * pass forwards gives scratch blocks cells and finds for each send the stage that wrote its blocks
 * last, and for each stage the send that must have read its targets before.
 */
final class Compiler {

  private final Schedule schedule;
  private final Pace pace;
  private final BlockIndex index;
  private final int blocks;
  private final int slots;
  private final List<Round> rounds;
  private final List<Integer> numbers;

  /**
   * Scratch keys by the event (2 per round: send, stage) that is their last use: those of event e
   * begin at {@code lastUsesFrom[e + 1]} and end at {@code lastUsesFrom[e]}.
   */
  private int[] lastUses = new int[8];

  private final int[] lastUsesFrom;

  /** Whether the value received in a round outlives its fused steps. */
  private final boolean[] stored;

  private final int[] cellOfKey;
  private final CellPool cells = new CellPool();
  private int event;

  /** The first event of the present round of the schedule. */
  private int roundBegun;

  /** No frame from the present one to this one receives. */
  private int firstReceive;

  /** The number of the stage, from 1, that receives the latest signal, 0 for none. */
  private int signalled;

  private final int[] userWriter;
  private final int[] userReader;
  private int[] cellWriter = new int[8];
  private int[] cellReader = new int[8];

  /** The block that the reader of a cell reads there. */
  private int[] cellReadBlock = new int[8];

  private final List<Program.Out> sends = new ArrayList<>();
  private final List<Program.Stage> stages = new ArrayList<>();

  Compiler(Schedule schedule, Pace pace) {
    this.schedule = schedule;
    this.pace = pace;
    SplitRounds split = new SplitRounds(schedule);
    this.rounds = split.rounds;
    this.numbers = split.numbers;
    this.slots = slots(rounds);
    this.index = new BlockIndex(touched());
    this.blocks = index.count();
    this.stored = new boolean[rounds.size()];
    this.lastUsesFrom = new int[2 * rounds.size() + 1];
    this.cellOfKey = new int[Math.multiplyExact(slots, blocks)];
    Arrays.fill(cellOfKey, -1);
    this.userWriter = new int[blocks];
    this.userReader = new int[blocks];
  }

  Program compile() {
    findLastUses();
    for (int r = 0; r < rounds.size(); r++) {
      Round round = rounds.get(r);
      if (r > 0 && !numbers.get(r).equals(numbers.get(r - 1))) {
        roundBegun = 2 * r;
      }
      Send send = round.send();
      if (send != null) {
        addSend(r, send);
      }
      release(2 * r);
      if (round.receive() != null || !round.local().isEmpty()) {
        addStage(r, round);
      }
      release(2 * r + 1);
    }
    joinMessages();
    return new Program(
        schedule.problem(), schedule.algorithm(), schedule.rank(), sends, stages, cells.count());
  }

  /** All blocks, but of an alltoall, which has p² of them, only those that this rank touches. */
  private List<BlockRange> touched() {
    Problem problem = schedule.problem();
    if (problem.collective() != Collective.ALLTOALL) {
      return List.of(new BlockRange(0, problem.blocks()));
    }
    List<BlockRange> ranges = new ArrayList<>();
    for (Round round : rounds) {
      if (round.send() != null) {
        ranges.add(piece(round.send()).blocks());
      }
      if (round.receive() != null) {
        ranges.add(piece(round.receive()).blocks());
      }
      round.local().forEach(step -> ranges.add(step.blocks()));
    }
    return ranges;
  }

  /** How many slots rounds use, the user's vector among them. */
  static int slots(List<Round> rounds) {
    int highest = 0;
    for (Round round : rounds) {
      if (round.send() != null) {
        highest = Math.max(highest, slots(round.send()));
      }
      if (round.receive() != null) {
        highest = Math.max(highest, slots(round.receive()));
      }
      for (LocalStep step : round.local()) {
        highest = Math.max(highest, step.dst());
      }
    }
    return highest + 1;
  }

  private static int slots(Message message) {
    int highest = 0;
    for (Piece piece : message.pieces()) {
      highest = Math.max(highest, piece.slot());
    }
    return highest;
  }

  private static Piece piece(Message message) {
    return message.pieces().get(0);
  }

  private static int fusedSteps(Round round) {
    return round.receive() == null ? 0 : fusedSteps(piece(round.receive()), round.local());
  }

  /** How many of the local steps after a piece can be applied while it arrives. */
  static int fusedSteps(Piece piece, List<LocalStep> local) {
    int n = 0;
    while (n < local.size() && local.get(n).blocks().equals(piece.blocks())) {
      n++;
    }
    return n;
  }

  private static int left(LocalStep step) {
    return step instanceof Combine c ? c.left() : ((Copy) step).src();
  }

  /** The slot of the right operand, or -1 if there is none. */
  private static int right(LocalStep step) {
    return step instanceof Combine c ? c.right() : -1;
  }

  // ---- backwards -------------------------------------------------------------------------------

  private void findLastUses() {
    boolean[] live = new boolean[cellOfKey.length];
    int found = 0;
    for (int r = rounds.size() - 1; r >= 0; r--) {
      Round round = rounds.get(r);
      found = deadAfterStage(live, round, found);
      lastUsesFrom[2 * r + 1] = found;
      markStage(r, round, live);
      Send send = round.send();
      if (send != null) {
        found = dead(live, piece(send).slot(), piece(send).blocks(), found);
        mark(live, piece(send).slot(), piece(send).blocks(), true);
      }
      lastUsesFrom[2 * r] = found;
    }
  }

  /** Adds the keys that a stage touches and nothing uses after it, some of them twice. */
  private int deadAfterStage(boolean[] live, Round round, int found) {
    int count = found;
    if (round.receive() != null) {
      Piece piece = piece(round.receive());
      count = dead(live, piece.slot(), piece.blocks(), count);
    }
    for (LocalStep step : round.local()) {
      count = dead(live, step.dst(), step.blocks(), count);
      count = dead(live, left(step), step.blocks(), count);
      count = dead(live, right(step), step.blocks(), count);
    }
    return count;
  }

  /** Adds those keys of a range to the last uses that nothing uses later. */
  private int dead(boolean[] live, int slot, BlockRange range, int found) {
    if (slot <= 0) {
      return found;
    }
    if (found + range.size() > lastUses.length) {
      lastUses = Arrays.copyOf(lastUses, 2 * (found + range.size()));
    }
    int count = found;
    int from = key(slot, range);
    for (int key = from; key < from + range.size(); key++) {
      if (!live[key]) {
        lastUses[count++] = key;
      }
    }
    return count;
  }

  private void markStage(int r, Round round, boolean[] live) {
    List<LocalStep> local = round.local();
    int fused = fusedSteps(round);
    for (int i = local.size() - 1; i >= fused; i--) {
      markStep(local.get(i), live);
    }
    Receive receive = round.receive();
    if (receive == null) {
      return;
    }
    int slot = piece(receive).slot();
    // The value received lives in the staging buffer until a fused step overwrites its slot.
    int overwritten = firstWrite(local, fused, slot);
    stored[r] = slot > 0 && overwritten == fused && anyLive(live, slot, piece(receive).blocks());
    for (int i = fused - 1; i >= 0; i--) {
      LocalStep step = local.get(i);
      mark(live, step.dst(), step.blocks(), false);
      markOperand(left(step), i > overwritten ? -1 : slot, step.blocks(), live);
      markOperand(right(step), i > overwritten ? -1 : slot, step.blocks(), live);
    }
    mark(live, slot, piece(receive).blocks(), false);
  }

  private static int firstWrite(List<LocalStep> local, int fused, int slot) {
    int i = 0;
    while (i < fused && local.get(i).dst() != slot) {
      i++;
    }
    return i;
  }

  private void markStep(LocalStep step, boolean[] live) {
    mark(live, step.dst(), step.blocks(), false);
    mark(live, left(step), step.blocks(), true);
    mark(live, right(step), step.blocks(), true);
  }

  private void markOperand(int slot, int stagedSlot, BlockRange range, boolean[] live) {
    if (slot != stagedSlot) {
      mark(live, slot, range, true);
    }
  }

  private void mark(boolean[] live, int slot, BlockRange range, boolean value) {
    if (slot > 0) {
      int from = key(slot, range);
      Arrays.fill(live, from, from + range.size(), value);
    }
  }

  private boolean anyLive(boolean[] live, int slot, BlockRange range) {
    int from = key(slot, range);
    for (int i = 0; i < range.size(); i++) {
      if (live[from + i]) {
        return true;
      }
    }
    return false;
  }

  /** The key of a range's first block in a slot; those of further blocks follow. */
  private int key(int slot, BlockRange range) {
    return range.isEmpty() ? 0 : slot * blocks + index.of(range.from());
  }

  // ---- forwards --------------------------------------------------------------------------------

  private void addSend(int round, Send send) {
    BlockRange range = piece(send).blocks();
    Storage source = read(piece(send).slot(), range, round);
    int number = sends.size() + 1;
    int after = send.isSignal() ? stages.size() : signalled;
    int shift = key(0, range) - range.from();
    for (int b = range.from(); b < range.to(); b++) {
      if (source.inCells()) {
        after = Math.max(after, cellWriter[source.cell(b)]);
        cellReader[source.cell(b)] = number;
        cellReadBlock[source.cell(b)] = b;
      } else {
        after = Math.max(after, userWriter[shift + b]);
        userReader[shift + b] = number;
      }
    }
    int step = pace == Pace.ROUNDS ? Math.max(after, stages.size()) : after;
    sends.add(
        new Program.Out(
            numbers.get(round),
            send.peer(),
            range.from(),
            range.to(),
            source,
            after,
            step,
            isExchange(round, send.peer()) ? stages.size() + 1 : 0));
  }

  /** Whether the peer sends a message of the same round, whose first piece is the next to come. */
  private boolean isExchange(int round, int peer) {
    int r = Math.max(round, firstReceive);
    while (r < rounds.size()
        && rounds.get(r).receive() == null
        && numbers.get(r).equals(numbers.get(round))) {
      r++;
    }
    firstReceive = r;
    Receive receive = r < rounds.size() ? rounds.get(r).receive() : null;
    return pace != Pace.FREE
        && receive != null
        && receive.peer() == peer
        && numbers.get(r).equals(numbers.get(round));
  }

  /** Lets no piece of a message start before all that the message carries is there. */
  private void joinMessages() {
    int to;
    for (int from = 0; from < sends.size(); from = to) {
      int after = 0;
      for (to = from; to < sends.size() && sends.get(to).round() == sends.get(from).round(); to++) {
        after = Math.max(after, sends.get(to).afterStages());
      }
      for (int i = from; i < to; i++) {
        if (sends.get(i).afterStages() < after) {
          sends.set(i, sends.get(i).after(after));
        }
      }
    }
  }

  private void addStage(int r, Round round) {
    Receive receive = round.receive();
    int fusedCount = fusedSteps(round);
    Waits arriving = new Waits();
    Waits later = new Waits();
    List<Program.Step> fused = new ArrayList<>();
    Storage store = null;
    if (receive != null) {
      int slot = piece(receive).slot();
      if (slot == 0 || stored[r]) {
        store = write(slot, piece(receive).blocks(), arriving);
      }
      int overwritten = firstWrite(round.local(), fusedCount, slot);
      for (int i = 0; i < fusedCount; i++) {
        boolean staged = slot > 0 && i <= overwritten;
        fused.add(step(round.local().get(i), staged ? slot : -1, arriving, r));
      }
    }
    List<Program.Step> rest = new ArrayList<>();
    for (int i = fusedCount; i < round.local().size(); i++) {
      rest.add(step(round.local().get(i), -1, later, r));
    }
    boolean inCells = store != null && store.inCells();
    for (Program.Step step : fused) {
      inCells |= step.dst().inCells() || step.left().inCells();
      inCells |= step.right() != null && step.right().inCells();
    }
    if (receive != null && receive.isSignal()) {
      signalled = stages.size() + 1;
    }
    stages.add(
        new Program.Stage(
            numbers.get(r),
            receive == null ? -1 : receive.peer(),
            receive == null ? 0 : piece(receive).blocks().from(),
            receive == null ? 0 : piece(receive).blocks().to(),
            store,
            List.copyOf(fused),
            List.copyOf(rest),
            arriving.followed,
            arriving.whole,
            Math.max(later.followed, later.whole),
            inCells));
  }

  /** Sends that must be complete before something is written. */
  private static final class Waits {
    /** Of the last of these, only the part that it has not passed yet. */
    int followed;

    int whole;
  }

  private Program.Step step(LocalStep step, int stagedSlot, Waits waits, int round) {
    BlockRange range = step.blocks();
    Storage left = operand(left(step), range, stagedSlot, round);
    Storage right = right(step) < 0 ? null : operand(right(step), range, stagedSlot, round);
    return new Program.Step(write(step.dst(), range, waits), left, right, range.from(), range.to());
  }

  private Storage operand(int slot, BlockRange range, int stagedSlot, int round) {
    return slot == stagedSlot ? Storage.STAGING : read(slot, range, round);
  }

  private Storage read(int slot, BlockRange range, int round) {
    if (slot == 0) {
      return Storage.USER;
    }
    int[] places = new int[range.size()];
    int shift = key(slot, range) - range.from();
    for (int b = range.from(); b < range.to(); b++) {
      int cell = cellOfKey[shift + b];
      if (cell < 0) {
        throw new IllegalArgumentException(
            "rank "
                + schedule.rank()
                + " reads slot "
                + slot
                + " block "
                + b
                + " in round "
                + numbers.get(round)
                + " of "
                + schedule.algorithm()
                + " but never wrote it");
      }
      places[b - range.from()] = cell;
    }
    return Storage.cells(range.from(), places);
  }

  private Storage write(int slot, BlockRange range, Waits waits) {
    int number = stages.size() + 1;
    int shift = key(slot, range) - range.from();
    if (slot == 0) {
      for (int b = range.from(); b < range.to(); b++) {
        waits.followed = Math.max(waits.followed, userReader[shift + b]);
        userWriter[shift + b] = number;
      }
      return Storage.USER;
    }
    int[] places = new int[range.size()];
    for (int b = range.from(); b < range.to(); b++) {
      int key = shift + b;
      if (cellOfKey[key] < 0) {
        cellOfKey[key] = allocate();
      }
      int cell = cellOfKey[key];
      if (cellReadBlock[cell] == b) {
        waits.followed = Math.max(waits.followed, cellReader[cell]);
      } else {
        waits.whole = Math.max(waits.whole, cellReader[cell]);
      }
      cellWriter[cell] = number;
      places[b - range.from()] = cell;
    }
    return Storage.cells(range.from(), places);
  }

  private int allocate() {
    int cell = cells.take(event, roundBegun);
    if (cell == cellWriter.length) {
      cellWriter = Arrays.copyOf(cellWriter, 2 * cell);
      cellReader = Arrays.copyOf(cellReader, 2 * cell);
      cellReadBlock = Arrays.copyOf(cellReadBlock, 2 * cell);
    }
    return cell;
  }

  /** Frees the cells that an event is the last to use. */
  private void release(int event) {
    this.event = event + 1;
    for (int i = lastUsesFrom[event + 1]; i < lastUsesFrom[event]; i++) {
      int key = lastUses[i];
      if (cellOfKey[key] >= 0) {
        cells.free(cellOfKey[key], event);
        cellOfKey[key] = -1;
      }
    }
  }
}
