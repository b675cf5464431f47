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
 * <p>A rank has one stream of sends and one of receives, as in the engine. It hands a message over
 * when it has handed over what comes before, what the message carries is there, and the receiver
 * has come to it or has room to keep it ({@link #AHEAD_BYTES}). Messages leave by the card of a
 * host in that sequence, between racks by a lane of both uplinks, too, of which each has one for
 * each card that it carries ({@link CostModel#uplinkCards}) and one for a part of a card, and reach
 * the other card in the sequence in which they left. A long one does not lie in the network as a
 * whole: it holds the first card until it has crossed. Where the network is not full-duplex, each
 * message needs both cards at once. It is there a latency later ({@link LevelCost}). Within a host
 * the sender is occupied instead, and messages for a rank follow each other. A rank takes messages
 * in the sequence of its rounds, and combines at γ per byte.
 *
 * <p>Long messages keep in step: of an exchange none leaves before its receiver has come to it, and
 * where ranks have all they send from the beginning none before what the rounds before bring is
 * there. So it is in the engine, but in exchanges of pipelines, which wait here and not there.
 */
public final class Simulator {
  /**
   * So many bytes of a pair's messages may be on their way to a receiver that has not come to them
   * yet: what a ring in memory holds, and the buffers of a connection do.
   */
  public static final int AHEAD_BYTES = 256 << 10;

  /** A message is long, as the engine has it, if it lasts longer than so many latencies. */
  private static final int LONG_LATENCIES = 8;

  /** And has more bytes than this. */
  private static final int LONG_BYTES = 64 << 10;

  private final CostModel model;
  private final Topology topology;
  private final RankPlans ranks;
  private final RankPlan[] plans;
  private final double bytesPerBlock;
  private final double longBytes;
  private final Simulation.Listener listener;

  /** By rank: the rounds of the next send and of the next receive. */
  private final int[] sendRound;

  private final int[] receiveRound;

  /** By rank: whether its next send, or its next receive, waits for nothing but time. */
  private final boolean[] sends;

  private final boolean[] receives;

  /** By rank, when it has read all that its host has sent it. */
  private final double[] read;

  /** By rank and round, when what is received has crossed; 0 before it begins to. */
  private final double[][] crossed;

  /** When it is there, combined; until then, after it has begun, its latency. */
  private final double[][] content;

  /** By level: the bytes of the latest message, how long it occupied its ranks, and its latency. */
  private final Map<Level, double[]> latest = new EnumMap<>(Level.class);

  /** The same of messages that share an uplink, with how many times longer their bytes take. */
  private double[] latestSharing = {Double.NaN, 0, 0, 1};

  private final double[] finish;

  private final NetworkCards cards;

  private final Messages messages = new Messages();

  /**
   * By rank, its next send; by rank after those, its receive; then by message, that it has left.
   */
  private final EventQueue events;

  private Simulator(
      CostModel model, RankPlans ranks, double bytesPerBlock, Simulation.Listener listener) {
    Problem problem = ranks.problem();
    int size = problem.size();
    this.model = model;
    this.topology = problem.topology();
    this.bytesPerBlock = bytesPerBlock;
    this.listener = listener;
    this.ranks = ranks;
    this.plans = ranks.all();
    this.read = new double[size];
    this.crossed = new double[size][];
    this.content = new double[size][];
    for (int rank = 0; rank < size; rank++) {
      crossed[rank] = new double[plans[rank].rounds()];
      content[rank] = new double[plans[rank].rounds()];
    }
    this.sendRound = new int[size];
    this.receiveRound = new int[size];
    this.sends = new boolean[size];
    this.receives = new boolean[size];
    this.finish = new double[size];
    LevelCost network = model.network();
    this.longBytes =
        Math.max(LONG_BYTES, LONG_LATENCIES * network.alphaNanos() / network.betaNanosPerByte());
    this.cards = new NetworkCards(topology, size, model);
    this.events = new EventQueue(4 * size);
  }

  /**
   * Whether the uplinks of racks carry less than the cards of their hosts together.
   *
   * @param model what communication costs
   * @param topology which hosts are in which racks
   * @param size the number of ranks
   * @return false also where racks are not known
   */
  public static boolean limitsByUplinks(CostModel model, Topology topology, int size) {
    return topology.hasRacks() && model.uplinkCards() < topology.mostHostsPerRack(size);
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
    return new Simulator(model, plans, bytesPerBlock, hears).run();
  }

  private Simulation run() {
    for (int rank = 0; rank < plans.length; rank++) {
      sendRound[rank] = next(plans[rank].sendTo, 0);
      receiveRound[rank] = next(plans[rank].receiveFrom, 0);
    }
    for (int rank = 0; rank < plans.length; rank++) {
      announce(rank, 0);
    }
    while (!events.isEmpty()) {
      int next = events.poll();
      double nanos = events.nanos(next);
      if (next < plans.length) {
        handOver(next, nanos);
      } else if (next < 2 * plans.length) {
        received(next - plans.length, nanos);
      } else {
        left(next - 2 * plans.length, nanos);
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

  /**
   * Lets a rank hand its next send over when its content is there, if it need not wait for more.
   */
  private void announce(int sender, double nanos) {
    int now = sendRound[sender];
    if (sends[sender] || now >= plans[sender].rounds()) {
      return;
    }
    int needs = plans[sender].needs[now];
    if (needs < receiveRound[sender] && mayBegin(sender, now)) {
      double there = needs == RankPlan.NOBODY ? 0 : content[sender][needs];
      sends[sender] = true;
      events.add(sender, Math.max(there, nanos), true);
    }
  }

  private boolean mayBegin(int sender, int now) {
    RankPlan plan = plans[sender];
    int receiver = plan.sendTo[now];
    if (now >= plans[receiver].rounds() || plans[receiver].receiveFrom[now] != sender) {
      return false;
    }
    boolean expected = receiveRound[receiver] == now;
    double bytes = bytes(sender, now);
    if (bytes > longBytes && topology.host(sender) != topology.host(receiver)) {
      if (ranks.independent() && receiveRound[sender] < now) {
        return false;
      }
      if (plan.receiveFrom[now] == receiver) {
        return expected;
      }
    }
    return expected || hasRoom(sender, now);
  }

  /** Whether a receiver can keep a message besides those of the same sender that it has not had. */
  private boolean hasRoom(int sender, int now) {
    RankPlan plan = plans[sender];
    int receiver = plan.sendTo[now];
    double room = AHEAD_BYTES - bytes(sender, now);
    int before = plan.sentBefore[now];
    while (room >= 0 && before >= receiveRound[receiver]) {
      room -= bytes(sender, before);
      before = plan.sentBefore[before];
    }
    return room >= 0;
  }

  private double bytes(int sender, int round) {
    return plans[sender].sendBlocks[round] * bytesPerBlock + CostModel.HEADER_BYTES;
  }

  private void handOver(int sender, double nanos) {
    int round = sendRound[sender];
    int message = messages.add(sender, round);
    int out = topology.host(sender);
    int in = topology.host(plans[sender].sendTo[round]);
    if (out == in) {
      begin(message, nanos);
      return;
    }
    if (cards.tryTake(message, out, in)) {
      begin(message, nanos); // or when a card is free
    }
    goOn(sender, nanos);
  }

  /** Goes on to a rank's next send. */
  private void goOn(int sender, double nanos) {
    sends[sender] = false;
    sendRound[sender] = next(plans[sender].sendTo, sendRound[sender] + 1);
    announce(sender, nanos);
  }

  private void begin(int message, double nanos) {
    int sender = messages.sender(message);
    int round = messages.round(message);
    int receiver = plans[sender].sendTo[round];
    int out = topology.host(sender);
    int in = topology.host(receiver);
    double[] times = times(message);
    double end;
    if (out == in) {
      end = Math.max(nanos, read[receiver]) + times[1];
      read[receiver] = end + combining(receiver, round);
    } else {
      end = cards.reach(in, nanos, times[1]);
      cards.count(out, in, bytes(sender, round));
    }
    crossed[receiver][round] = end;
    content[receiver][round] = times[2];
    listener.message(round, sender, receiver, nanos, end + times[2]);
    boolean held = out != in && bytes(sender, round) > longBytes;
    events.add(2 * plans.length + message, held ? end : nanos + times[1], false);
    receive(receiver, nanos);
  }

  private void left(int message, double nanos) {
    int sender = messages.sender(message);
    int receiver = plans[sender].sendTo[messages.round(message)];
    messages.remove(message);
    finish[sender] = Math.max(finish[sender], nanos);
    if (topology.host(sender) == topology.host(receiver)) {
      goOn(sender, nanos);
      return;
    }
    cards.giveBack(message);
    for (int free = cards.next(); free != NetworkCards.NONE; free = cards.next()) {
      begin(free, nanos);
    }
  }

  /** Takes the message that a rank expects if it is under way. */
  private void receive(int rank, double nanos) {
    int round = receiveRound[rank];
    if (!receives[rank] && round < plans[rank].rounds() && crossed[rank][round] > 0) {
      receives[rank] = true;
      double there = Math.max(nanos, crossed[rank][round]);
      events.add(plans.length + rank, there + combining(rank, round), false);
    }
  }

  /** Goes on to a rank's next receive; so may those that wait for its room, or for it. */
  private void received(int rank, double nanos) {
    RankPlan plan = plans[rank];
    int round = receiveRound[rank];
    int sender = plan.receiveFrom[round];
    content[rank][round] += nanos;
    finish[rank] = Math.max(finish[rank], content[rank][round]);
    receives[rank] = false;
    receiveRound[rank] = next(plan.receiveFrom, round + 1);
    announce(sender, nanos);
    announce(rank, nanos);
    if (receiveRound[rank] < plan.rounds()) {
      announce(plan.receiveFrom[receiveRound[rank]], nanos);
    }
    receive(rank, nanos);
  }

  /** How long a rank combines after a receive. */
  private double combining(int rank, int round) {
    return plans[rank].combined[round] * bytesPerBlock * model.gammaNanosPerByte();
  }

  /** What a message costs that begins; most have as many bytes as the one before. */
  private double[] times(int message) {
    int sender = messages.sender(message);
    int round = messages.round(message);
    int receiver = plans[sender].sendTo[round];
    double bytes = plans[sender].sendBlocks[round] * bytesPerBlock;
    Level level = topology.isFlat() ? Level.NETWORK : topology.level(sender, receiver);
    double sharing = level == Level.NETWORK ? cards.sharing(message) : 1;
    if (sharing > 1) {
      if (latestSharing[0] != bytes || latestSharing[3] != sharing) {
        latestSharing = times(model.network(), bytes, sharing);
      }
      return latestSharing;
    }
    double[] known = latest.get(level);
    if (known == null || known[0] != bytes) {
      known = times(model.at(level), bytes, 1);
      latest.put(level, known);
    }
    return known;
  }

  private static double[] times(LevelCost cost, double bytes, double sharing) {
    return new double[] {
      bytes, cost.occupiedNanos(bytes, sharing), cost.latencyNanos(bytes, sharing), sharing
    };
  }
}
