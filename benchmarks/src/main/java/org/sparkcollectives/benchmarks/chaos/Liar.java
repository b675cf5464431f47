package org.sparkcollectives.benchmarks.chaos;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HexFormat;
import java.util.Random;
import java.util.stream.Stream;
import org.sparkcollectives.internal.transport.CarrierProvider;
import org.sparkcollectives.internal.transport.endpoint.Caller;
import org.sparkcollectives.internal.transport.ring.ByteRing;
import org.sparkcollectives.internal.transport.shared.SharedRings;
import org.sparkcollectives.internal.transport.tcp.handshake.Lease;
import org.sparkcollectives.internal.transport.tcp.handshake.WireFormat;

/** Those who know the token, and lie. */
enum Liar {
  /** Asks for leases that nobody can serve. */
  LEASE(false),
  /** Says anything instead of a lease. */
  FRAME(false),
  /** Offers memory that is not there. */
  MEMORY(false),
  /** Rings without end. */
  DOORBELLS(true),
  /** Writes random cursors into its rings. */
  CURSORS(true),
  /** Sends a header that is not true, about lengths above all. */
  HEADER(false);

  private static final int RING_BYTES = 4096;
  private static final int BELLS = 1 << 12;
  private static final long[] LENGTHS = {
    -1, 0, 1, Integer.MAX_VALUE - 8, (1L << 32) + 10, Long.MAX_VALUE, Long.MIN_VALUE
  };

  private final boolean shares;

  Liar(boolean shares) {
    this.shares = shares;
  }

  /**
   * Calls as rank 0 of a communicator of two, and lies to rank 1.
   *
   * @param folder where memory is shared
   */
  void call(Caller caller, byte[] token, long communicator, Path folder, Random random)
      throws IOException {
    caller.authenticate(token);
    switch (this) {
      case LEASE -> {
        Lease lease =
            new Lease(
                random.nextBoolean() ? communicator : random.nextLong(),
                random.nextInt(),
                random.nextInt(),
                random.nextInt());
        caller.send(WireFormat.lease(lease, 1));
        caller.isLetIn();
      }
      case FRAME -> {
        caller.send(Stranger.garbage(random, WireFormat.LEASE_BYTES));
        caller.isLetIn();
      }
      case MEMORY -> {
        caller.send(WireFormat.share(Stranger.garbage(random, CarrierProvider.NAME_BYTES)));
        lie(caller, communicator, random);
      }
      default -> {
        if (shares) {
          share(caller, folder, random);
        }
        lie(caller, communicator, random);
      }
    }
  }

  private void lie(Caller caller, long communicator, Random random) throws IOException {
    caller.send(WireFormat.lease(new Lease(communicator, 0, 0, 1), 1));
    if (caller.isLetIn()) {
      caller.send(shares ? new byte[random.nextInt(BELLS)] : header(random));
    }
  }

  /** Offers rings, and writes into the cursors of both what it likes. */
  private void share(Caller caller, Path folder, Random random) throws IOException {
    SharedRings rings = SharedRings.create(folder, RING_BYTES);
    try {
      if (this == CURSORS) {
        try (FileChannel channel =
            FileChannel.open(
                own(folder, rings), StandardOpenOption.READ, StandardOpenOption.WRITE)) {
          MappedByteBuffer memory = channel.map(FileChannel.MapMode.READ_WRITE, 0, channel.size());
          for (int ring = 0; ring < 2; ring++) {
            int at =
                ring * memory.capacity() / 2
                    + Long.BYTES * random.nextInt(ByteRing.CURSOR_BYTES / Long.BYTES);
            memory.putLong(at, random.nextLong() >> random.nextInt(Long.SIZE));
            memory.putLong(ring * memory.capacity() / 2 + 128, random.nextLong());
          }
        }
      } else {
        rings.outbound().write(ByteBuffer.wrap(header(random)));
      }
      caller.send(WireFormat.share(rings.name()));
    } catch (IOException e) {
      rings.withdraw();
      throw e;
    }
  }

  /** The file of its rings, and not one that others share. */
  private static Path own(Path folder, SharedRings rings) throws IOException {
    String name = HexFormat.of().formatHex(rings.name());
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(name)).findFirst().orElseThrow();
    }
  }

  /** A header of a broadcast by rank 0, most of it right, and some bytes. */
  private static byte[] header(Random random) {
    byte[] bytes = Stranger.garbage(random, 64);
    ByteBuffer header = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    header.putLong(0, LENGTHS[random.nextInt(LENGTHS.length)]);
    header.putInt(8, random.nextBoolean() ? 1 : random.nextInt());
    header.putInt(12, 0);
    return bytes;
  }
}
