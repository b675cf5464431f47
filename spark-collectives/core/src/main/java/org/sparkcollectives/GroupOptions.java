package org.sparkcollectives;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.group.Address;
import org.sparkcollectives.internal.group.GroupErrors;
import org.sparkcollectives.internal.group.GroupPlan;
import org.sparkcollectives.internal.transport.EndpointOptions;
import org.sparkcollectives.internal.vector.VectorErrors;

/**
 * What a process is told of the {@link Group} that it becomes a rank of; immutable, made by a
 * {@link Builder}. Size, addresses and secret are equal on all ranks.
 */
public final class GroupOptions {
  private static final int MOST_RANKS = 1_000_000;

  /** The bytes that a secret has at least. */
  public static final int LEAST_SECRET = 16;

  private static final int LAST_PORT = 65_535;
  private static final int MOST_NAME_BYTES = 255;

  /** A rank may come to a communicator as late as it likes: who waits for it has a timeout. */
  private static final Duration UNLIMITED = Duration.ofDays(36_500);

  private final GroupPlan plan;
  private final CommunicatorOptions communicator;
  private final int connections;

  private GroupOptions(GroupPlan plan, CommunicatorOptions communicator, int connections) {
    this.plan = plan;
    this.communicator = communicator;
    this.connections = connections;
  }

  /**
   * A builder that starts with the defaults.
   *
   * @return a new builder
   */
  public static Builder builder() {
    return new Builder();
  }

  GroupPlan plan() {
    return plan;
  }

  CommunicatorOptions communicator() {
    return communicator;
  }

  int connectionsPerPeer() {
    return connections;
  }

  /**
   * Makes {@link GroupOptions}. Size, addresses and secret must be given, and by rank 0 its rank;
   * the rest may.
   */
  public static final class Builder {
    private static final String SECRET_USE = "the ranks prove to each other that they know it";

    private int size;
    private int rank = GroupPlan.ANY_RANK;
    private boolean rankGiven;
    private List<Address> addresses = List.of();
    private byte[] secret = {};
    private Duration timeout = Duration.ofMinutes(1);
    private String bindHost = "";
    private String advertisedHost = "";
    private int firstPort;
    private int lastPort;
    private String node = "";
    private String rack = "";
    private String label = "process " + ProcessHandle.current().pid();
    private Consumer<String> listening = address -> {};
    private CommunicatorOptions communicator = CommunicatorOptions.DEFAULT;
    private int connections = 1;
    private int sendBufferBytes;
    private int receiveBufferBytes;
    private int ringBytes;
    private @Nullable String sharedMemory;
    private boolean encrypted;

    private Builder() {}

    /**
     * The number of ranks.
     *
     * @param count 1 or more
     * @return this
     */
    public Builder size(int count) {
      size = count;
      return this;
    }

    /**
     * This process's rank. Without one it gets any but 0, which rank 0 chooses by the order in
     * which processes come. With a list of addresses it must be given.
     *
     * @param number 0 to the number of ranks - 1
     * @return this
     */
    public Builder rank(int number) {
      rank = number;
      rankGiven = true;
      return this;
    }

    /**
     * Where rank 0 listens and the others meet it.
     *
     * @param address {@code host:port}, an IPv6 address in brackets; on rank 0 port 0 stands for
     *     any free one, which {@link #listening} is told
     * @return this
     * @throws org.sparkcollectives.error.InvalidInputException for an address of another form
     */
    public Builder first(String address) {
      addresses = List.of(parse(address, 0));
      return this;
    }

    /**
     * Where every rank listens, where that is known in advance; instead of {@link #first}, and with
     * {@link #rank}.
     *
     * @param all an address per rank, in rank order
     * @return this
     * @throws org.sparkcollectives.error.InvalidInputException for an address of another form
     */
    public Builder addresses(List<String> all) {
      VectorErrors.requireGiven(all, "list of addresses", "it says where every rank listens");
      List<Address> parsed = new ArrayList<>();
      for (String address : all) {
        parsed.add(parse(address, parsed.size()));
      }
      addresses = List.copyOf(parsed);
      return this;
    }

    private static Address parse(String address, int rank) {
      VectorErrors.requireGiven(address, "address of rank " + rank, "others reach the rank there");
      return Address.parse(address);
    }

    /**
     * What all ranks know and nobody else, from which the keys of the group are derived. It is
     * never sent.
     *
     * @param bytes 16 or more, best at random
     * @return this
     */
    public Builder secret(byte[] bytes) {
      VectorErrors.requireGiven(bytes, "secret", SECRET_USE);
      secret = bytes.clone();
      return this;
    }

    /**
     * As {@link #secret(byte[])}, from a file or an environment variable: on a command line every
     * user of the machine would see it.
     *
     * @param hexadecimal 32 digits or more
     * @return this
     * @throws org.sparkcollectives.error.InvalidInputException for no hexadecimal digits
     */
    public Builder secret(String hexadecimal) {
      VectorErrors.requireGiven(
          hexadecimal, "secret", SECRET_USE + ", and an environment variable may be unset");
      try {
        return secret(HexFormat.of().parseHex(hexadecimal));
      } catch (IllegalArgumentException e) {
        throw GroupErrors.badOption(
            "the secret cannot be read",
            "it does not consist of pairs of hexadecimal digits",
            "give 64 such digits, or give bytes");
      }
    }

    /**
     * How long the ranks may take to meet; a minute if nothing is said. Rank 0 answers a rank that
     * has waited so long, which takes 2 seconds more at most.
     *
     * @param time positive
     * @return this
     */
    public Builder timeout(Duration time) {
      VectorErrors.requireGiven(time, "timeout", "it says how long the ranks may take to meet");
      timeout = time;
      return this;
    }

    /**
     * What this process listens on and how others reach it. Without these rank 0 listens on its
     * address, and another rank on that from which it reaches rank 0, or on its own in the list.
     *
     * @param bind name or address of this machine to listen on, {@code 0.0.0.0} for all; empty for
     *     the default
     * @param advertised host that the others are told, at most 255 bytes in UTF-8; empty for the
     *     one listened on
     * @return this
     */
    public Builder hosts(String bind, String advertised) {
      VectorErrors.requireGiven(bind, "host to listen on", "an empty one stands for the default");
      VectorErrors.requireGiven(
          advertised, "advertised host", "an empty one stands for the default");
      bindHost = bind;
      advertisedHost = advertised;
      return this;
    }

    /**
     * The ports that a rank's links may come in by. Rank 0, and every rank of a list, uses the port
     * of its address instead.
     *
     * @param from the first that is tried, 0 for any free one
     * @param to the last that is tried
     * @return this
     */
    public Builder ports(int from, int to) {
      firstPort = from;
      lastPort = to;
      return this;
    }

    /**
     * The name of this machine: ranks with equal names share a host, and its memory where that is
     * to be had. Without one it is the host that the others are told.
     *
     * @param name the name, at most 255 bytes in UTF-8
     * @return this
     */
    public Builder node(String name) {
      VectorErrors.requireGiven(name, "machine's name", "an empty one stands for the default");
      node = name;
      return this;
    }

    /**
     * The name of this machine's rack: machines with equal names share an uplink, which all passes
     * that they send to other racks. Machines without a name count as one rack beside those that
     * have one; where none has, racks are not known. Ranks that share a machine have one rack.
     *
     * @param name the name, at most 255 bytes in UTF-8
     * @return this
     */
    public Builder rack(String name) {
      VectorErrors.requireGiven(name, "rack's name", "that of a rack that is not known is empty");
      rack = name;
      return this;
    }

    /**
     * How to name this process to people, {@code process} and its number if nothing is said.
     *
     * @param name the name, at most 255 bytes in UTF-8
     * @return this
     */
    public Builder label(String name) {
      VectorErrors.requireGiven(name, "process's name", "messages name the process by it");
      label = name;
      return this;
    }

    /**
     * Who is told where rank 0 listens, before it waits for the others.
     *
     * @param consumer gets {@code host:port}
     * @return this
     */
    public Builder listening(Consumer<String> consumer) {
      VectorErrors.requireGiven(consumer, "listener", "rank 0 tells it where it listens");
      listening = consumer;
      return this;
    }

    /**
     * Whether what ranks send over connections is encrypted; it is not if nothing is said. Memory
     * that ranks of a host share is not encrypted in any case. Rank 0 sends those away that differ
     * from it.
     *
     * @param whether equal on all ranks
     * @return this
     */
    public Builder encrypted(boolean whether) {
      encrypted = whether;
      return this;
    }

    /**
     * How the group's communicators work.
     *
     * @param options equal on all ranks
     * @return this
     */
    public Builder communicator(CommunicatorOptions options) {
      VectorErrors.requireGiven(options, "argument options", "it says how communicators work");
      communicator = options;
      return this;
    }

    /**
     * The buffers of sockets.
     *
     * @param send bytes, 0 for the system's choice
     * @param receive bytes, 0 for the system's choice
     * @return this
     */
    public Builder socketBuffers(int send, int receive) {
      sendBufferBytes = send;
      receiveBufferBytes = receive;
      return this;
    }

    /**
     * How many connections two ranks have to each other where they share no memory. What they send
     * goes over these in turns, so that a network that gives one connection a part of a card's rate
     * is filled. Of two ranks, the lower one's options count.
     *
     * @param count 1 to 64; 1 if nothing is said
     * @return this
     */
    public Builder connectionsPerPeer(int count) {
      connections = count;
      return this;
    }

    /**
     * How many bytes are in flight per direction between two ranks that share memory.
     *
     * @param bytes a power of two
     * @return this
     */
    public Builder ringBytes(int bytes) {
      ringBytes = bytes;
      return this;
    }

    /**
     * Where processes of this machine share memory, {@code /dev/shm} if nothing is said and it is
     * there.
     *
     * @param folder of a file system that lives in memory; empty to let ranks talk through sockets
     * @return this
     */
    public Builder sharedMemory(String folder) {
      VectorErrors.requireGiven(
          folder, "folder of shared memory", "an empty one lets ranks talk through sockets");
      sharedMemory = folder;
      return this;
    }

    /**
     * Makes the options.
     *
     * @return the options
     * @throws org.sparkcollectives.error.InvalidInputException if one is missing or out of range
     */
    public GroupOptions build() {
      check();
      EndpointOptions.Builder transport =
          EndpointOptions.builder()
              .socketBuffers(sendBufferBytes, receiveBufferBytes)
              .parkTimeout(UNLIMITED);
      if (ringBytes > 0) {
        transport.ringBytes(ringBytes);
      }
      if (sharedMemory != null) {
        transport.sharedMemory(sharedMemory);
      }
      GroupPlan plan =
          new GroupPlan(
              size,
              rank,
              addresses,
              secret,
              timeout,
              bindHost,
              advertisedHost,
              firstPort,
              lastPort,
              node,
              label,
              rack,
              listening,
              encrypted,
              transport);
      return new GroupOptions(plan, communicator, connections);
    }

    private void check() {
      if (size < 1) {
        throw GroupErrors.badOption(
            "a group of " + size + " ranks cannot be opened",
            "it needs one rank at least",
            "give the number of ranks with size(...)");
      }
      if (size > MOST_RANKS) {
        throw GroupErrors.badOption(
            "a group of " + size + " ranks cannot be opened",
            "one of over " + MOST_RANKS + " is taken for a mistake",
            "give the number of ranks with size(...)");
      }
      if (rankGiven && (rank < 0 || rank >= size)) {
        throw GroupErrors.badOption(
            "this process cannot be rank " + rank,
            "the ranks are 0 to " + (size - 1),
            "give one of these, or none to take what is left");
      }
      if (addresses.size() != 1 && addresses.size() != size) {
        throw GroupErrors.badOption(
            addresses.size() + " addresses were given for " + size + " ranks",
            "the ranks meet at the address of rank 0",
            "give that with first(...), or one for every rank with addresses(...)");
      }
      Set<Address> different = new HashSet<>();
      for (Address address : addresses) {
        if (address.port() != 0 && !different.add(address)) {
          throw GroupErrors.badOption(
              "two ranks have the address " + address,
              "each listens on its own",
              "give every rank another port or machine with addresses(...)");
        }
      }
      if (secret.length < LEAST_SECRET) {
        throw GroupErrors.badOption(
            "a secret of " + secret.length + " bytes was given",
            "one of fewer than " + LEAST_SECRET + " can be guessed",
            "give all ranks the same 32 random bytes with secret(...)");
      }
      if (timeout.isNegative() || timeout.isZero()) {
        throw GroupErrors.badOption(
            "a timeout of " + timeout.toMillis() + " ms leaves no time to meet",
            "it must be positive",
            "give a longer one with timeout(...)");
      }
      if (!rankGiven && size == 1) {
        throw GroupErrors.badOption(
            "the rank of a group of one process was not given",
            "who gives none gets any but 0, and there is no other",
            "give it with rank(0)");
      }
      if (!rankGiven && addresses.size() > 1) {
        throw GroupErrors.badOption(
            "this process does not know its address in the list of " + addresses.size(),
            "its rank was not given",
            "give it with rank(...), or rank 0's address alone with first(...)");
      }
      if (rank != 0 && addresses.get(0).port() == 0) {
        throw GroupErrors.badOption(
            "rank 0 cannot be reached at " + addresses.get(0),
            "its port is not known",
            "give the port that rank 0 has said it listens on");
      }
      checkName("a rack's name", rack, "rack(...)");
      checkName("a machine's name", node, "node(...)");
      checkName("a process's name", label, "label(...)");
      checkName("the advertised host", advertisedHost, "hosts(...)");
      for (Address address : addresses) {
        checkName("a host", address.host(), "first(...) or addresses(...)");
      }
      checkTransport();
    }

    private static void checkName(String what, String name, String option) {
      int bytes = name.getBytes(StandardCharsets.UTF_8).length;
      if (bytes > MOST_NAME_BYTES) {
        throw GroupErrors.badOption(
            what + " cannot be told the other ranks",
            "it has " + bytes + " bytes in UTF-8, more than " + MOST_NAME_BYTES,
            "give a shorter one with " + option);
      }
    }

    private void checkTransport() {
      if (firstPort < 0 || lastPort < firstPort || lastPort > LAST_PORT) {
        throw GroupErrors.badOption(
            "no port can be taken from " + firstPort + " to " + lastPort,
            "that is no range within 0 to " + LAST_PORT,
            "give the first and the last port that may be used");
      }
      GroupErrors.checkConnections(connections);
      if (sendBufferBytes < 0 || receiveBufferBytes < 0) {
        throw GroupErrors.badOption(
            "a socket cannot have a buffer of "
                + Math.min(sendBufferBytes, receiveBufferBytes)
                + " bytes",
            "the number is negative",
            "give 0 for the system's choice");
      }
      if (ringBytes < 0 || Integer.bitCount(ringBytes) > 1) {
        throw GroupErrors.badOption(
            "a ring cannot hold " + ringBytes + " bytes",
            "the number is no power of two",
            "give one, such as " + (1 << 20));
      }
    }
  }
}
