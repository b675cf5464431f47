package org.sparkcollectives.spark.internal.rendezvous;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.CommunicatorOptions;
import org.sparkcollectives.internal.transport.Peer;
import org.sparkcollectives.spark.internal.conf.Encryption;

/**
 * What ranks and driver say to each other. Messages travel over Spark's RPC as byte arrays, which
 * every class loader knows: the library's own classes may come with the application's jars.
 */
final class Wire {
  private Wire() {}

  /** From a rank to the driver, or back. */
  sealed interface Message permits Request, Reply {}

  /** From a rank to the driver; each names the job and the attempt. */
  sealed interface Request extends Message
      permits Computing, Join, Watch, Late, Failed, Returned, Called, Progress {
    /** The job. */
    long job();

    /** The attempt. */
    int epoch();
  }

  /**
   * A rank still computes what it brings, or waits for others of its executor; no answer is due.
   *
   * @param job the job
   * @param epoch the attempt
   * @param rank the task's partition
   * @param stage the task's stage
   * @param nanos how long it has computed, or -1 once it waits
   */
  record Computing(long job, int epoch, int rank, int stage, long nanos) implements Request {}

  /**
   * A rank is ready to take part.
   *
   * @param job the job
   * @param epoch the attempt
   * @param rank the task's partition
   * @param stage the task's stage
   * @param member where it can be reached
   * @param shapes what it brings, empty for nothing, null where ranks bring no vectors
   * @param operand what it brings, serialized, where that is small and to be combined; else null
   * @param knows the version of the members that its process was told last, or {@link Members#NONE}
   */
  @SuppressWarnings("ArrayRecordComponent") // a message is never compared
  record Join(
      long job,
      int epoch,
      int rank,
      int stage,
      Member member,
      @Nullable List<Shape> shapes,
      byte @Nullable [] operand,
      long knows)
      implements Request {}

  /**
   * A rank wants to be told when the job fails or ends, or when others ask what it does.
   *
   * @param job the job
   * @param epoch the attempt
   * @param rank the task's partition
   * @param computingNanos how long it has been in no operation, or -1 while it is in one
   */
  record Watch(long job, int epoch, int rank, long computingNanos) implements Request {}

  /** A rank has waited until its deadline and asks whether those it waits for just compute. */
  record Late(long job, int epoch, int rank) implements Request {}

  /**
   * A rank has failed.
   *
   * @param job the job
   * @param epoch the attempt
   * @param rank the task's partition
   * @param where the rank, with host and executor
   * @param severity whether it is a cause or maybe a consequence
   * @param text the exception in words
   * @param exception the exception's bytes, null if it cannot be serialized
   */
  @SuppressWarnings("ArrayRecordComponent") // a message is never compared
  record Failed(
      long job,
      int epoch,
      int rank,
      String where,
      Severity severity,
      String text,
      byte @Nullable [] exception)
      implements Request {}

  /**
   * A rank's work is done; it closes its links, and no answer is due.
   *
   * @param job the job
   * @param epoch the attempt
   * @param rank the task's partition
   * @param operations how many it has called in the communicator of all ranks
   */
  record Returned(long job, int epoch, int rank, long operations) implements Request {}

  /**
   * A rank has been in an operation for long.
   *
   * @param job the job
   * @param epoch the attempt
   * @param rank the task's partition
   * @param calls what it called last
   */
  record Called(long job, int epoch, int rank, List<CommunicatorOptions.Call> calls)
      implements Request {}

  /**
   * How far a rank's function is; no answer is due.
   *
   * @param job the job
   * @param epoch the attempt
   * @param rank the task's partition
   * @param text what it says, for people
   */
  record Progress(long job, int epoch, int rank, String text) implements Request {}

  /** How a failure is to be taken. */
  enum Severity {
    /** Ends the attempt at once. */
    CAUSE,
    /** A deadline: the ranks that do not tell of one are what the others waited for. */
    DEADLINE,
    /** A broken connection: the other end may have the real cause. */
    MAYBE_CONSEQUENCE,
    /** Shuffle output that is gone, which Spark makes again if it hears of this task first. */
    INPUT_LOST
  }

  /** From the driver to a rank. */
  sealed interface Reply extends Message
      permits Joined, Gathered, Idle, Listen, Aborted, Over, Report, Wait {}

  /**
   * All ranks have arrived.
   *
   * @param salt what the application's secret is made of, see {@link ApplicationSecret}
   * @param rank the rank in this roster
   * @param version the version of the members: all that take part, in rank order
   * @param told them; null where the process has them, or another of its ranks is told
   * @param sparse whether operands are combined as they are, since some are sparse
   * @param encryption how the driver's settings want their connections to be sealed
   */
  @SuppressWarnings("ArrayRecordComponent") // a message is never compared
  record Joined(
      byte[] salt,
      int rank,
      long version,
      @Nullable Told told,
      boolean sparse,
      Encryption encryption)
      implements Reply {}

  /**
   * The members.
   *
   * @param bytes them, encoded, or what they are got by
   * @param handedOut whether the process has to get them, see {@link Handout}
   */
  @SuppressWarnings("ArrayRecordComponent") // a message is never compared
  record Told(byte[] bytes, boolean handedOut) {}

  /**
   * All ranks have arrived and brought so little that one of them, this one, combines it.
   *
   * @param operands what all have brought, serialized, in rank order
   */
  record Gathered(List<byte[]> operands) implements Reply {}

  /** The rank is not needed. */
  record Idle() implements Reply {}

  /**
   * The rank has to take part: it is to begin to listen, and to come again, now without its
   * operand.
   */
  record Listen() implements Reply {}

  /** The attempt has failed. */
  record Aborted(String where, String text) implements Reply {}

  /** Others wait long: the rank is to say what it does, by watching again. */
  record Report() implements Reply {}

  /** A rank that is late is to wait on. */
  record Wait() implements Reply {}

  /** The attempt has ended, or is not known; or a rank that is late is not to wait on. */
  record Over() implements Reply {}

  /**
   * A process that ranks live in; the fields of {@link
   * org.sparkcollectives.internal.transport.Peer}.
   *
   * @param endpoint identity of the process's endpoint
   * @param host advertised host
   * @param port advertised port, or 0 while the process does not listen
   * @param node name of the machine
   * @param label how to name the process to people
   * @param rack name of the machine's rack, which the driver finds; empty where it is not known
   */
  record Member(String endpoint, String host, int port, String node, String label, String rack) {
    /** A process that does not know its rack. */
    Member(String endpoint, String host, int port, String node, String label) {
      this(endpoint, host, port, node, label, "");
    }

    /** A process that listens, by one of its ranks. */
    static Member of(Peer peer) {
      return new Member(
          peer.endpoint(), peer.host(), peer.port(), peer.node(), peer.label(), peer.rack());
    }

    /** A process that does not listen: its label stands for its endpoint, its host for its node. */
    static Member silent(String label, String host) {
      return new Member(label, host, 0, host, label);
    }

    /** The same in a rack. */
    Member in(String itsRack) {
      return new Member(endpoint, host, port, node, label, itsRack);
    }

    /** Whether other processes can reach it. */
    boolean listens() {
      return port > 0;
    }

    /** By hand, as {@link #hashCode}: ranks of a first call wait for it. */
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Member that
          && port == that.port
          && endpoint.equals(that.endpoint)
          && host.equals(that.host)
          && node.equals(that.node)
          && label.equals(that.label)
          && rack.equals(that.rack);
    }

    @Override
    public int hashCode() {
      return 31 * endpoint.hashCode() + port;
    }

    /** How one of its ranks is reached, which people know by the number of its task. */
    Peer peer(int rank, int task) {
      return new Peer(rank, endpoint, host, port, node, label, rack, task);
    }
  }

  static byte[] encode(Message message) {
    return WireCodec.encode(message);
  }

  /** An object's bytes, or null if it cannot be serialized. */
  static byte @Nullable [] tryEncode(Object value) {
    try {
      return bytes(value);
    } catch (IOException | RuntimeException | LinkageError | StackOverflowError e) {
      return null;
    }
  }

  static Message decode(Object bytes) {
    return WireCodec.decode((byte[]) bytes);
  }

  /** An exception of its bytes, or null if there are none or its class is not here. */
  static @Nullable Throwable tryDecode(byte @Nullable [] bytes) {
    if (bytes == null) {
      return null;
    }
    try {
      return object(bytes) instanceof Throwable throwable ? throwable : null;
    } catch (IOException
        | ClassNotFoundException
        | RuntimeException
        | LinkageError
        | StackOverflowError e) {
      return null;
    }
  }

  /** An object's bytes. */
  static byte[] bytes(Object value) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(value);
    }
    return bytes.toByteArray();
  }

  /** The object of bytes. */
  @SuppressWarnings("BanSerializableRead") // arrives over Spark's own RPC, from the application
  static Object object(byte[] bytes) throws IOException, ClassNotFoundException {
    try (ObjectInputStream in = new ApplicationInput(new ByteArrayInputStream(bytes))) {
      return in.readObject();
    }
  }

  /** Finds the library's classes, and the application's, of which an exception may be. */
  private static final class ApplicationInput extends ObjectInputStream {
    ApplicationInput(InputStream in) throws IOException {
      super(in);
    }

    @Override
    protected Class<?> resolveClass(ObjectStreamClass description)
        throws IOException, ClassNotFoundException {
      ClassLoader application = Thread.currentThread().getContextClassLoader();
      try {
        return Class.forName(description.getName(), false, Wire.class.getClassLoader());
      } catch (ClassNotFoundException e) {
        if (application == null) {
          return super.resolveClass(description);
        }
        try {
          return Class.forName(description.getName(), false, application);
        } catch (ClassNotFoundException inner) {
          return super.resolveClass(description);
        }
      }
    }
  }
}
