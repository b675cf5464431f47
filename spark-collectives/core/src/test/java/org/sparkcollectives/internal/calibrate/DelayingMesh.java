package org.sparkcollectives.internal.calibrate;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.transport.Cancellation;
import org.sparkcollectives.transport.Deadline;
import org.sparkcollectives.transport.Link;
import org.sparkcollectives.transport.Transport;

/**
 * Ranks on hosts of their own, between which m bytes arrive α + βm after they were sent and no
 * sooner: bytes follow one another on a link at β, and each is held back for α more.
 */
final class DelayingMesh {
  private final Object monitor = new Object();
  private final int size;
  private final long alphaNanos;
  private final double betaNanosPerByte;
  private final List<Pipe> pipes = new ArrayList<>();
  private boolean closed;

  private DelayingMesh(int size, long alphaNanos, double betaNanosPerByte) {
    this.size = size;
    this.alphaNanos = alphaNanos;
    this.betaNanosPerByte = betaNanosPerByte;
    for (int i = 0; i < size * size; i++) {
      pipes.add(new Pipe());
    }
  }

  static List<Transport> create(int size, long alphaNanos, double betaNanosPerByte) {
    DelayingMesh mesh = new DelayingMesh(size, alphaNanos, betaNanosPerByte);
    List<Transport> transports = new ArrayList<>();
    for (int rank = 0; rank < size; rank++) {
      transports.add(mesh.new Seat(rank));
    }
    return transports;
  }

  /** Bytes on their way, and when they are there. */
  private record Bytes(ByteBuffer content, long dueNanos) {}

  private static final class Pipe {
    final ArrayDeque<Bytes> underWay = new ArrayDeque<>();
    long freeNanos = Long.MIN_VALUE;
  }

  private int put(int from, int to, ByteBuffer source) throws IOException {
    synchronized (monitor) {
      if (closed) {
        throw new IOException("closed");
      }
      int count = source.remaining();
      if (count > 0) {
        Pipe pipe = pipes.get(from * size + to);
        long begin = Math.max(System.nanoTime(), pipe.freeNanos);
        pipe.freeNanos = begin + (long) (count * betaNanosPerByte);
        ByteBuffer copy = ByteBuffer.allocate(count).put(source).flip();
        pipe.underWay.add(new Bytes(copy, pipe.freeNanos + alphaNanos));
        monitor.notifyAll();
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

  private static long untilDue(@Nullable Bytes bytes) {
    return bytes == null ? Long.MAX_VALUE : bytes.dueNanos() - System.nanoTime();
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
      return "host " + peer;
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
    @SuppressWarnings("WaitNotInLoop") // the contract allows to return early
    public void await(@Nullable Link readable, @Nullable Link writable, long nanos) {
      synchronized (monitor) {
        long wait = nanos;
        if (readable != null) {
          wait = Math.min(wait, untilDue(pipes.get(readable.peer() * size + rank).underWay.peek()));
        }
        try {
          if (wait > 0) {
            TimeUnit.NANOSECONDS.timedWait(monitor, wait);
          }
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
    }

    @Override
    public void wakeup() {
      synchronized (monitor) {
        monitor.notifyAll();
      }
    }

    @Override
    public void release() {}

    @Override
    public void close() {
      synchronized (monitor) {
        closed = true;
        monitor.notifyAll();
      }
    }
  }
}
