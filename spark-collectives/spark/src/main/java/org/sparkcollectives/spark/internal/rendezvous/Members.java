package org.sparkcollectives.spark.internal.rendezvous;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;
import org.sparkcollectives.internal.transport.Peer;

/**
 * How those that take part reach each other, in rank order, and which tasks they are. Ranks of one
 * process share what is known of it, so that 10,000 ranks in 625 processes take some tens of
 * kilobytes, which the driver encodes once and tells every process once: processes keep what they
 * were told last. Immutable.
 */
final class Members {
  /** No members' version. */
  static final long NONE = 0;

  private final List<Wire.Member> processes;
  private final int[] processOf;
  private final int[] tasks;
  private final int[] lowest;
  private final boolean inOrder;
  private final long version;
  private final List<Peer> peers;

  private Members(List<Wire.Member> processes, int[] processOf, int[] tasks, long version) {
    this.processes = processes;
    this.processOf = processOf;
    this.tasks = tasks;
    this.version = version;
    this.lowest = new int[processes.size()];
    for (int rank = processOf.length - 1; rank >= 0; rank--) {
      lowest[processOf[rank]] = rank;
    }
    this.inOrder =
        IntStream.range(1, processOf.length)
            .allMatch(rank -> processOf[rank] >= processOf[rank - 1]);
    this.peers =
        IntStream.range(0, processOf.length)
            .mapToObj(rank -> member(rank).peer(rank, tasks[rank]))
            .toList();
  }

  /**
   * The members of an attempt.
   *
   * @param ranks the process of each, in rank order
   * @param tasks the partition of each one's task, ascending
   * @return the members
   */
  static Members of(List<Wire.Member> ranks, int[] tasks) {
    Map<Wire.Member, Integer> numbers = new LinkedHashMap<>();
    int[] processOf = new int[ranks.size()];
    for (int rank = 0; rank < processOf.length; rank++) {
      int next = numbers.size();
      processOf[rank] = numbers.computeIfAbsent(ranks.get(rank), member -> next);
    }
    List<Wire.Member> processes = List.copyOf(numbers.keySet());
    return new Members(processes, processOf, tasks, version(plain(processes, processOf, tasks)));
  }

  /**
   * The members that were encoded.
   *
   * @param bytes what {@link #encode} gave
   * @return the same members
   * @throws IOException if the bytes are none
   */
  static Members decode(byte[] bytes) throws IOException {
    byte[] plain = new InflaterInputStream(new ByteArrayInputStream(bytes)).readAllBytes();
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(plain));
    int processCount = in.readInt();
    List<Wire.Member> processes = new ArrayList<>();
    for (int i = 0; i < processCount; i++) {
      processes.add(
          new Wire.Member(
              in.readUTF(), in.readUTF(), in.readInt(), in.readUTF(), in.readUTF(), in.readUTF()));
    }
    int[] processOf = new int[in.readInt()];
    for (int rank = 0; rank < processOf.length; rank++) {
      processOf[rank] = in.readInt();
    }
    int[] tasks = new int[processOf.length];
    int last = 0;
    for (int rank = 0; rank < tasks.length; rank++) {
      last += in.readInt();
      tasks[rank] = last;
    }
    return new Members(List.copyOf(processes), processOf, tasks, version(plain));
  }

  /** The members in bytes, compressed: numbers repeat, and names begin alike. */
  byte[] encode() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DeflaterOutputStream out = new DeflaterOutputStream(bytes)) {
      out.write(plain(processes, processOf, tasks));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private static byte[] plain(List<Wire.Member> processes, int[] processOf, int[] tasks) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeInt(processes.size());
      for (Wire.Member process : processes) {
        out.writeUTF(process.endpoint());
        out.writeUTF(process.host());
        out.writeInt(process.port());
        out.writeUTF(process.node());
        out.writeUTF(process.label());
        out.writeUTF(process.rack());
      }
      out.writeInt(processOf.length);
      for (int process : processOf) {
        out.writeInt(process);
      }
      int last = 0;
      for (int task : tasks) {
        out.writeInt(task - last); // the same for most, which takes few bytes
        last = task;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private static long version(byte[] plain) {
    try {
      long digest = ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(plain)).getLong();
      return digest == NONE ? 1 : digest;
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** A number that other members do not have: 64 bits of a digest. */
  long version() {
    return version;
  }

  /** The number of ranks. */
  int size() {
    return processOf.length;
  }

  /** The process of a rank. */
  Wire.Member member(int rank) {
    return processes.get(processOf[rank]);
  }

  /** How ranks reach each other, in rank order. */
  List<Peer> peers() {
    return peers;
  }

  /** Whether a rank is the lowest of its process. */
  boolean lowestOfProcess(int rank) {
    return lowest[processOf[rank]] == rank;
  }

  /** Whether all ranks are in one process. */
  boolean inOneProcess() {
    return processes.size() == 1;
  }

  /** Whether every rank has a process of its own. */
  boolean onePerProcess() {
    return processes.size() == processOf.length;
  }

  /** Whether no rank of another process is between two of one. */
  boolean processesInOrder() {
    return inOrder;
  }
}
