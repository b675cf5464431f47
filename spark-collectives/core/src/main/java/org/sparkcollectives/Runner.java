package org.sparkcollectives;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.internal.algorithm.Algorithm;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.internal.cache.BoundedMap;
import org.sparkcollectives.internal.engine.Agreement;
import org.sparkcollectives.internal.engine.Layout;
import org.sparkcollectives.internal.engine.Operation;
import org.sparkcollectives.internal.engine.Pace;
import org.sparkcollectives.internal.engine.Program;
import org.sparkcollectives.internal.select.Choice;
import org.sparkcollectives.internal.select.Selector;
import org.sparkcollectives.internal.vector.Vector;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Schedule;
import org.sparkcollectives.schedule.Topology;
import org.sparkcollectives.select.Explanation;
import org.sparkcollectives.select.Request;
import org.sparkcollectives.transport.Deadline;
import org.sparkcollectives.transport.Transport;
import org.sparkcollectives.vector.ObjectCodec;
import org.sparkcollectives.vector.ReduceOp;

/**
 * What runs the operations of one rank in one communicator, one after the other: chooses the
 * algorithm, keeps compiled programs and counts operations.
 */
final class Runner implements AutoCloseable {
  private static final int CACHED_PROGRAMS = 32;

  /** Mixes identities of communicators: 2<sup>64</sup> divided by the golden ratio. */
  private static final long HASH = 0x9E3779B97F4A7C15L;

  private final SharedLinks shared;
  private final Transport transport;
  private final Topology topology;
  private final Trail trail;

  /** The communicator's number among those that share links, 0 for the one that has them. */
  private final int number;

  private final Map<Key, Program> programs = BoundedMap.ofLastUsed(CACHED_PROGRAMS);
  private final OwnSchedules own = new OwnSchedules();
  private int operations;
  private volatile boolean closed;

  private record Key(String algorithm, Problem problem) {

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Key that
          && algorithm.equals(that.algorithm)
          && problem.equals(that.problem);
    }

    @Override
    public int hashCode() {
      return 31 * algorithm.hashCode() + problem.hashCode();
    }
  }

  Runner(Transport transport, CommunicatorOptions options) {
    this(new SharedLinks(transport, options), transport, 0, Agreement.OF_ALL);
  }

  private Runner(SharedLinks shared, Transport transport, int number, long identity) {
    this.shared = shared;
    this.trail = new Trail(shared.options(), transport, identity);
    this.transport = transport;
    this.topology = topology(transport);
    this.number = number;
  }

  /** The lowest number that is above those of all communicators of this rank. */
  long nextNumber() {
    return shared.nextNumber();
  }

  /** The runner of a communicator made by split over the same links, null where it has no ranks. */
  @Nullable Runner split(Split split) {
    shared.numbered(split.count());
    int[] members = split.members();
    if (members.length == 0) {
      return null;
    }
    long moment = trail.communicator() * HASH + trail.operations();
    return new Runner(
        shared,
        new SubTransport(transport, members, split.number()),
        split.number(),
        moment * HASH + members[0] + 1); // those of one split have no member in common
  }

  private static Topology topology(Transport transport) {
    List<String> hosts = new ArrayList<>();
    List<String> processes = new ArrayList<>();
    List<String> racks = new ArrayList<>();
    for (int rank = 0; rank < transport.size(); rank++) {
      hosts.add(transport.host(rank));
      processes.add(transport.process(rank));
      racks.add(transport.rack(rank));
    }
    return Topology.of(hosts, processes, racks);
  }

  int rank() {
    return transport.rank();
  }

  int size() {
    return transport.size();
  }

  ObjectCodec codec() {
    return shared.codec();
  }

  /** Which ranks share a host. */
  Topology topology() {
    return topology;
  }

  /** Runs an operation on a vector in blocks of nearly equal length. */
  void run(
      Collective collective,
      Vector vector,
      @Nullable ReduceOp<?> op,
      int root,
      @Nullable String slug) {
    int width = op == null ? 1 : op.width();
    int units = vector.length() / width;
    long bytes = vector.byteCount();
    shared.claim(this, collective.slug());
    try {
      Choice choice = choose(collective, op, root, units, bytes, slug);
      Layout layout = Layout.even(vector.length(), width, choice.problem().blocks());
      execute(choice, vector, null, layout, op);
    } finally {
      shared.unclaim();
    }
  }

  /** Runs a schedule that no algorithm of the registry has made. */
  void run(Schedule schedule, Vector vector, @Nullable ReduceOp<?> op) {
    Problem problem = schedule.problem();
    shared.claim(this, problem.collective().slug());
    try {
      if (problem.size() != size() || schedule.rank() != rank()) {
        throw CommunicatorErrors.scheduleOfAnother(schedule, rank(), size());
      }
      OwnSchedules.Own compiled = own.compiled(schedule);
      requireFit(compiled, op);
      int width = op == null ? 1 : op.width();
      Layout layout = Layout.even(vector.length(), width, problem.blocks());
      execute(compiled.program(), vector, null, layout, op);
    } finally {
      shared.unclaim();
    }
  }

  private static void requireFit(OwnSchedules.Own own, @Nullable ReduceOp<?> op) {
    Schedule schedule = own.schedule();
    Problem problem = schedule.problem();
    if (own.combines() && op == null) {
      throw CommunicatorErrors.scheduleWithoutOperator(schedule);
    }
    if (op != null && !op.commutative() && !problem.ordered() && problem.collective().reducing()) {
      throw CommunicatorErrors.scheduleReorders(schedule, op.name());
    }
  }

  /**
   * Takes the links for one call of several steps, until {@link #unclaim}: no other thread comes in
   * between, and who closes the communicator meanwhile breaks it off.
   */
  void claim(Collective collective) {
    shared.claim(this, collective.slug());
  }

  /** Gives the links back. */
  void unclaim() {
    shared.unclaim();
  }

  /** The algorithm named, in the call or in the options, or the cheapest; for who has claimed. */
  Choice choose(
      Collective collective,
      @Nullable ReduceOp<?> op,
      int root,
      int units,
      long bytes,
      @Nullable String slug) {
    return choose(collective, op, root, units, bytes, List.of(), slug);
  }

  /** The same for parts of so many units each; of equal ones if none are given. */
  Choice choose(
      Collective collective,
      @Nullable ReduceOp<?> op,
      int root,
      int units,
      long bytes,
      List<Integer> counts,
      @Nullable String slug) {
    collective.requireRoot(root, size());
    Request request = request(collective, op, root, units, bytes);
    return shared.selector().choose(counts.isEmpty() ? request : request.withCounts(counts), slug);
  }

  /** Whether this communicator was ended by itself. */
  boolean isClosed() {
    return closed;
  }

  /** What {@link #choose} chooses for root 0, and why. */
  Explanation explain(
      Collective collective,
      @Nullable ReduceOp<?> op,
      int units,
      long bytes,
      @Nullable String slug) {
    Selector selector = new Selector(shared.options().policy()); // any thread may ask at any time
    return selector.explain(request(collective, op, 0, units, bytes), slug);
  }

  private Request request(
      Collective collective, @Nullable ReduceOp<?> op, int root, int units, long bytes) {
    return new Request(
        collective,
        size(),
        root,
        op != null && !op.commutative(),
        units,
        bytes,
        op == null ? null : op.name(),
        topology);
  }

  /** This rank's part of an algorithm; for who has claimed. */
  Program program(Choice choice) {
    return programs.computeIfAbsent(
        new Key(choice.algorithm().slug(), choice.problem()),
        key ->
            Program.compile(
                choice.algorithm().executed(key.problem(), rank()),
                pace(choice.algorithm(), size())));
  }

  private static Pace pace(Algorithm algorithm, int size) {
    if (algorithm.traits().has(Traits.Feature.INDEPENDENT)) {
      return Pace.ROUNDS;
    }
    return algorithm.naturalBlocks(size) > 0 ? Pace.EXCHANGES : Pace.FREE;
  }

  /**
   * Runs what was chosen, for who has claimed; what that throws breaks the communicator and those
   * that share links.
   */
  void execute(
      Choice choice,
      Vector vector,
      @Nullable Vector incoming,
      Layout layout,
      @Nullable ReduceOp<?> op) {
    execute(program(choice), vector, incoming, layout, op);
  }

  private void execute(
      Program program,
      Vector vector,
      @Nullable Vector incoming,
      Layout layout,
      @Nullable ReduceOp<?> op) {
    operations++;
    Operation operation = operation(program, vector, incoming, layout, op);
    trail.begin(operation);
    shared.run(operation, trail);
  }

  private Operation operation(
      Program program,
      Vector vector,
      @Nullable Vector incoming,
      Layout layout,
      @Nullable ReduceOp<?> op) {
    return new Operation(
        program,
        vector,
        incoming,
        layout,
        op,
        Operation.sequence(number, operations),
        transport,
        Deadline.after(shared.options().timeout(), trail::waitsOn),
        trail);
  }

  /** Breaks the communicator off for input found wrong when other ranks have already gone on. */
  InvalidInputException refuse(InvalidInputException reason) {
    shared.fail(reason);
    return reason;
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    if (number == 0) {
      shared.end();
    } else {
      shared.leave(this);
    }
  }

  void abort(Throwable reason) {
    shared.abort(reason);
  }

  /** How many operations this rank has called. */
  long called() {
    return trail.operations();
  }

  /** What this rank called last, the latest at the end. */
  List<CommunicatorOptions.Call> calls() {
    return trail.calls();
  }
}
