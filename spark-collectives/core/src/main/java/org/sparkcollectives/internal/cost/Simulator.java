package org.sparkcollectives.internal.cost;

import java.util.EnumMap;
import java.util.Map;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.cost.CostModel;
import org.sparkcollectives.cost.LevelCost;
import org.sparkcollectives.schedule.Level;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Schedule;
import org.sparkcollectives.schedule.Topology;

/**
 * Executes the schedules of all ranks on a clock.
 *
 * <p>A rank has one stream of sends and one of receives, as in the engine. A message begins when
 * the sender has sent what came before it, the receiver has received and combined what came before
 * it, what the message carries is there, and the network cards of both hosts are free: the sender's
 * to send, the receiver's to receive, or both for either where the network is not full-duplex; and
 * between racks a lane of both uplinks ({@link CostModel#uplinkLanes}). It keeps ranks and cards
 * occupied and is there a latency later ({@link LevelCost}). Then what was received is combined, at
 * γ per byte. Messages of several ranks of a host take turns on its card in the sequence in which
 * they are ready.
 */
public final class Simulator {
  private final CostModel model;
  private final Topology topology;
  private final RankPlan[] plans;
  private final double bytesPerBlock;
  private final Simulation.Listener listener;

  /** By rank: the rounds of the next send and the next receive, and when they may begin. */
  private final int[] sendRound;

  private final int[] receiveRound;
  private final double[] sendFree;
  private final double[] receiveFree;

  /** By rank: whether its next send has been announced. */
  private final boolean[] announced;

  /** By rank and round, when what was received is there, combined. */
  private final double[][] content;

  /** By level: the bytes of the latest message, how long it occupied its ranks, and its latency. */
  private final Map<Level, double[]> latest = new EnumMap<>(Level.class);

  /** The same of messages between racks by uplinks that are slower than a card. */
  private double[] latestCrossing = {Double.NaN};

  private final double[] finish;

  /** How many times longer a message alone takes by an uplink that is slower than a card. */
  private final double uplinkSharing;

  private final NetworkCards cards;
  private final EventQueue events;

  private Simulator(
      CostModel model,
      Problem problem,
      RankPlans plans,
      double bytesPerBlock,
      Simulation.Listener listener) {
    int size = problem.size();
    this.model = model;
    this.topology = problem.topology();
    this.bytesPerBlock = bytesPerBlock;
    this.listener = listener;
    this.plans = plans.all();
    this.content = new double[size][];
    for (int rank = 0; rank < size; rank++) {
      content[rank] = new double[this.plans[rank].rounds()];
    }
    this.sendRound = new int[size];
    this.receiveRound = new int[size];
    this.sendFree = new double[size];
    this.receiveFree = new double[size];
    this.announced = new boolean[size];
    this.finish = new double[size];
    this.uplinkSharing = model.uplinkNanosPerByte() / model.network().betaNanosPerByte();
    this.cards = new NetworkCards(topology, size, model);
    this.events = new EventQueue(size);
  }

  /**
   * Simulates a collective.
   *
   * @param model what communication costs
   * @param problem what the schedules solve
   * @param schedules makes the schedule of a rank; none is kept
   * @param bytesPerBlock the size of a block
   * @param listener hears of every message in the sequence of their beginnings, or null
   * @return when ranks are done and what network cards carried
   * @throws IllegalArgumentException if sends and receives do not match
   */
  public static Simulation run(
      CostModel model,
      Problem problem,
      IntFunction<Schedule> schedules,
      double bytesPerBlock,
      Simulation.@Nullable Listener listener) {
    return run(model, RankPlans.of(problem, schedules), bytesPerBlock, listener);
  }

  /**
   * Simulates a collective whose schedules have been read.
   *
   * @param model what communication costs
   * @param plans what all ranks do
   * @param bytesPerBlock the size of a block
   * @param listener hears of every message in the sequence of their beginnings, or null
   * @return when ranks are done and what network cards carried
   * @throws IllegalArgumentException if sends and receives do not match
   */
  public static Simulation run(
      CostModel model,
      RankPlans plans,
      double bytesPerBlock,
      Simulation.@Nullable Listener listener) {
    Simulation.Listener hears = listener == null ? (i, from, to, start, end) -> {} : listener;
    return new Simulator(model, plans.problem(), plans, bytesPerBlock, hears).run();
  }

  private Simulation run() {
    for (int rank = 0; rank < plans.length; rank++) {
      sendRound[rank] = next(plans[rank].sendTo, 0);
      receiveRound[rank] = next(plans[rank].receiveFrom, 0);
    }
    for (int rank = 0; rank < plans.length; rank++) {
      announce(rank);
    }
    while (!events.isEmpty()) {
      int sender = events.poll();
      double nanos = events.nanos(sender);
      if (!events.begins(sender)) {
        end(sender, nanos);
      } else if (cards.tryTake(sender, out(sender), in(sender))) {
        begin(sender, nanos); // or when a card is free
      }
    }
    for (int rank = 0; rank < plans.length; rank++) {
      int reached = Math.min(sendRound[rank], receiveRound[rank]);
      if (reached < plans[rank].rounds()) {
        throw new IllegalArgumentException("rank " + rank + " waits for ever in round " + reached);
      }
    }
    return new Simulation(finish, cards.sent(), cards.received());
  }

  /** The first round from one on that has a peer. */
  private static int next(int[] peers, int from) {
    int round = from;
    while (round < peers.length && peers[round] == RankPlan.NOBODY) {
      round++;
    }
    return round;
  }

  /** Lets a rank's next send begin if its peer has come to it and its content is there. */
  private void announce(int sender) {
    RankPlan plan = plans[sender];
    int now = sendRound[sender];
    if (announced[sender] || now >= plan.rounds()) {
      return;
    }
    int receiver = plan.sendTo[now];
    int needs = plan.needs[now];
    boolean ready =
        receiveRound[receiver] == now
            && now < plans[receiver].rounds()
            && plans[receiver].receiveFrom[now] == sender
            && needs < receiveRound[sender];
    if (ready) {
      double there = needs == RankPlan.NOBODY ? 0 : content[sender][needs];
      double free = Math.max(sendFree[sender], receiveFree[receiver]);
      announced[sender] = true;
      events.add(sender, Math.max(there, free), true);
    }
  }

  private void begin(int sender, double nanos) {
    int now = sendRound[sender];
    int receiver = plans[sender].sendTo[now];
    double bytes = plans[sender].sendBlocks[now] * bytesPerBlock;
    double[] times = times(sender, receiver, bytes);
    double end = nanos + times[1];
    double arrival = end + times[2];
    content[receiver][now] = arrival + combining(receiver);
    finish[receiver] = Math.max(finish[receiver], content[receiver][now]);
    cards.count(out(sender), in(sender), bytes + CostModel.HEADER_BYTES);
    listener.message(now, sender, receiver, nanos, arrival);
    events.add(sender, end, false);
  }

  private void end(int sender, double nanos) {
    int receiver = plans[sender].sendTo[sendRound[sender]];
    cards.giveBack(out(sender), in(sender));
    for (int free = cards.next(); free != NetworkCards.NONE; free = cards.next()) {
      begin(free, nanos);
    }
    announced[sender] = false;
    sendFree[sender] = nanos;
    finish[sender] = Math.max(finish[sender], nanos);
    receiveFree[receiver] = nanos + combining(receiver);
    sendRound[sender] = next(plans[sender].sendTo, sendRound[sender] + 1);
    receiveRound[receiver] = next(plans[receiver].receiveFrom, receiveRound[receiver] + 1);
    announce(sender);
    announce(receiver);
    if (receiveRound[receiver] < plans[receiver].rounds()) {
      announce(plans[receiver].receiveFrom[receiveRound[receiver]]);
    }
  }

  /** How long a rank combines after its next receive. */
  private double combining(int rank) {
    double blocks = plans[rank].combined[receiveRound[rank]];
    return blocks * bytesPerBlock * model.gammaNanosPerByte();
  }

  /** What a message costs; most have as many bytes as the one before. */
  private double[] times(int sender, int receiver, double bytes) {
    if (uplinkSharing > 1 && crossesRacks(sender, receiver)) {
      if (latestCrossing[0] != bytes) {
        latestCrossing = times(model.network(), bytes, uplinkSharing);
      }
      return latestCrossing;
    }
    Level level = topology.isFlat() ? Level.NETWORK : topology.level(sender, receiver);
    double[] known = latest.get(level);
    if (known == null || known[0] != bytes) {
      known = times(model.at(level), bytes, 1);
      latest.put(level, known);
    }
    return known;
  }

  private static double[] times(LevelCost cost, double bytes, double sharing) {
    return new double[] {
      bytes, cost.occupiedNanos(bytes, sharing), cost.latencyNanos(bytes, sharing)
    };
  }

  private boolean crossesRacks(int sender, int receiver) {
    return topology.rack(topology.host(sender)) != topology.rack(topology.host(receiver));
  }

  /** The host whose card a message leaves by, or {@link Cards#NONE} if it stays in its host. */
  private int out(int sender) {
    int receiver = plans[sender].sendTo[sendRound[sender]];
    int host = topology.host(sender);
    return host == topology.host(receiver) ? NetworkCards.NONE : host;
  }

  private int in(int sender) {
    return out(sender) == NetworkCards.NONE
        ? NetworkCards.NONE
        : topology.host(plans[sender].sendTo[sendRound[sender]]);
  }
}
