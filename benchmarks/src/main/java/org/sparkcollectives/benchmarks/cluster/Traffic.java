package org.sparkcollectives.benchmarks.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Bytes that all network cards of this process's host but loopback have carried.
 *
 * @param sent bytes sent, with headers of large pieces
 * @param received bytes received, likewise
 */
public record Traffic(long sent, long received) {
  private static final Path CARDS = Path.of("/proc/self/net/dev");
  private static final int RECEIVED = 0;
  private static final int SENT = 8;

  /**
   * The bytes until this moment.
   *
   * @return nothing where they cannot be read
   */
  public static Traffic now() {
    if (!Files.isReadable(CARDS)) {
      return new Traffic(0, 0);
    }
    try {
      long sent = 0;
      long received = 0;
      for (String line : Files.readAllLines(CARDS)) {
        int colon = line.indexOf(':');
        if (colon > 0 && !line.substring(0, colon).trim().equals("lo")) {
          String[] words = line.substring(colon + 1).trim().split("\\s+", -1);
          sent += Long.parseLong(words[SENT]);
          received += Long.parseLong(words[RECEIVED]);
        }
      }
      return new Traffic(sent, received);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The bytes from an earlier moment to this one.
   *
   * @param earlier the moment
   * @return the difference
   */
  public Traffic since(Traffic earlier) {
    return new Traffic(sent - earlier.sent, received - earlier.received);
  }
}
