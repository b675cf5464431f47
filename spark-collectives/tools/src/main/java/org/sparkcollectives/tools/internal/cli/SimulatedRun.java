package org.sparkcollectives.tools.internal.cli;

import java.util.Arrays;
import java.util.Locale;
import java.util.function.IntToDoubleFunction;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.cost.CostModel;
import org.sparkcollectives.internal.algorithm.Traits;
import org.sparkcollectives.internal.cost.RankPlans;
import org.sparkcollectives.internal.cost.Simulation;
import org.sparkcollectives.internal.cost.Simulator;
import org.sparkcollectives.internal.select.BlockSizes;
import org.sparkcollectives.internal.select.Choice;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Message;
import org.sparkcollectives.schedule.Piece;
import org.sparkcollectives.schedule.Round;
import org.sparkcollectives.schedule.Schedule;
import org.sparkcollectives.select.Request;

/** One simulated operation, with what each rank sends and receives. */
final class SimulatedRun {
  /** The most rounds of all ranks together; a plan of them takes some 150 MB. */
  private static final long MOST_ROUNDS = 5_000_000;

  private final Choice choice;
  private final double bytesPerBlock;
  private final long[] messagesSent;
  private final long[] messagesReceived;
  private final double[] bytesSent;
  private final double[] bytesReceived;
  private final @Nullable BlockSizes sizes;
  private final Simulation simulation;

  /** Whether the price counts contention, which the simulator knows nothing of. */
  private final boolean contended;

  private int executedRounds;

  private SimulatedRun(CostModel model, Request request, Choice choice) {
    int size = request.size();
    this.choice = choice;
    this.bytesPerBlock =
        request.collective() == Collective.BARRIER
            ? 0
            : (double) request.bytes() / choice.problem().blocks();
    this.messagesSent = new long[size];
    this.messagesReceived = new long[size];
    this.bytesSent = new double[size];
    this.bytesReceived = new double[size];
    BlockSizes known = request.counts().isEmpty() ? null : BlockSizes.of(request, choice.problem());
    this.sizes = known;
    RankPlans plans =
        known == null
            ? RankPlans.of(choice.problem(), this::counted)
            : RankPlans.of(
                choice.problem(), this::counted, block -> known.bytes(block) / bytesPerBlock);
    this.simulation = Simulator.run(model, plans, bytesPerBlock, null);
    Traits traits = choice.algorithm().traits();
    this.contended =
        model.contention() > 1 && traits.contention(request.size(), request.ordered()) > 0;
  }

  /**
   * Simulates an operation.
   *
   * @param model what communication costs
   * @param request the operation
   * @param choice the algorithm and the problem that it solves
   */
  static SimulatedRun of(CostModel model, Request request, Choice choice) {
    return new SimulatedRun(model, request, choice);
  }

  /**
   * Refuses what would take too much memory.
   *
   * @throws org.sparkcollectives.error.InvalidInputException if there are too many rounds
   */
  static void requireFeasible(Choice choice) {
    int size = choice.problem().size();
    int rounds = choice.algorithm().rounds(choice.problem());
    if ((long) size * rounds > MOST_ROUNDS) {
      throw OptionErrors.tooManyRounds("simulate", size, rounds, MOST_ROUNDS, "a smaller --size");
    }
  }

  private Schedule counted(int rank) {
    Schedule schedule = choice.algorithm().executed(choice.problem(), rank);
    executedRounds = Math.max(executedRounds, schedule.rounds().size());
    for (Round round : schedule.rounds()) {
      if (round.send() != null) {
        messagesSent[rank]++;
        bytesSent[rank] += bytes(round.send());
      }
      if (round.receive() != null) {
        messagesReceived[rank]++;
        bytesReceived[rank] += bytes(round.receive());
      }
    }
    return schedule;
  }

  /**
   * The run for people, a line for each part.
   *
   * @param simulates whether the choice's price is found by the simulator, too
   */
  String text(boolean simulates) {
    double nanos = simulation.nanos();
    int rank = largest(messagesSent.length, i -> bytesSent[i] + bytesReceived[i]);
    int host =
        largest(
            simulation.sentBytes().length,
            i -> simulation.sentBytes()[i] + simulation.receivedBytes()[i]);
    int last = largest(messagesSent.length, i -> simulation.finishNanos()[i]);
    return line("algorithm", choice.algorithm().slug())
        + line("rounds", rounds())
        + line("blocks", "%d of %.0f bytes", choice.problem().blocks(), bytesPerBlock)
        + line("simulated", time(nanos))
        + (simulates
            ? line(
                "price",
                "%s, found by simulation where ranks share cards%s",
                time(choice.nanos()),
                contended ? ", with contention" : "")
            : line(
                "closed form",
                "%s%s, simulated ÷ closed form %s",
                time(choice.nanos()),
                sizes == null ? "" : ", every round as long as its longest message",
                ratio(nanos)))
        + line("last rank", "%d, done after %s", last, time(simulation.finishNanos()[last]))
        + line(
            "busiest rank",
            "%d, sends %.0f bytes in %d messages and receives %.0f in %d",
            rank,
            bytesSent[rank],
            messagesSent[rank],
            bytesReceived[rank],
            messagesReceived[rank])
        + card(host);
  }

  private String rounds() {
    int claimed = choice.algorithm().rounds(choice.problem());
    return executedRounds == claimed
        ? String.valueOf(claimed)
        : claimed + ", executed in " + executedRounds + ", with time for latencies";
  }

  private String card(int host) {
    double sent = simulation.sentBytes()[host];
    double received = simulation.receivedBytes()[host];
    return sent + received == 0
        ? line("busiest card", "none, nothing leaves its host")
        : line(
            "busiest card",
            "that of host %d, sends %.0f bytes with headers and receives %.0f",
            host,
            sent,
            received);
  }

  private String ratio(double nanos) {
    return choice.nanos() == 0 ? "-" : String.format(Locale.ROOT, "%.2f", nanos / choice.nanos());
  }

  private double bytes(Message message) {
    if (sizes == null) {
      return message.size() * bytesPerBlock;
    }
    double sum = 0;
    for (Piece piece : message.pieces()) {
      for (int block = piece.blocks().from(); block < piece.blocks().to(); block++) {
        sum += sizes.bytes(block);
      }
    }
    return sum;
  }

  /** The first index with the largest number. */
  private static int largest(int count, IntToDoubleFunction number) {
    double[] numbers = new double[count];
    Arrays.setAll(numbers, number);
    int most = 0;
    for (int i = 1; i < count; i++) {
      most = numbers[i] > numbers[most] ? i : most;
    }
    return most;
  }

  private static String line(String name, Object value) {
    return line(name, "%s", value);
  }

  private static String line(String name, String format, Object... values) {
    String text = String.format(Locale.ROOT, format, values);
    return String.format(Locale.ROOT, "  %-14s%s%n", name, text);
  }

  /** A time in the unit that suits it. */
  private static String time(double nanos) {
    if (nanos < 1e6) {
      return String.format(Locale.ROOT, "%.1f µs", nanos / 1e3);
    }
    return nanos < 1e10
        ? String.format(Locale.ROOT, "%.2f ms", nanos / 1e6)
        : String.format(Locale.ROOT, "%.1f s", nanos / 1e9);
  }
}
