package org.sparkcollectives.internal.group;

import java.io.IOException;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.error.CollectiveException;
import org.sparkcollectives.internal.transport.EndpointStatistics;
import org.sparkcollectives.internal.transport.Lookup;
import org.sparkcollectives.internal.transport.Peer;
import org.sparkcollectives.internal.transport.Roster;
import org.sparkcollectives.internal.transport.endpoint.Endpoint;
import org.sparkcollectives.internal.transport.tcp.channel.RecordSealing;
import org.sparkcollectives.internal.transport.tcp.channel.Sealing;
import org.sparkcollectives.transport.Deadline;
import org.sparkcollectives.transport.Transport;

/** A process's membership in a group: its endpoint, its rank, and who else takes part. */
public final class ProcessGroup implements AutoCloseable {
  private final Endpoint endpoint;
  private final int rank;
  private final byte[] token;
  private final List<Peer> peers;
  private long communicators;
  private boolean closed;

  private ProcessGroup(Endpoint endpoint, int rank, byte[] token, List<Card> cards) {
    this.endpoint = endpoint;
    this.rank = rank;
    this.token = token;
    this.peers = IntStream.range(0, cards.size()).mapToObj(r -> cards.get(r).peer(r)).toList();
    requireOneRackEach(peers);
    try {
      endpoint.expect(token); // others may begin before this process makes a communicator
    } catch (IOException e) {
      throw GroupErrors.noEndpoint(e);
    }
  }

  private static void requireOneRackEach(List<Peer> peers) {
    Map<String, Peer> first = new HashMap<>();
    for (Peer peer : peers) {
      Peer known = first.putIfAbsent(peer.node(), peer);
      if (known != null && !known.rack().equals(peer.rack())) {
        throw GroupErrors.otherRack(known, peer);
      }
    }
  }

  /**
   * Meets the other processes of a group.
   *
   * @param plan what this process was told
   * @return its membership
   * @throws CollectiveException if the group does not come about
   */
  public static ProcessGroup open(GroupPlan plan) {
    return open(plan, new Lookup());
  }

  static ProcessGroup open(GroupPlan plan, Lookup lookup) {
    Deadline deadline = Deadline.after(plan.timeout());
    return plan.rank() == 0 ? first(plan, deadline, lookup) : other(plan, deadline, lookup);
  }

  private static ProcessGroup first(GroupPlan plan, Deadline deadline, Lookup lookup) {
    try (FirstRank meeting = FirstRank.listen(plan, deadline, lookup)) {
      try {
        plan.listening().accept(meeting.address().toString());
        meeting.meet();
        return introduce(plan, meeting);
      } catch (RuntimeException e) {
        meeting.giveUp(e);
        throw e;
      }
    } catch (IOException e) {
      throw GroupErrors.noMeeting(plan.first(), e);
    }
  }

  /** Begins to listen for links where the meeting was, and tells the others. */
  private static ProcessGroup introduce(GroupPlan plan, FirstRank meeting) throws IOException {
    InetAddress bound = meeting.bound().getAddress();
    int port = meeting.address().port();
    meeting.endListening();
    String advertised = plan.advertisedHost();
    if (advertised.isEmpty() && bound.isAnyLocalAddress() && !isWildcard(plan.first().host())) {
      advertised = plan.first().host();
    }
    Endpoint endpoint = endpoint(plan, bound.getHostAddress(), advertised, port, port);
    boolean introduced = false;
    try {
      byte[] nonce = MeetingKey.random(MeetingFrames.GROUP_NONCE_BYTES);
      List<Card> cards = meeting.introduce(card(plan, endpoint), nonce);
      ProcessGroup group =
          new ProcessGroup(endpoint, 0, new MeetingKey(plan.secret()).token(nonce), cards);
      introduced = true;
      return group;
    } finally {
      if (!introduced) {
        endpoint.close();
      }
    }
  }

  private static ProcessGroup other(GroupPlan plan, Deadline deadline, Lookup lookup) {
    @Nullable InetAddress bind = bindAddress(plan, deadline, lookup);
    Endpoint[] opened = new Endpoint[1];
    boolean met = false;
    try {
      MeetingFrames.Roster roster =
          new OtherRank(
                  plan,
                  deadline,
                  lookup,
                  own -> {
                    opened[0] = otherEndpoint(plan, own, bind);
                    return card(plan, opened[0]);
                  })
              .meet();
      byte[] token = new MeetingKey(plan.secret()).token(roster.nonce());
      ProcessGroup group = new ProcessGroup(opened[0], roster.rank(), token, roster.cards());
      met = true;
      return group;
    } finally {
      if (!met && opened[0] != null) {
        opened[0].close();
      }
    }
  }

  /** What another rank than 0 was told to listen on, or null for where it reaches rank 0 from. */
  private static @Nullable InetAddress bindAddress(
      GroupPlan plan, Deadline deadline, Lookup lookup) {
    String host = plan.bindHost();
    if (host.isEmpty()) {
      if (!isListed(plan)) {
        return null;
      }
      host = plan.addresses().get(plan.rank()).host();
    }
    try {
      return Lookup.own(new Address(host, 0).resolve(lookup, deadline));
    } catch (IOException e) {
      throw GroupErrors.noBindAddress(host, e);
    }
  }

  private static boolean isListed(GroupPlan plan) {
    return plan.hasList() && plan.rank() > 0;
  }

  private static Endpoint otherEndpoint(
      GroupPlan plan, InetAddress own, @Nullable InetAddress told) {
    boolean listed = isListed(plan);
    Address place =
        listed ? plan.addresses().get(plan.rank()) : new Address(own.getHostAddress(), 0);
    InetAddress bound = told == null ? own : told;
    String bind = bound.getHostAddress();
    String advertised = plan.advertisedHost();
    if (advertised.isEmpty() && bound.isAnyLocalAddress() && !isWildcard(place.host())) {
      advertised = place.host();
    }
    return listed
        ? endpoint(plan, bind, advertised, place.port(), place.port())
        : endpoint(plan, bind, advertised, plan.firstPort(), plan.lastPort());
  }

  private static boolean isWildcard(String host) {
    return host.equals("0.0.0.0") || host.equals("::") || host.equals("0:0:0:0:0:0:0:0");
  }

  private static Endpoint endpoint(
      GroupPlan plan, String bind, String advertised, int firstPort, int lastPort) {
    return new Endpoint(
        plan.transport().hosts(bind, advertised).ports(firstPort, lastPort).build(),
        plan.encrypted() ? new RecordSealing() : Sealing.NONE);
  }

  /** Begins to listen and tells where. */
  private static Card card(GroupPlan plan, Endpoint endpoint) {
    try {
      Peer peer = endpoint.peer(plan.rank(), plan.node(), plan.label());
      String node = peer.node().isEmpty() ? peer.host() : peer.node();
      return new Card(peer.endpoint(), peer.host(), peer.port(), node, peer.label(), plan.rack());
    } catch (IOException e) {
      throw GroupErrors.noEndpoint(e);
    }
  }

  /**
   * This process's rank.
   *
   * @return 0 to {@code size() - 1}
   */
  public int rank() {
    return rank;
  }

  /**
   * The number of ranks.
   *
   * @return 1 or more
   */
  public int size() {
    return peers.size();
  }

  /**
   * The links of one more communicator of all ranks.
   *
   * @param connections how many connections two ranks have that share no memory
   * @return the links, to be released or closed by the caller
   * @throws CollectiveException if the group is closed, or connections are too few or too many
   */
  public synchronized Transport join(int connections) {
    GroupErrors.checkConnections(connections);
    if (closed) {
      throw GroupErrors.closed();
    }
    communicators++;
    try {
      return endpoint.join(new Roster(communicators, 0, token, peers, connections), rank);
    } catch (IOException e) {
      throw GroupErrors.noEndpoint(e);
    }
  }

  /**
   * What the connections have done.
   *
   * @return the numbers of this moment
   */
  public EndpointStatistics statistics() {
    return endpoint.statistics();
  }

  /** Closes all links and connections. Idempotent. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
    }
    endpoint.close();
  }
}
