package org.sparkcollectives.testing;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.cost.LevelCost;
import org.sparkcollectives.transport.Cancellation;
import org.sparkcollectives.transport.Deadline;
import org.sparkcollectives.transport.Link;
import org.sparkcollectives.transport.Transport;

/**
 * Ranks that are a process each, between which m bytes arrive α + βm after they were sent, with one
 * cost within hosts and one between them: bytes follow one another on a link at β, and each is held
 * back for α more. Time is virtual: it stands still while a rank does anything, and goes on to the
 * next arrival when all wait.
 */
public final class DelayingMesh {
  private final Object monitor = new Object();
  private final int size;
  private final List<String> hosts;
  private final LevelCost near;
  private final LevelCost far;
  private final List<Pipe> pipes = new ArrayList<>();

  /** By rank: the peer whose bytes it waits for, or one of the two below. */
  private final int[] waitsFor;

  private static final int NOBODY = -1;
  private static final int LEFT = -2;

  private long nowNanos;
  private boolean closed;

  /**
   * A mesh.
   *
   * @param hosts the host of each rank
   * @param near α and β within a host
   * @param far α and β between hosts
   */
  public DelayingMesh(List<String> hosts, LevelCost near, LevelCost far) {
    this.size = hosts.size();
    this.hosts = hosts;
    this.near = near;
    this.far = far;
    this.waitsFor = new int[size];
    Arrays.fill(waitsFor, NOBODY);
    for (int i = 0; i < size * size; i++) {
      pipes.add(new Pipe());
    }
  }

  /**
   * The links of each rank.
   *
   * @return one transport for each, in rank order
   */
  public List<Transport> transports() {
    List<Transport> transports = new ArrayList<>();
    for (int rank = 0; rank < size; rank++) {
      transports.add(new Seat(rank));
    }
    return transports;
  }

  /**
   * The time of all ranks.
   *
   * @return nanoseconds
   */
  public long nanoTime() {
    synchronized (monitor) {
      return nowNanos;
    }
  }

  /** Bytes on their way, and when they are there. */
  private record Bytes(ByteBuffer content, long dueNanos) {}

  private static final class Pipe {
    final ArrayDeque<Bytes> underWay = new ArrayDeque<>();
    long freeNanos;
  }

  private int put(int from, int to, ByteBuffer source) throws IOException {
    synchronized (monitor) {
      if (closed) {
        throw new IOException("closed");
      }
      int count = source.remaining();
      if (count > 0) {
        Pipe pipe = pipes.get(from * size + to);
        long begin = Math.max(nowNanos, pipe.freeNanos);
        LevelCost cost = hosts.get(from).equals(hosts.get(to)) ? near : far;
        pipe.freeNanos = begin + (long) (count * cost.betaNanosPerByte());
        ByteBuffer copy = ByteBuffer.allocate(count).put(source).flip();
        pipe.underWay.add(new Bytes(copy, pipe.freeNanos + (long) cost.alphaNanos()));
      }
      return count;
    }
  }

  private int take(int from, int to, ByteBuffer target) {
    synchronized (monitor) {
      ArrayDeque<Bytes> underWay = pipes.get(from * size + to).underWay;
      int count = 0;
      while (target.hasRemaining() && untilDue(underWay.peek()) <= 0) {
        ByteBuffer next = underWay.element().content();
        int some = Math.min(next.remaining(), target.remaining());
        target.put(next.slice(next.position(), some));
        next.position(next.position() + some);
        count += some;
        if (!next.hasRemaining()) {
          underWay.remove();
        }
      }
      return count == 0 && closed ? -1 : count;
    }
  }

  private long untilDue(@Nullable Bytes bytes) {
    return bytes == null ? Long.MAX_VALUE : bytes.dueNanos() - nowNanos;
  }

  /** How long a rank has to wait yet, or the largest number if nothing is on its way. */
  private long untilDue(int rank) {
    return untilDue(pipes.get(waitsFor[rank] * size + rank).underWay.peek());
  }

  /** Lets time go on if all ranks wait for bytes that have not arrived. */
  private void advance() {
    long least = Long.MAX_VALUE;
    for (int rank = 0; rank < size; rank++) {
      if (waitsFor[rank] == NOBODY) {
        return;
      }
      if (waitsFor[rank] != LEFT) {
        least = Math.min(least, untilDue(rank));
      }
    }
    if (least > 0 && least < Long.MAX_VALUE) {
      nowNanos += least;
      monitor.notifyAll();
    }
  }

  private void await(int rank, int peer, long nanos) {
    long end = System.nanoTime() + nanos;
    synchronized (monitor) {
      waitsFor[rank] = peer;
      try {
        advance();
        for (long left = nanos; left > 0 && untilDue(rank) > 0 && !closed; ) {
          TimeUnit.NANOSECONDS.timedWait(monitor, left);
          left = end - System.nanoTime();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } finally {
        waitsFor[rank] = NOBODY;
      }
    }
  }

  private record Wire(DelayingMesh mesh, int rank, int peer) implements Link {
    @Override
    public int write(ByteBuffer source) throws IOException {
      return mesh.put(rank, peer, source);
    }

    @Override
    public long write(ByteBuffer first, ByteBuffer second) throws IOException {
      return mesh.put(rank, peer, first) + (long) mesh.put(rank, peer, second);
    }

    @Override
    public int read(ByteBuffer target) {
      return mesh.take(peer, rank, target);
    }
  }

  private final class Seat implements Transport {
    private final int rank;

    Seat(int rank) {
      this.rank = rank;
    }

    @Override
    public int rank() {
      return rank;
    }

    @Override
    public int size() {
      return size;
    }

    @Override
    public String describe(int peer) {
      return "rank " + peer;
    }

    @Override
    public String host(int peer) {
      return hosts.get(peer);
    }

    @Override
    public String process(int peer) {
      return "process " + peer;
    }

    @Override
    public Link link(int peer, Deadline deadline, Cancellation cancellation) {
      return new Wire(DelayingMesh.this, rank, peer);
    }

    @Override
    public void await(@Nullable Link readable, @Nullable Link writable, long nanos) {
      if (readable != null && writable == null) { // there is always room to write
        DelayingMesh.this.await(rank, readable.peer(), nanos);
      }
    }

    @Override
    public void wakeup() {}

    @Override
    public void release() {
      synchronized (monitor) {
        waitsFor[rank] = LEFT;
        advance();
      }
    }

    @Override
    public void close() {
      synchronized (monitor) {
        closed = true;
        monitor.notifyAll();
      }
    }
  }
}
