package org.sparkcollectives.internal.algorithm;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.algorithm.HostOrder.Sequence;
import org.sparkcollectives.internal.algorithm.Traits.Feature;
import org.sparkcollectives.internal.algorithm.pattern.PartBounds;
import org.sparkcollectives.internal.shape.Powers;
import org.sparkcollectives.schedule.BlockRange;
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
import org.sparkcollectives.schedule.Topology;

/**
 * A problem whose ranks are numbered anew by their hosts, and the way back from a schedule of
 * places to one of ranks. Where each rank owns a part of the vector, the part of a place is that of
 * its rank.
 *
 * @param problem the problem as asked
 * @param inner the same problem among places, with root 0
 * @param order which rank has which place
 * @param parts the parts of ranks
 * @param placed the parts of places
 */
record Renumbering(
    Problem problem, Problem inner, HostOrder order, PartBounds parts, PartBounds placed) {

  /**
   * The renumbering of a problem.
   *
   * @param problem what is to be solved
   * @param features what the algorithm says of ranks and hosts
   * @return null where ranks keep their numbers: where neither hosts nor racks are shared, operands
   *     must stay in rank order, parts would have other numbers of blocks than the problem says,
   *     the ranks are in order already, or no order is known to be better
   */
  static @Nullable Renumbering of(Problem problem, Set<Feature> features) {
    if (problem.topology().isFlat() || problem.ordered()) {
      return null;
    }
    boolean uneven = !problem.parts().isEmpty();
    if (problem.collective().divided() && !uneven && problem.blocks() % problem.size() != 0) {
      return null;
    }
    Sequence sequence = sequence(problem.topology(), features);
    if (sequence == null) {
      return null;
    }
    HostOrder order = HostOrder.of(problem.topology(), problem.root(), sequence);
    if (order.isRankOrder()) {
      return null;
    }
    Problem inner =
        new Problem(
            problem.collective(),
            problem.size(),
            0,
            problem.blocks(),
            problem.ordered(),
            order.places(),
            uneven ? partsOfPlaces(problem.parts(), order) : List.of());
    return new Renumbering(problem, inner, order, PartBounds.of(problem), PartBounds.of(inner));
  }

  private static @Nullable Sequence sequence(Topology topology, Set<Feature> features) {
    if (features.contains(Feature.BY_HOST)) {
      return Sequence.BY_HOST;
    }
    boolean halved = features.contains(Feature.HALVED_DISTANCES);
    boolean doubled = features.contains(Feature.DOUBLED_DISTANCES);
    int length = topology.mostRanksPerHost();
    int hosts = topology.hosts(topology.size());
    boolean even = topology.fewestRanksPerHost() == length;
    if (!(halved || doubled) || !even || (length > 1 && !fits(hosts, length, halved, doubled))) {
      return null;
    }
    int racks = topology.racks();
    int perRack = topology.mostHostsPerRack(topology.size());
    if (racks > 1 && racks * perRack == hosts && fits(racks, perRack, halved, doubled)) {
      return Sequence.RACKS_IN_TURN;
    }
    return length > 1 ? Sequence.HOSTS_IN_TURN : null;
  }

  /** Whether the longer distances are multiples of the number of hosts, or of racks. */
  private static boolean fits(int count, int members, boolean halved, boolean doubled) {
    return (!halved || Powers.isPowerOfTwo(members)) && (!doubled || Powers.isPowerOfTwo(count));
  }

  private static List<Integer> partsOfPlaces(List<Integer> parts, HostOrder order) {
    List<Integer> places = new ArrayList<>(parts.size());
    for (int place = 0; place < parts.size(); place++) {
      places.add(parts.get(order.rankAt(place)));
    }
    return places;
  }

  /**
   * The schedule of a rank.
   *
   * @param schedule that of its place
   * @return the same among ranks
   */
  Schedule outward(Schedule schedule) {
    List<Round> rounds = new ArrayList<>(schedule.rounds().size());
    for (Round round : schedule.rounds()) {
      rounds.add(round.isIdle() ? round : outward(round));
    }
    int rank = order.rankAt(schedule.rank());
    BlockRange owned = problem.collective().divided() ? part(schedule.rank()) : schedule.owned();
    return new Schedule(problem, schedule.algorithm(), rank, owned, rounds);
  }

  private Round outward(Round round) {
    Send send = round.send();
    Receive receive = round.receive();
    List<LocalStep> local = new ArrayList<>(round.local().size());
    for (LocalStep step : round.local()) {
      for (BlockRange range : ranges(step.blocks())) {
        local.add(outward(step, range));
      }
    }
    return new Round(
        send == null ? null : new Send(order.rankAt(send.peer()), pieces(send)),
        receive == null ? null : new Receive(order.rankAt(receive.peer()), pieces(receive)),
        local);
  }

  private static LocalStep outward(LocalStep step, BlockRange range) {
    return step instanceof Combine combine
        ? new Combine(combine.dst(), combine.left(), combine.right(), range)
        : new Copy(step.dst(), ((Copy) step).src(), range);
  }

  private List<Piece> pieces(Message message) {
    if (!problem.collective().divided()) {
      return message.pieces();
    }
    List<Piece> pieces = new ArrayList<>();
    for (Piece piece : message.pieces()) {
      pieces.addAll(ScheduleBuilder.pieces(piece.slot(), ranges(piece.blocks())));
    }
    return pieces;
  }

  /** The blocks that stand for blocks of places, in the sequence of the places. */
  private List<BlockRange> ranges(BlockRange blocks) {
    if (!problem.collective().divided()) {
      return List.of(blocks);
    }
    List<BlockRange> ranges = new ArrayList<>();
    for (int from = blocks.from(); from < blocks.to(); ) {
      int place = placed.owner(from);
      int to = Math.min(blocks.to(), placed.of(place).to());
      int shift = part(place).from() - placed.of(place).from();
      BlockRange last = ranges.isEmpty() ? null : ranges.get(ranges.size() - 1);
      if (last != null && last.to() == from + shift) {
        ranges.set(ranges.size() - 1, new BlockRange(last.from(), to + shift));
      } else {
        ranges.add(new BlockRange(from + shift, to + shift));
      }
      from = to;
    }
    return ranges;
  }

  private BlockRange part(int place) {
    return parts.of(order.rankAt(place));
  }
}
