package org.sparkcollectives.internal.group;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.error.AbortedException;
import org.sparkcollectives.error.CollectiveException;
import org.sparkcollectives.internal.transport.Lookup;
import org.sparkcollectives.internal.transport.tcp.channel.PlainChannel;
import org.sparkcollectives.transport.Deadline;

/**
 * Rank 0 at a meeting: it listens, lets in who knows the secret, and keeps their connections until
 * all have come. All is done by the calling thread.
 */
final class FirstRank implements AutoCloseable {
  private static final int BACKLOG = 1024;

  /** How many connections may be in the handshake beside those that the group needs. */
  private static final int MOST_STRANGERS = 256;

  /** So many are let in at once, so that flooding does not keep rank 0 from those that it knows. */
  private static final int MOST_ACCEPTS = 64;

  /** How long the others may take to read the roster. */
  private static final Duration HEARD = Duration.ofSeconds(10);

  private static final long PAUSE_NANOS = 1_000_000;
  private static final long TICK_MILLIS = 50;

  private final GroupPlan plan;
  private final MeetingKey key;
  private final Deadline deadline;
  private final byte[] addresses;
  private final Selector selector;
  private final ServerSocketChannel server;
  private final Address address;
  private final Set<Guest> strangers = new LinkedHashSet<>();
  private final SentAway sentAway = new SentAway();

  /** Who has a rank, and who takes any, in the order of arrival. */
  private final @Nullable Guest[] named;

  private final Set<Guest> unnamed = new LinkedHashSet<>();

  /** The ranks of those whose own deadlines have passed, until the same ranks come again. */
  private final List<Integer> gaveUp = new ArrayList<>();

  private FirstRank(
      GroupPlan plan,
      Deadline deadline,
      Selector selector,
      ServerSocketChannel server,
      Address address)
      throws IOException {
    this.plan = plan;
    this.key = new MeetingKey(plan.secret());
    this.deadline = deadline;
    this.addresses = plan.addressesDigest();
    this.selector = selector;
    this.server = server;
    this.address = address;
    this.named = new Guest[plan.size()];
    server.configureBlocking(false);
    server.register(selector, SelectionKey.OP_ACCEPT);
  }

  /**
   * Begins to listen.
   *
   * @param plan the group
   * @param deadline until when all are to have come
   * @param lookup what knows the address behind a name
   * @throws CollectiveException if the address cannot be listened on
   */
  static FirstRank listen(GroupPlan plan, Deadline deadline, Lookup lookup) throws IOException {
    Address wanted = plan.first();
    Address bind = plan.bindHost().isEmpty() ? wanted : new Address(plan.bindHost(), wanted.port());
    Selector selector = Selector.open();
    @Nullable ServerSocketChannel server = null;
    boolean listening = false;
    try {
      server = ServerSocketChannel.open();
      InetAddress own = Lookup.own(bind.resolve(lookup, deadline));
      server.bind(new InetSocketAddress(own, bind.port()), BACKLOG);
      int port = ((InetSocketAddress) server.getLocalAddress()).getPort();
      FirstRank first =
          new FirstRank(plan, deadline, selector, server, new Address(wanted.host(), port));
      listening = true;
      return first;
    } catch (AbortedException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      throw GroupErrors.cannotListen(bind, e);
    } finally {
      if (!listening) {
        selector.close();
        if (server != null) {
          server.close();
        }
      }
    }
  }

  /** Where others find this rank. */
  Address address() {
    return address;
  }

  /** Which of this machine's addresses it listens on. */
  InetSocketAddress bound() throws IOException {
    return (InetSocketAddress) server.getLocalAddress();
  }

  /**
   * Waits until all have come.
   *
   * @throws CollectiveException if somebody is missing at the deadline
   */
  void meet() throws IOException {
    while (missing() > 0) {
      if (deadline.expired()) {
        throw incomplete(deadline.timeout().toMillis());
      }
      turn();
    }
  }

  /** Ends listening, so that another socket of this process may have the port. */
  void endListening() throws IOException {
    server.keyFor(selector).cancel();
    selector.selectNow(); // the port is free when the selector has forgotten the key
    server.close();
    strangers.forEach(Guest::close);
    strangers.clear();
  }

  /**
   * Tells everyone who takes part.
   *
   * @param own this rank's card
   * @param nonce what the group's token is derived from
   * @return all cards, in rank order
   */
  List<Card> introduce(Card own, byte[] nonce) {
    List<Guest> guests = seated();
    List<Card> cards = new ArrayList<>(List.of(own));
    guests.forEach(guest -> cards.add(Objects.requireNonNull(guest.join()).card()));
    ByteBuffer all = MeetingFrames.cards(cards);
    for (int i = 0; i < guests.size(); i++) {
      guests.get(i).answer(MeetingFrames.rosterHead(i + 1, nonce, all), all);
    }
    awaitTaken(guests);
    return cards;
  }

  /** Waits until all have taken their answers, or for as long as they may take. */
  static void awaitTaken(List<Guest> guests) {
    Deadline heard = Deadline.after(HEARD);
    List<Guest> left = new ArrayList<>(guests);
    while (!flush(left) && !heard.expired()) {
      checkInterrupt();
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  /**
   * Tells everyone who has come, and has had no answer yet, that there will be no group.
   *
   * @param reason why
   */
  void giveUp(RuntimeException reason) {
    GroupErrors.Kind kind = GroupErrors.Kind.of(reason);
    CollectiveException told =
        kind == GroupErrors.Kind.FAILURE
            ? GroupErrors.firstFailed(reason)
            : (CollectiveException) reason;
    for (Guest guest : members()) {
      if (!guest.isAnswered()) {
        refuse(guest, told);
      }
    }
  }

  @Override
  public void close() throws IOException {
    members().forEach(Guest::close);
    strangers.forEach(Guest::close);
    server.close();
    selector.close();
  }

  private void turn() throws IOException {
    long left = TimeUnit.NANOSECONDS.toMillis(deadline.remainingNanos());
    selector.select(Math.max(1, Math.min(TICK_MILLIS, left)));
    checkInterrupt();
    for (SelectionKey ready : selector.selectedKeys()) {
      if (ready.attachment() instanceof Guest guest) {
        read(guest);
      } else {
        accept();
      }
    }
    selector.selectedKeys().clear();
    expire();
  }

  private static void checkInterrupt() {
    if (Thread.currentThread().isInterrupted()) {
      throw AbortedException.interrupted(new InterruptedException());
    }
  }

  private void accept() throws IOException {
    for (int count = 0; count < MOST_ACCEPTS; count++) {
      SocketChannel next = accepted();
      if (next == null) {
        return;
      }
      try {
        next.configureBlocking(false);
        PlainChannel.keepAlive(next); // else who has vanished keeps its rank
        Guest guest = new Guest(next);
        next.register(selector, SelectionKey.OP_READ, guest);
        strangers.add(guest);
      } catch (IOException gone) {
        next.close();
      }
      if (strangers.size() > MOST_STRANGERS + plan.size()) {
        Guest oldest = strangers.iterator().next();
        read(oldest); // what it has said may only wait to be read
        if (strangers.contains(oldest)) {
          drop(oldest);
        }
      }
    }
  }

  /** The next caller; none where nobody calls, and for a while where the process has no sockets. */
  private @Nullable SocketChannel accepted() throws IOException {
    try {
      return server.accept();
    } catch (ClosedChannelException closed) {
      throw closed;
    } catch (IOException exhausted) {
      String why = String.valueOf(exhausted.getMessage());
      sentAway.add("", why, "whoever called while the system let nobody in (" + why + ")");
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(TICK_MILLIS));
      return null;
    }
  }

  private void read(Guest guest) {
    try {
      if (guest.read(key)) {
        strangers.remove(guest);
        seat(guest, Objects.requireNonNull(guest.join()));
      }
    } catch (Guest.WrongSecret | MeetingFrames.BadFrame e) {
      note(guest, String.valueOf(e.getMessage()));
      drop(guest);
    } catch (IOException gone) {
      if (guest.join() == null && guest.isGreeted()) {
        note(guest, "it left when it was challenged, as with another secret");
      }
      drop(guest);
    }
  }

  private void seat(Guest guest, MeetingFrames.Join join) {
    int rank = join.rank();
    int size = plan.size();
    Guest holder = holder(rank);
    CollectiveException problem = null;
    if (join.size() != size) {
      problem = GroupErrors.otherSize(size, join.size(), guest.from());
    } else if (!Arrays.equals(join.addresses(), addresses)) {
      problem = GroupErrors.otherAddresses(guest.from());
    } else if (join.encrypted() != plan.encrypted()) {
      problem = GroupErrors.otherEncryption(plan.encrypted(), guest.from());
    } else if (rank != GroupPlan.ANY_RANK && (rank < 1 || rank >= size)) {
      problem = GroupErrors.noRank(rank, size);
    } else if (holder != null) {
      problem = GroupErrors.claimedTwice(rank, holder.from(), guest.from());
    } else if (missing() == 0) {
      problem = GroupErrors.crowded(size, guest.from());
    }
    if (problem != null) {
      String text = String.valueOf(problem.getMessage());
      String told = text.substring(0, text.indexOf(". "));
      sentAway.add(guest.host(), told.substring(0, told.indexOf(": ")), told);
      refuse(guest, problem);
      return;
    }
    gaveUp.remove(Integer.valueOf(rank));
    if (rank == GroupPlan.ANY_RANK) {
      unnamed.add(guest);
    } else {
      named[rank] = guest;
    }
  }

  /** Who has a rank and is still there, or null. */
  private @Nullable Guest holder(int rank) {
    if (rank < 1 || rank >= named.length || named[rank] == null) {
      return null;
    }
    read(named[rank]); // it may have gone, and be the one that comes again
    return named[rank];
  }

  private void note(Guest guest, String why) {
    sentAway.add(guest.host(), why, "the process at " + guest.from() + " (" + why + ")");
  }

  private void refuse(Guest guest, CollectiveException why) {
    String text = String.valueOf(why.getMessage());
    guest.answer(MeetingFrames.refusal(GroupErrors.Kind.of(why), text));
    flush(new ArrayList<>(List.of(guest))); // so little that the socket has room
    drop(guest);
  }

  private void drop(Guest guest) {
    guest.close();
    strangers.remove(guest);
    unnamed.remove(guest);
    for (int rank = 1; rank < named.length; rank++) {
      if (guest.equals(named[rank])) {
        named[rank] = null;
      }
    }
  }

  private void expire() {
    for (Guest late : strangers.stream().filter(Guest::isLate).toList()) {
      drop(late);
    }
    Map<Guest, CollectiveException> told = new LinkedHashMap<>();
    for (Guest guest : members()) { // all, before the first of them is missing to the next one
      if (guest.isLate()) {
        told.put(guest, incomplete(Objects.requireNonNull(guest.join()).millis()));
      }
    }
    told.forEach(
        (guest, why) -> {
          gaveUp.add(Objects.requireNonNull(guest.join()).rank());
          refuse(guest, why);
        });
  }

  /** Sends what it can; removes who has all, and who has gone, which its links will find out. */
  private static boolean flush(List<Guest> guests) {
    guests.removeIf(
        guest -> {
          try {
            return guest.flush();
          } catch (IOException gone) {
            return true;
          }
        });
    return guests.isEmpty();
  }

  /** Who has come, without those that were refused. */
  private List<Guest> members() {
    List<Guest> all = new ArrayList<>(unnamed);
    for (Guest guest : named) {
      if (guest != null) {
        all.add(guest);
      }
    }
    return all;
  }

  /** How many have not come. */
  private int missing() {
    return plan.size() - 1 - members().size();
  }

  /** The ranks that nobody has claimed. */
  private Set<Integer> free() {
    Set<Integer> free = new TreeSet<>();
    for (int rank = 1; rank < named.length; rank++) {
      if (named[rank] == null) {
        free.add(rank);
      }
    }
    return free;
  }

  /** Everyone but this rank, in rank order. */
  private List<Guest> seated() {
    List<Guest> rest = new ArrayList<>(unnamed);
    List<Guest> all = new ArrayList<>();
    for (int rank = 1; rank < named.length; rank++) {
      Guest guest = named[rank];
      all.add(guest == null ? rest.remove(0) : guest);
    }
    return all;
  }

  private CollectiveException incomplete(long millis) {
    return GroupErrors.incomplete(
        plan.size(),
        millis,
        address,
        List.copyOf(free()),
        unnamed.size(),
        List.copyOf(gaveUp),
        sentAway.texts());
  }
}
