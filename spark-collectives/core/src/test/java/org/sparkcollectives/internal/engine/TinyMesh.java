package org.sparkcollectives.internal.engine;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.transport.Cancellation;
import org.sparkcollectives.transport.Deadline;
import org.sparkcollectives.transport.Link;
import org.sparkcollectives.transport.Transport;

/**
 * Links that hold a few bytes at most and take and deliver random small portions, so that partial
 * transfers, back-pressure and every order of events occur.
 */
final class TinyMesh {
  private final Object monitor = new Object();
  private final int size;
  private final int capacity;
  private final SplittableRandom random;
  private final List<ArrayDeque<Byte>> pipes = new ArrayList<>();
  private boolean closed;

  private TinyMesh(int size, int capacity, long seed) {
    this.size = size;
    this.capacity = capacity;
    this.random = new SplittableRandom(seed);
    for (int i = 0; i < size * size; i++) {
      pipes.add(new ArrayDeque<>());
    }
  }

  static List<Transport> create(int size, int capacity, long seed) {
    TinyMesh mesh = new TinyMesh(size, capacity, seed);
    List<Transport> transports = new ArrayList<>();
    for (int rank = 0; rank < size; rank++) {
      transports.add(mesh.new Seat(rank));
    }
    return transports;
  }

  private int portion(int most) {
    return most == 0 ? 0 : random.nextInt(1, most + 1);
  }

  private int put(int from, int to, ByteBuffer source) throws IOException {
    synchronized (monitor) {
      if (closed) {
        throw new IOException("closed");
      }
      ArrayDeque<Byte> pipe = pipes.get(from * size + to);
      int count = portion(Math.min(source.remaining(), capacity - pipe.size()));
      for (int i = 0; i < count; i++) {
        pipe.add(source.get());
      }
      if (count > 0) {
        monitor.notifyAll();
      }
      return count;
    }
  }

  private int take(int from, int to, ByteBuffer target) {
    synchronized (monitor) {
      ArrayDeque<Byte> pipe = pipes.get(from * size + to);
      int count = portion(Math.min(target.remaining(), pipe.size()));
      for (int i = 0; i < count; i++) {
        target.put(pipe.remove());
      }
      if (count > 0) {
        monitor.notifyAll();
      }
      return count == 0 && closed ? -1 : count;
    }
  }

  private record Pipe(TinyMesh mesh, int rank, int peer) implements Link {
    @Override
    public int write(ByteBuffer source) throws IOException {
      return mesh.put(rank, peer, source);
    }

    @Override
    public long write(ByteBuffer first, ByteBuffer second) throws IOException {
      int count = mesh.put(rank, peer, first);
      return first.hasRemaining() ? count : count + mesh.put(rank, peer, second);
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
      return "here";
    }

    @Override
    public Link link(int peer, Deadline deadline, Cancellation cancellation) {
      return new Pipe(TinyMesh.this, rank, peer);
    }

    @Override
    @SuppressWarnings("WaitNotInLoop") // the contract allows to return early
    public void await(@Nullable Link readable, @Nullable Link writable, long nanos) {
      synchronized (monitor) {
        try {
          // What is waited for may have come since it was asked for.
          monitor.wait(1);
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
