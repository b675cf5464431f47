package org.sparkcollectives.internal.transport.tcp.lease;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.cache.BoundedMap;
import org.sparkcollectives.internal.transport.CommunicatorEpoch;
import org.sparkcollectives.internal.transport.LinkErrors;
import org.sparkcollectives.internal.transport.LinkProvider;
import org.sparkcollectives.internal.transport.Peer;
import org.sparkcollectives.internal.transport.Roster;
import org.sparkcollectives.internal.transport.tcp.handshake.AnswerCode;
import org.sparkcollectives.internal.transport.tcp.handshake.Lease;

/**
 * The communicators that an endpoint knows: those its ranks have joined, those that only leases
 * from elsewhere have named yet, and, as many as fit, those that are over. Thread-safe; no method
 * waits.
 */
public final class Sessions {
  /** How many past communicators and epochs are remembered, to refuse their late leases. */
  private static final int REMEMBERED = 4096;

  private final String endpoint;
  private final Duration parkTimeout;
  private final int maxParked;
  private final Map<CommunicatorEpoch, Session> sessions = new HashMap<>();
  private final Map<CommunicatorEpoch, Boolean> over = BoundedMap.ofLatest(REMEMBERED);
  private final Map<Long, Integer> latestEpoch = BoundedMap.ofLatest(REMEMBERED);
  private int parked;
  private boolean closed;

  /**
   * Makes sessions that are empty.
   *
   * @param endpoint the identity of the endpoint
   * @param parkTimeout how long an accepted lease waits for this process to join its communicator
   * @param maxParked how many accepted leases may wait for their ranks at once
   */
  public Sessions(String endpoint, Duration parkTimeout, int maxParked) {
    this.endpoint = endpoint;
    this.parkTimeout = parkTimeout;
    this.maxParked = maxParked;
  }

  /**
   * A rank of this process joins.
   *
   * @param joining the rank
   * @throws IOException if the rank has been there before or the epoch is past
   */
  public synchronized void join(LinkProvider.Rank joining) throws IOException {
    Roster roster = joining.roster();
    int rank = joining.rank();
    CommunicatorEpoch key = roster.communicatorEpoch();
    int latest = latestEpoch.merge(key.communicator(), key.epoch(), Math::max);
    if (latest > key.epoch()) {
      throw LinkErrors.cannotJoin(
          "rank " + rank + " of " + roster, "epoch " + latest + " has begun here already");
    }
    Session session = sessions.get(key);
    if (over.containsKey(key) || (session != null && session.hasSeen(rank))) {
      throw LinkErrors.cannotJoin(
          "rank " + rank + " of " + roster,
          "it is over here: this rank has taken part in it, or came too late");
    }
    if (session == null) {
      session = new Session();
      sessions.put(key, session);
    }
    dropEarlierEpochs(key);
    session.join(joining, localRanks(roster, endpoint));
  }

  private void dropEarlierEpochs(CommunicatorEpoch key) {
    for (Iterator<Map.Entry<CommunicatorEpoch, Session>> all = sessions.entrySet().iterator();
        all.hasNext(); ) {
      Map.Entry<CommunicatorEpoch, Session> entry = all.next();
      CommunicatorEpoch other = entry.getKey();
      if (other.communicator() == key.communicator() && other.epoch() < key.epoch()) {
        discard(entry.getValue().takeAll());
        if (!entry.getValue().isActive()) {
          all.remove();
        }
      }
    }
  }

  /**
   * Whether a lease may be accepted.
   *
   * @param lease the lease
   * @return {@link AnswerCode#ACCEPTED} or the reason of the refusal
   */
  public synchronized AnswerCode judge(Lease lease) {
    CommunicatorEpoch key = lease.communicatorEpoch();
    Integer latest = latestEpoch.get(key.communicator());
    if (latest != null && latest > key.epoch()) {
      return AnswerCode.STALE_EPOCH;
    }
    if (over.containsKey(key)) {
      return AnswerCode.ENDED;
    }
    if (lease.from() < 0 || lease.from() >= lease.to()) {
      return AnswerCode.NO_SUCH_RANK;
    }
    Session session = sessions.get(key);
    AnswerCode answer = session == null ? AnswerCode.ACCEPTED : session.judge(lease);
    return answer == AnswerCode.ACCEPTED && parked >= maxParked ? AnswerCode.CROWDED : answer;
  }

  /**
   * Keeps an accepted lease until its rank asks for it; closes the connection if the communicator
   * has ended since it was judged.
   *
   * @param lease the lease
   * @param connection its connection
   */
  public synchronized void park(Lease lease, Connection connection) {
    AnswerCode answer = judge(lease);
    if (closed || answer != AnswerCode.ACCEPTED) {
      connection.close();
      return;
    }
    CommunicatorEpoch key = lease.communicatorEpoch();
    Connection replaced = sessions.computeIfAbsent(key, k -> new Session()).park(lease, connection);
    if (replaced == null) {
      parked++;
    } else {
      replaced.close();
    }
  }

  /**
   * Takes the connection of a lease that has come.
   *
   * @param lease the lease
   * @return the connection, or null if it has not come
   */
  public synchronized @Nullable Connection take(Lease lease) {
    Session session = sessions.get(lease.communicatorEpoch());
    Connection found = session == null ? null : session.take(lease);
    if (found != null) {
      parked--;
    }
    return found;
  }

  /**
   * A rank of this process leaves; its parked leases are closed and later ones refused.
   *
   * @param communicator the communicator
   * @param epoch its epoch
   * @param rank the rank
   */
  public synchronized void leave(long communicator, int epoch, int rank) {
    CommunicatorEpoch key = new CommunicatorEpoch(communicator, epoch);
    Session session = sessions.get(key);
    if (session == null) {
      return;
    }
    discard(session.leave(rank));
    if (session.isOver()) {
      forget(key, session);
      sessions.remove(key);
    }
  }

  /** Closes leases whose communicator was not joined in time, and forgets what never completed. */
  public synchronized void expire() {
    long oldest = System.nanoTime() - parkTimeout.toNanos();
    for (Iterator<Map.Entry<CommunicatorEpoch, Session>> all = sessions.entrySet().iterator();
        all.hasNext(); ) {
      Map.Entry<CommunicatorEpoch, Session> entry = all.next();
      if (entry.getValue().isAbandoned(oldest)) {
        forget(entry.getKey(), entry.getValue());
        all.remove();
      }
    }
  }

  private void forget(CommunicatorEpoch key, Session session) {
    discard(session.takeAll());
    over.put(key, true);
  }

  /** Closes all parked leases, also those that come from now on. */
  public synchronized void close() {
    closed = true;
    sessions.values().forEach(session -> discard(session.takeAll()));
    sessions.clear();
  }

  /**
   * The number of parked leases.
   *
   * @return 0 or more
   */
  public synchronized int parked() {
    return parked;
  }

  private void discard(List<Connection> connections) {
    parked -= connections.size();
    connections.forEach(Connection::close);
  }

  /** Which ranks of this process the roster names, in rank order. */
  private static List<Integer> localRanks(Roster roster, String endpoint) {
    List<Integer> ranks = new ArrayList<>();
    for (Peer peer : roster.peers()) {
      if (peer.endpoint().equals(endpoint)) {
        ranks.add(peer.rank());
      }
    }
    return ranks;
  }
}
