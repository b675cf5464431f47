package org.sparkcollectives.ml.internal.state;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What may befall files of states. */
public final class StateFiles {
  private StateFiles() {}

  /**
   * Changes the last byte of a file, which its checksums tell.
   *
   * @param file a state
   * @return what it holds now
   * @throws IOException if it cannot be read or written
   */
  public static byte[] spoil(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length - 1]++;
    Files.write(file, bytes);
    return bytes;
  }
}
