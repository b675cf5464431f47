package org.sparkcollectives.internal.transport.shared;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.transport.CarrierProvider;
import org.sparkcollectives.internal.transport.Doorbell;
import org.sparkcollectives.internal.transport.LinkProvider.WaitableLink;
import org.sparkcollectives.internal.transport.ring.ByteRing;

/**
 * A ring in each direction between two processes of one host, in a file of a file system that lives
 * in memory. One process creates the file, the other opens it by its name and removes the name at
 * once; the memory stays until both have forgotten it. All of it is allocated when the file is
 * made, so that a file system that is full is an error then and not a fault later.
 */
public final class SharedRings implements CarrierProvider.Offer {
  /** Connections with memory are kept in smaller number: each has two rings. */
  private static final int MAX_IDLE = 16;

  private static final SecureRandom RANDOM = new SecureRandom();
  private static final String PREFIX = "spark-collectives-";
  private static final int PAGE = 4096;
  private static final int FEWEST_BYTES = PAGE;
  private static final int MOST_BYTES = 1 << 28;
  private static final int MOST_BYTES_AT_ONCE = 1 << 16;

  /**
   * A file's owner as a number. A name would come from the name service, which may take its time.
   */
  private static final String OWNER = "unix:uid";

  /** Who owns this process's files, once it has been looked up. */
  private static @Nullable Object owner;

  private final byte[] name;
  private final Path file;
  private final ByteRing inbound;
  private final ByteRing outbound;

  private SharedRings(byte[] name, Path file, ByteBuffer memory, boolean creator) {
    this.name = name;
    this.file = file;
    int ring = memory.capacity() / 2;
    ByteRing first = ring(memory.slice(0, ring));
    ByteRing second = ring(memory.slice(ring, ring));
    this.outbound = creator ? first : second;
    this.inbound = creator ? second : first;
  }

  private static ByteRing ring(ByteBuffer memory) {
    return new ByteRing(
        memory.slice(0, ByteRing.CURSOR_BYTES), memory.slice(PAGE, memory.capacity() - PAGE));
  }

  /**
   * Makes rings and a file of them, which its owner alone may open.
   *
   * @param folder where files live in memory
   * @param ringBytes what a ring holds, a power of two
   * @return the creator's end
   * @throws IOException if the folder does not take the file
   */
  public static SharedRings create(Path folder, int ringBytes) throws IOException {
    byte[] name = new byte[CarrierProvider.NAME_BYTES];
    RANDOM.nextBytes(name);
    Path file = path(folder, name);
    Set<StandardOpenOption> options =
        Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
    FileChannel created;
    try {
      created =
          FileChannel.open(
              file,
              options,
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    } catch (UnsupportedOperationException e) {
      throw new IOException(folder + " knows no owner's permissions", e);
    }
    boolean complete = false;
    try (created) {
      long size = 2L * (PAGE + Math.min(Math.max(ringBytes, FEWEST_BYTES), MOST_BYTES));
      allocate(created, size);
      SharedRings rings = new SharedRings(name, file, map(created, size), true);
      complete = true;
      return rings;
    } finally {
      if (!complete) {
        unlink(file);
      }
    }
  }

  private static void allocate(FileChannel channel, long size) throws IOException {
    ByteBuffer zeros = ByteBuffer.allocateDirect((int) Math.min(size, MOST_BYTES_AT_ONCE));
    for (long at = 0; at < size; at += zeros.capacity()) {
      zeros.clear().limit((int) Math.min(zeros.capacity(), size - at));
      while (zeros.hasRemaining()) {
        channel.write(zeros, at + zeros.position());
      }
    }
  }

  /**
   * Opens the other end of rings and removes the file's name.
   *
   * @param folder where files live in memory
   * @param name the file's name, as its creator has it
   * @return the other end
   * @throws IOException if there is no such file here, or none of rings
   */
  public static SharedRings open(Path folder, byte[] name) throws IOException {
    return open(folder, name, owner(folder));
  }

  /** The other end of rings in a file that this user has to own. */
  static SharedRings open(Path folder, byte[] name, Object user) throws IOException {
    Path file = path(folder, name);
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
      if (!user.equals(ownerOf(file))) {
        throw new IOException(file + " belongs to another user");
      }
      long size = channel.size();
      long ring = size / 2 - PAGE;
      if (ring < FEWEST_BYTES
          || ring > MOST_BYTES
          || size != 2 * (PAGE + Long.highestOneBit(ring))) {
        throw new IOException(file + " has " + size + " bytes and holds no rings");
      }
      SharedRings rings = new SharedRings(name.clone(), file, map(channel, size), false);
      if (!rings.withdraw()) {
        throw new IOException(file + " cannot be removed");
      }
      return rings;
    }
  }

  /** Who owns the files that this process makes. */
  private static synchronized Object owner(Path folder) throws IOException {
    Object known = owner;
    if (known == null) {
      Path probe = Files.createTempFile(folder, PREFIX, "");
      try {
        known = ownerOf(probe);
      } finally {
        Files.delete(probe);
      }
      owner = known;
    }
    return known;
  }

  private static Object ownerOf(Path file) throws IOException {
    return Files.getAttribute(file, OWNER, LinkOption.NOFOLLOW_LINKS);
  }

  private static MappedByteBuffer map(FileChannel channel, long size) throws IOException {
    return channel.map(FileChannel.MapMode.READ_WRITE, 0, size);
  }

  private static Path path(Path folder, byte[] name) {
    if (name.length != CarrierProvider.NAME_BYTES) {
      throw new IllegalArgumentException(
          "a name has " + CarrierProvider.NAME_BYTES + " bytes, not " + name.length);
    }
    return folder.resolve(PREFIX + HexFormat.of().formatHex(name));
  }

  @Override
  public byte[] name() {
    return name.clone();
  }

  @Override
  public boolean withdraw() {
    return unlink(file);
  }

  private static boolean unlink(Path file) {
    try {
      Files.deleteIfExists(file);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public WaitableLink link(int peer, String peerName, Doorbell doorbell) {
    return new SharedLink(peer, peerName, this, doorbell);
  }

  @Override
  public int maxIdle() {
    return MAX_IDLE;
  }

  @Override
  public boolean isEmpty() {
    return inbound.isEmpty() && outbound.isEmpty();
  }

  @Override
  public boolean hasUnread() {
    return !inbound.isEmpty();
  }

  /**
   * The ring that this process reads.
   *
   * @return the ring
   */
  public ByteRing inbound() {
    return inbound;
  }

  /**
   * The ring that this process writes.
   *
   * @return the ring
   */
  public ByteRing outbound() {
    return outbound;
  }
}
