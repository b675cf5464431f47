package org.sparkcollectives;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.cost.LevelCost;
import org.sparkcollectives.error.Errors;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.internal.algorithm.Algorithm;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.internal.engine.Engine;
import org.sparkcollectives.internal.engine.Layout;
import org.sparkcollectives.internal.engine.Operation;
import org.sparkcollectives.internal.engine.Pace;
import org.sparkcollectives.internal.engine.Program;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Schedule;
import org.sparkcollectives.schedule.Topology;
import org.sparkcollectives.internal.select.Choice;
import org.sparkcollectives.select.Explanation;
import org.sparkcollectives.select.Request;
import org.sparkcollectives.internal.select.Selector;
import org.sparkcollectives.transport.Deadline;
import org.sparkcollectives.transport.Transport;
import org.sparkcollectives.vector.ObjectCodec;
import org.sparkcollectives.vector.ReduceOp;
import org.sparkcollectives.vector.Vector;

/**
 * What runs the operations of one rank, one after the other: chooses the algorithm, keeps compiled
 * programs, counts operations, and breaks off after a failure.
 */
final class Runner implements AutoCloseable {
  private static final int CACHED_PROGRAMS = 32;

  private final Transport transport;
  private final CommunicatorOptions options;
  private final Selector selector;
  private final ObjectCodec codec;
  private final Topology topology;
  private final Engine engine;
  private final Map<Key, Program> programs =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Program> eldest) {
          return size() > CACHED_PROGRAMS;
        }
      };
  private int sequence;
  private @Nullable Throwable broken;
  private boolean closed;
  private boolean running;

  private record Key(String algorithm, Problem problem) {}

  Runner(Transport transport, CommunicatorOptions options) {
    this.transport = transport;
    this.options = options;
    this.selector = new Selector(options.policy());
    LevelCost network = options.policy().model().network();
    this.engine = new Engine(Engine.aheadBytes(network.alphaNanos(), network.betaNanosPerByte()));
    this.codec = options.codec().get();
    this.topology = topology(transport);
  }

  private static Topology topology(Transport transport) {
    List<String> hosts = new ArrayList<>();
    List<String> processes = new ArrayList<>();
    for (int rank = 0; rank < transport.size(); rank++) {
      hosts.add(transport.host(rank));
      processes.add(transport.process(rank));
    }
    return Topology.of(hosts, processes);
  }

  int rank() {
    return transport.rank();
  }

  int size() {
    return transport.size();
  }

  ObjectCodec codec() {
    return codec;
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
    long bytes = (long) vector.length() * vector.type().bytes();
    Choice choice = choose(collective, op, root, units, bytes, slug);
    Layout layout = Layout.even(vector.length(), width, choice.problem().blocks());
    execute(program(choice), vector, null, layout, op);
  }

  /** Runs a schedule that no algorithm of the registry has made. */
  void run(Schedule schedule, Vector vector, @Nullable ReduceOp<?> op) {
    Problem problem = schedule.problem();
    if (broken != null || closed) {
      throw Errors.communicatorEnded(problem.collective().slug(), broken);
    }
    int width = op == null ? 1 : op.width();
    Layout layout = Layout.even(vector.length(), width, problem.blocks());
    execute(Program.compile(schedule), vector, null, layout, op);
  }

  /** The algorithm named, in the call or in the options, or the cheapest. */
  Choice choose(
      Collective collective,
      @Nullable ReduceOp<?> op,
      int root,
      int units,
      long bytes,
      @Nullable String slug) {
    if (broken != null || closed) {
      throw Errors.communicatorEnded(collective.slug(), broken);
    }
    if (root < 0 || root >= size()) {
      throw Errors.rootOutOfRange(collective.slug(), root, size());
    }
    return selector.choose(request(collective, op, root, units, bytes), slug);
  }

  /** What {@link #choose} chooses, and why. */
  Explanation explain(
      Collective collective, @Nullable ReduceOp<?> op, int root, int units, long bytes) {
    return selector.explain(request(collective, op, root, units, bytes), null);
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

  /** This rank's part of an algorithm. */
  Program program(Choice choice) {
    return programs.computeIfAbsent(
        new Key(choice.algorithm().slug(), choice.problem()),
        key ->
            Program.compile(
                choice.algorithm().schedule(key.problem(), rank()),
                pace(choice.algorithm(), size())));
  }

  private static Pace pace(Algorithm algorithm, int size) {
    if (algorithm.traits().has(Traits.Feature.INDEPENDENT)) {
      return Pace.ROUNDS;
    }
    return algorithm.naturalBlocks(size) > 0 ? Pace.EXCHANGES : Pace.FREE;
  }

  /** Runs a program; what it throws breaks the communicator. */
  void execute(
      Program program,
      Vector vector,
      @Nullable Vector incoming,
      Layout layout,
      @Nullable ReduceOp<?> op) {
    sequence++;
    running = true;
    try {
      @Nullable RuntimeException stop = options.cancellation().reason();
      if (stop != null) {
        throw stop; // operations that never wait would not ask
      }
      engine.run(
          new Operation(
              program,
              vector,
              incoming,
              layout,
              op,
              sequence,
              transport,
              Deadline.after(options.timeout()),
              options.cancellation()));
    } catch (RuntimeException | Error e) {
      fail(e);
      throw e;
    } finally {
      running = false;
    }
  }

  /** Breaks the communicator off for input found wrong when other ranks have already gone on. */
  InvalidInputException refuse(InvalidInputException reason) {
    fail(reason);
    return reason;
  }

  /** Tells the listener, which may take its time, and only then lets the other ranks notice. */
  private void fail(Throwable reason) {
    try {
      options.onFailure().accept(reason);
    } catch (RuntimeException e) {
      reason.addSuppressed(e);
    } finally {
      abort(reason);
    }
  }

  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    if (broken == null && !running) {
      transport.release();
    } else {
      transport.close();
    }
  }

  void abort(Throwable reason) {
    if (broken == null) {
      broken = reason;
    }
    closed = true;
    transport.close();
  }
}
