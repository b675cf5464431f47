package org.sparkcollectives.internal.transport.shared;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.transport.Carrier;
import org.sparkcollectives.internal.transport.CarrierProvider;
import org.sparkcollectives.internal.transport.Peer;

/** Offers memory to processes of the same host, in files of a folder that they share. */
public final class SharedMemory implements CarrierProvider {
  private final String folder;
  private final int ringBytes;

  /**
   * Makes a provider.
   *
   * @param folder a folder of a file system that lives in memory, empty to share none
   * @param ringBytes bytes in flight per direction of a connection, a power of two
   */
  public SharedMemory(String folder, int ringBytes) {
    this.folder = folder;
    this.ringBytes = ringBytes;
  }

  @Override
  public @Nullable Offer offer(Peer from, Peer to) throws IOException {
    return folder.isEmpty() || !from.node().equals(to.node())
        ? null
        : SharedRings.create(Path.of(folder), ringBytes);
  }

  @Override
  public Carrier take(byte[] name) throws IOException {
    if (folder.isEmpty()) {
      throw new IOException("this process shares no memory");
    }
    return SharedRings.open(Path.of(folder), name);
  }
}
