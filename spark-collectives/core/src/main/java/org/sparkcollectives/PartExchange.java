package org.sparkcollectives;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.algorithm.pattern.PartBounds;
import org.sparkcollectives.internal.engine.Layout;
import org.sparkcollectives.internal.select.Choice;
import org.sparkcollectives.internal.vector.ElementType;
import org.sparkcollectives.internal.vector.ObjectVector;
import org.sparkcollectives.internal.vector.Vector;
import org.sparkcollectives.internal.vector.VectorErrors;
import org.sparkcollectives.schedule.BlockRange;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.vector.ReduceOp;

/**
 * The collectives in which each rank has a part of a vector: checks what the user gives, finds out
 * what other ranks must say, and lays the parts out.
 */
final class PartExchange {
  /** No lengths: parts are equal, or nearly so. */
  static final int[] EQUAL = {};

  private static final int LONGEST = Integer.MAX_VALUE - 8;

  private final Runner runner;
  private final int rank;
  private final int size;

  PartExchange(Runner runner) {
    this.runner = runner;
    this.rank = runner.rank();
    this.size = runner.size();
  }

  // ---- one vector, the same division on all ranks ----------------------------------------------

  /**
   * Returns this rank's part of the combination of all vectors, in a vector of its own or in the
   * one given for it; uses the first vector up. No lengths mean nearly equal ones.
   */
  Vector reduceScatter(
      Vector vector, ReduceOp<?> op, @Nullable Vector given, int[] counts, @Nullable String slug) {
    Collective collective = Collective.REDUCE_SCATTER;
    int width = op.width();
    PartErrors.requireCounts(collective, counts);
    if (counts.length > 0) {
      checkSum(collective, counts, vector.length());
      for (int r = 0; r < size; r++) {
        if (counts[r] % width != 0) {
          throw PartErrors.cutTuple(op.name(), width, r, counts[r]);
        }
      }
    }
    Layout layout = isEven(counts) ? Layout.even(vector.length(), width, size) : Layout.of(counts);
    Vector part = result(collective, vector, given, layout.length(rank));
    runner.claim(collective);
    try {
      Choice choice =
          runner.choose(
              collective,
              op,
              0,
              vector.length() / width,
              vector.byteCount(),
              units(counts, width),
              slug);
      Layout cut = cut(layout, choice.problem(), width);
      runner.execute(choice, vector, null, cut, op);
      place(vector, layout.start(rank), part, 0, part.length());
    } finally {
      runner.unclaim();
    }
    return part;
  }

  /**
   * Returns the concatenation of all parts, in a vector of its own or in the one given for it. No
   * lengths mean equal ones.
   */
  Vector allGather(Vector part, @Nullable Vector given, int[] counts, @Nullable String slug) {
    runner.claim(Collective.ALLGATHER);
    try {
      return allGatherClaimed(part, given, counts, slug);
    } finally {
      runner.unclaim();
    }
  }

  private Vector allGatherClaimed(
      Vector part, @Nullable Vector given, int[] counts, @Nullable String slug) {
    Collective collective = Collective.ALLGATHER;
    PartErrors.requireCounts(collective, counts);
    Layout layout = gathered(collective, part, counts, rank);
    Vector whole = result(collective, part, given, layout.end(size - 1));
    Choice choice =
        runner.choose(
            collective, null, 0, whole.length(), whole.byteCount(), units(counts, 1), slug);
    place(part, 0, whole, layout.start(rank), part.length());
    Layout cut = cut(layout, choice.problem(), 1);
    runner.execute(choice, whole, null, cut, null);
    return whole;
  }

  /** The lengths of parts in tuples, none where parts are nearly equal. */
  private static List<Integer> units(int[] counts, int width) {
    return Arrays.stream(counts).map(count -> count / width).boxed().toList();
  }

  /**
   * Whether parts are laid out as without lengths, which a rank that gives equal ones shares with
   * those that give none.
   */
  private static boolean isEven(int[] counts) {
    for (int count : counts) {
      if (count != counts[0]) {
        return false;
      }
    }
    return true;
  }

  /** The blocks of parts, where an algorithm wants more than one of each. */
  private Layout cut(Layout layout, Problem problem, int width) {
    if (problem.blocks() == size && problem.parts().isEmpty()) {
      return layout;
    }
    PartBounds parts = PartBounds.of(problem);
    int[] lengths = new int[problem.blocks()];
    for (int r = 0; r < size; r++) {
      BlockRange blocks = parts.of(r);
      Layout within = Layout.even(layout.length(r), width, Math.max(1, blocks.size()));
      for (int i = 0; i < blocks.size(); i++) {
        lengths[blocks.from() + i] = within.length(i);
      }
    }
    return Layout.of(lengths);
  }

  // ---- with a root -----------------------------------------------------------------------------

  /** Returns this rank's part; what the vector is and how it is divided the root alone knows. */
  Vector scatter(
      @Nullable Vector vector, int @Nullable [] counts, int root, @Nullable String slug) {
    Collective collective = Collective.SCATTER;
    collective.requireRoot(root, size);
    long[] shape = new long[3];
    int @Nullable [] lengths = counts;
    if (rank == root) {
      if (vector == null) {
        throw VectorErrors.nullValue("the vector that root " + root + " scatters");
      }
      if (counts != null) {
        checkSum(collective, counts, vector.length());
      }
      shape = new long[] {vector.type().code(), vector.length(), counts == null ? 0 : 1};
    }
    runner.run(Collective.BROADCAST, Vector.of(shape), null, root, null);
    if (shape[2] == 0) {
      lengths = null;
    } else {
      lengths = rank == root && counts != null ? counts.clone() : new int[size];
      runner.run(Collective.BROADCAST, Vector.of(lengths), null, root, null);
    }
    int length = (int) shape[1];
    Layout layout = lengths == null ? Layout.even(length, 1, size) : Layout.of(lengths);
    Vector like =
        vector != null && rank == root ? vector : ElementType.ofCode((int) shape[0]).allocate(0);
    return scatter(rank == root ? vector : null, like, layout, root, slug);
  }

  /** As above, where all ranks know the type and the division. */
  Vector scatter(
      @Nullable Vector vector, Vector like, Layout layout, int root, @Nullable String slug) {
    runner.claim(Collective.SCATTER);
    try {
      return scatterClaimed(vector, like, layout, root, slug);
    } finally {
      runner.unclaim();
    }
  }

  private Vector scatterClaimed(
      @Nullable Vector vector, Vector like, Layout layout, int root, @Nullable String slug) {
    int length = layout.end(size - 1);
    long bytes = (long) length * like.type().bytes();
    Choice choice = runner.choose(Collective.SCATTER, null, root, length, bytes, slug);
    if (vector != null) {
      runner.execute(choice, vector, null, layout, null);
      return part(vector, layout.start(rank), layout.length(rank));
    }
    BlockRange held = runner.program(choice).touched(BlockRange.of(rank));
    int first = layout.start(held.from());
    Vector some = like.allocate(layout.end(held.to() - 1) - first);
    runner.execute(choice, some, null, layout.within(held), null);
    return held.size() == 1 ? some : part(some, layout.start(rank) - first, layout.length(rank));
  }

  /** Returns the concatenation of all parts on the root, which alone knows how long they are. */
  @Nullable Vector gatherByRoot(
      Vector part, int @Nullable [] counts, int root, @Nullable String slug) {
    int own = rank == root && counts != null && counts.length == size ? counts[rank] : -1;
    if (own >= 0 && own != part.length()) { // nobody has been told yet
      throw PartErrors.ownPart(Collective.GATHER.slug(), rank, part.length(), own);
    }
    int[] lengths = countsOfRoot(Collective.GATHER, counts, root);
    if (lengths[rank] != part.length()) { // the other ranks have these lengths and go on
      throw runner.refuse(
          PartErrors.ownPart(Collective.GATHER.slug(), rank, part.length(), lengths[rank]));
    }
    return gather(part, lengths, root, slug);
  }

  /** Returns the concatenation of all parts on the root, null elsewhere. */
  @Nullable Vector gather(Vector part, int @Nullable [] counts, int root, @Nullable String slug) {
    Collective collective = Collective.GATHER;
    collective.requireRoot(root, size);
    Layout layout = gathered(collective, part, counts == null ? EQUAL : counts, root);
    runner.claim(collective);
    try {
      return gatherClaimed(part, layout, root, slug);
    } finally {
      runner.unclaim();
    }
  }

  private @Nullable Vector gatherClaimed(
      Vector part, Layout layout, int root, @Nullable String slug) {
    int length = layout.end(size - 1);
    long bytes = (long) length * part.type().bytes();
    Choice choice = runner.choose(Collective.GATHER, null, root, length, bytes, slug);
    BlockRange held =
        rank == root
            ? new BlockRange(0, size)
            : runner.program(choice).touched(BlockRange.of(rank));
    if (held.size() == 1) {
      runner.execute(choice, part, null, layout.within(held), null);
      return rank == root ? part(part, 0, part.length()) : null;
    }
    int first = layout.start(held.from());
    Vector some = part.allocate(layout.end(held.to() - 1) - first);
    place(part, 0, some, layout.start(rank) - first, part.length());
    runner.execute(choice, some, null, layout.within(held), null);
    return rank == root ? some : null;
  }

  /** The lengths that the root gives, on all ranks. */
  private int[] countsOfRoot(Collective collective, int @Nullable [] counts, int root) {
    collective.requireRoot(root, size);
    int[] lengths = new int[size];
    if (rank == root) {
      if (counts == null) {
        throw VectorErrors.nullValue("the list of lengths on root " + root);
      }
      check(collective, counts);
      lengths = counts.clone();
    }
    runner.run(Collective.BROADCAST, Vector.of(lengths), null, root, null);
    return lengths;
  }

  // ---- from each to each -----------------------------------------------------------------------

  /**
   * Returns what all ranks have for this one, in rank order, in a vector of its own or in the one
   * given for it.
   */
  Vector allToAll(Vector values, @Nullable Vector given, @Nullable String slug) {
    if (values.length() % size != 0) {
      throw PartErrors.indivisible(Collective.ALLTOALL.slug(), values.length(), size);
    }
    int count = values.length() / size;
    Vector incoming = result(Collective.ALLTOALL, values, given, values.length());
    runner.claim(Collective.ALLTOALL);
    try {
      Choice choice =
          runner.choose(
              Collective.ALLTOALL, null, 0, values.length(), size * values.byteCount(), slug);
      place(values, rank * count, incoming, rank * count, count);
      runner.execute(choice, values, incoming, Layout.pairs(rank, size, count), null);
    } finally {
      runner.unclaim();
    }
    return incoming;
  }

  /** As above with parts of given lengths; the ranks first tell each other how long they are. */
  Vector allToAllByCounts(Vector values, int[] sendCounts, @Nullable String slug) {
    Collective collective = Collective.ALLTOALL;
    checkSum(collective, sendCounts, values.length());
    long[] announced = new long[2 * size];
    for (int r = 0; r < size; r++) {
      announced[2 * r] = sendCounts[r];
      announced[2 * r + 1] = values.length();
    }
    long[] heard = new long[2 * size];
    allToAll(Vector.of(announced), Vector.of(heard), null);
    int[] received = new int[size];
    long incomingLength = 0;
    long all = 0;
    for (int r = 0; r < size; r++) {
      received[r] = (int) heard[2 * r];
      incomingLength += heard[2 * r];
      all += heard[2 * r + 1];
    }
    if (incomingLength > LONGEST) {
      throw runner.refuse(PartErrors.tooLong(collective.slug(), rank, incomingLength));
    }
    runner.claim(collective);
    try {
      Choice choice =
          runner.choose(
              collective, null, 0, (int) Math.min(all, LONGEST), all * values.type().bytes(), slug);
      Layout layout = pairs(choice, sendCounts, received);
      Vector incoming = values.allocate((int) incomingLength);
      int from = Arrays.stream(sendCounts).limit(rank).sum();
      int at = Arrays.stream(received).limit(rank).sum();
      place(values, from, incoming, at, sendCounts[rank]);
      runner.execute(choice, values, incoming, layout, null);
      return incoming;
    } finally {
      runner.unclaim();
    }
  }

  /** Where an algorithm sends blocks by way of other ranks, these must know all lengths. */
  private Layout pairs(Choice choice, int[] sent, int[] received) {
    boolean forwards = choice.algorithm().blocksSent(choice.problem()) > size - 1;
    if (!forwards) {
      return Layout.pairs(rank, sent, received);
    }
    if ((long) size * size > LONGEST) {
      throw PartErrors.tooLong("the exchange of lengths", rank, (long) size * size);
    }
    int[] flat = new int[size * size];
    allGatherClaimed(Vector.of(sent), Vector.of(flat), EQUAL, null);
    int[][] rows = new int[size][];
    for (int r = 0; r < size; r++) {
      rows[r] = Arrays.copyOfRange(flat, r * size, (r + 1) * size);
    }
    return Layout.pairs(rank, rows);
  }

  // ---- help ------------------------------------------------------------------------------------

  private Layout gathered(Collective collective, Vector part, int[] counts, int holder) {
    if (counts.length == 0) {
      long length = (long) part.length() * size;
      if (length > LONGEST) {
        throw PartErrors.tooLong(collective.slug(), holder, length);
      }
      return Layout.even((int) length, 1, size);
    }
    long length = check(collective, counts);
    if (length > LONGEST) {
      throw PartErrors.tooLong(collective.slug(), holder, length);
    }
    if (counts[rank] != part.length()) {
      throw PartErrors.ownPart(collective.slug(), rank, part.length(), counts[rank]);
    }
    return isEven(counts) ? Layout.even((int) length, 1, size) : Layout.of(counts);
  }

  /** Checks lengths and returns their sum. */
  private long check(Collective collective, int[] counts) {
    if (counts.length != size) {
      throw PartErrors.numberOfCounts(collective.slug(), counts.length, size);
    }
    long sum = 0;
    for (int r = 0; r < size; r++) {
      if (counts[r] < 0) {
        throw PartErrors.negativeCount(collective.slug(), r, counts[r]);
      }
      sum += counts[r];
    }
    return sum;
  }

  private void checkSum(Collective collective, int[] counts, int length) {
    long sum = check(collective, counts);
    if (sum != length) {
      throw PartErrors.sumOfCounts(collective.slug(), sum, length);
    }
  }

  /** The vector given for a result, if it has the result's length; for null a new one. */
  private Vector result(Collective collective, Vector like, @Nullable Vector given, int length) {
    if (given == null) {
      return like.allocate(length);
    }
    if (given.length() != length) {
      throw PartErrors.resultLength(collective.slug(), rank, given.length(), length);
    }
    return given;
  }

  private static Vector part(Vector whole, int from, int count) {
    Vector part = whole.allocate(count);
    place(whole, from, part, 0, count);
    return part;
  }

  /** Copies numbers; of objects both vectors then hold the same. */
  private static void place(Vector source, int from, Vector target, int at, int count) {
    if (target instanceof ObjectVector objects) {
      objects.refer(source, from, at, count);
    } else {
      target.copy(source, from, at, count);
    }
  }
}
