package org.sparkcollectives.internal.transport.tcp;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.transport.EndpointOptions;

/**
 * The inbound connections that no rank uses, by how far they have come. The acceptor's thread alone
 * changes them; any may ask for their numbers.
 */
final class Callers {
  /** How many callers that know this process may be in the handshake, for each that does not. */
  private static final int GREETED_PER_SILENT = 8;

  private final EndpointOptions options;

  /** Who has said nothing yet, the oldest first. */
  private final Set<Inbound> silent = new LinkedHashSet<>();

  /** Who has shown to know this process, and not yet the token. */
  private final Set<Inbound> greeted = new LinkedHashSet<>();

  private final Set<Inbound> idle = new LinkedHashSet<>();

  /** Who has more to read, which its socket does not show any more. */
  private final Set<Inbound> unread = new LinkedHashSet<>();

  private volatile int pendingCount;
  private volatile int idleCount;

  Callers(EndpointOptions options) {
    this.options = options;
  }

  /** How many were in the handshake when the numbers were published last. */
  int pending() {
    return pendingCount;
  }

  /** How many could be leased then. */
  int leasable() {
    return idleCount;
  }

  /** Lets other threads see the numbers as they are. */
  void publish() {
    pendingCount = silent.size() + greeted.size();
    int count = 0;
    for (Inbound inbound : idle) {
      if (inbound.state() == Inbound.State.LEASE) { // of others nobody was told yet
        count++;
      }
    }
    idleCount = count;
  }

  void come(Inbound inbound) {
    silent.add(inbound);
  }

  /** Whoever has been silent longest, where too many are; else null. */
  @Nullable Inbound crowding() {
    return silent.size() > options.maxPending() ? silent.iterator().next() : null;
  }

  boolean isSilent(Inbound inbound) {
    return silent.contains(inbound);
  }

  /**
   * Notes that a caller knows this process.
   *
   * @return false if too many are in the handshake who do; then nothing is noted
   */
  boolean greet(Inbound inbound) {
    if (greeted.size() >= GREETED_PER_SILENT * options.maxPending()) {
      return false;
    }
    silent.remove(inbound);
    greeted.add(inbound);
    return true;
  }

  /** Notes that a connection may be leased, or soon may again. */
  void rest(Inbound inbound) {
    greeted.remove(inbound);
    idle.add(inbound);
  }

  boolean isIdle(Inbound inbound) {
    return idle.contains(inbound);
  }

  /** Notes that there is more to read. */
  void unread(Inbound inbound) {
    unread.add(inbound);
  }

  boolean hasUnread() {
    return !unread.isEmpty();
  }

  /** Those with more to read, who must be noted again if there still is after that. */
  List<Inbound> takeUnread() {
    List<Inbound> all = List.copyOf(unread);
    unread.clear();
    return all;
  }

  /** Whether nobody is in the handshake. */
  boolean quiet() {
    return silent.isEmpty() && greeted.isEmpty();
  }

  /** A copy of those in the handshake who know this process. */
  List<Inbound> greeted() {
    return List.copyOf(greeted);
  }

  /** A copy of those whose connections may be leased, or soon may again. */
  List<Inbound> idle() {
    return List.copyOf(idle);
  }

  /** Who has been in the handshake for longer than the settings allow. */
  List<Inbound> late(long nowNanos) {
    List<Inbound> late = late(silent, nowNanos);
    late.addAll(late(greeted, nowNanos));
    return late;
  }

  /** Whose connection has been idle for longer than that. */
  List<Inbound> idleTooLong(long nowNanos) {
    return late(idle, nowNanos);
  }

  private List<Inbound> late(Set<Inbound> all, long nowNanos) {
    List<Inbound> late = new ArrayList<>();
    for (Inbound inbound : all) {
      if (inbound.isLate(options, nowNanos)) {
        late.add(inbound);
      }
    }
    return late;
  }

  /** Forgets one whose connection is closed, or leased. */
  void remove(Inbound inbound) {
    silent.remove(inbound);
    greeted.remove(inbound);
    idle.remove(inbound);
    unread.remove(inbound);
  }

  /** Closes all connections. */
  void closeAll() {
    for (Set<Inbound> kept : List.of(silent, greeted, idle)) {
      kept.forEach(inbound -> inbound.connection().close());
      kept.clear();
    }
    unread.clear();
    publish();
  }
}
