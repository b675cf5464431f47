package org.sparkcollectives.spark.internal.rendezvous;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.transport.LinkErrors;

/**
 * What ranks have told of an attempt that may have failed, where the reason is not certain at once:
 * a deadline, which names whom the others waited for; a broken connection, at whose other end the
 * reason may be; input that is lost, of which Spark has to hear first. The first of each kind
 * counts. For whoever holds the attempt's lock.
 */
final class Causes {
  private final String operation;
  private final Arrivals arrivals;
  private final Set<Integer> tellers = new HashSet<>();
  private final Set<Integer> returned = new HashSet<>();
  private final Map<Wire.Severity, Failure> first = new EnumMap<>(Wire.Severity.class);

  /** Nothing is known of any rank. */
  Causes(String operation, Arrivals arrivals) {
    this.operation = operation;
    this.arrivals = arrivals;
  }

  /** A rank's work is done. */
  void returned(int rank) {
    returned.add(rank);
  }

  boolean hasReturned(int rank) {
    return returned.contains(rank);
  }

  /** Takes what a rank tells and is no certain reason; whether it is the first of its kind. */
  boolean add(Wire.Failed failed, Failure told) {
    tellers.add(failed.rank());
    return first.putIfAbsent(failed.severity(), told) == null;
  }

  /**
   * What is the reason if no better one has been told after what one severity stands for.
   *
   * @param severity what was told
   * @param participants who takes part, null where not all have come
   * @return the reason, or null if what was told of another severity decides
   */
  @Nullable Failure reason(Wire.Severity severity, @Nullable Participants participants) {
    Failure told = first.get(severity);
    if (told == null) {
      return null;
    }
    return switch (severity) {
      case DEADLINE -> told.waitingFor(operation, silent(participants));
      // Spark has not ended the attempt. What it hears last of a job it does not listen to, and
      // the others' ends, as a consequence, would be what it hears first.
      case INPUT_LOST, CAUSE -> told;
      case MAYBE_CONSEQUENCE -> first.size() == 1 ? orReturned(told) : null;
    };
  }

  /** Those that take part, have come, and tell of no failure. */
  private List<String> silent(@Nullable Participants participants) {
    List<String> silent = new ArrayList<>();
    if (participants != null) {
      participants
          .ranks()
          .filter(rank -> arrivals.of(rank) != null && !tellers.contains(rank))
          .mapToObj(rank -> arrivals.who(rank) + (hasReturned(rank) ? ", which has returned" : ""))
          .forEach(silent::add);
    }
    return silent;
  }

  /** The lost input that was told, or null. */
  @Nullable Failure inputLost() {
    return first.get(Wire.Severity.INPUT_LOST);
  }

  /** Whether what is told next may be the reason of what was told. */
  boolean reasonMayCome() {
    return first.containsKey(Wire.Severity.DEADLINE)
        || first.containsKey(Wire.Severity.MAYBE_CONSEQUENCE);
  }

  /** What is the reason if nothing else is told: lost input, a deadline, a connection; or null. */
  @Nullable Failure likeliest() {
    Failure lost = inputLost();
    Failure late = first.get(Wire.Severity.DEADLINE);
    Failure broken = first.get(Wire.Severity.MAYBE_CONSEQUENCE);
    if (lost != null) {
      return lost;
    }
    return late != null || broken == null ? late : orReturned(broken);
  }

  /** What a connection means that is no more: its peer ended it if that has returned. */
  private Failure orReturned(Failure connection) {
    if (connection.text().contains(LinkErrors.NETWORK_SAID)) {
      return connection; // a rank that returns ends its connections and breaks none
    }
    for (int rank : returned) {
      Arrival arrival = arrivals.of(rank);
      if (arrival != null && connection.text().contains(arrival.who())) {
        String who = arrival.who();
        return Failure.found(
            who, RendezvousErrors.rankReturned(operation, who, connection.text()), false);
      }
    }
    return connection;
  }
}
