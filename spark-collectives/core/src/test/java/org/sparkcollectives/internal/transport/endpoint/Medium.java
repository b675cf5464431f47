package org.sparkcollectives.internal.transport.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.sparkcollectives.internal.transport.EndpointOptions;
import org.sparkcollectives.internal.transport.EndpointStatistics;

/** What carries the bytes between endpoints that are told they are on one host. */
enum Medium {
  /** Sockets. */
  SOCKET,
  /** Files that both map, in a folder of this run. */
  MEMORY;

  private static final Path FOLDER = folder();

  private static Path folder() {
    try {
      Path folder = Files.createTempDirectory("medium");
      folder.toFile().deleteOnExit();
      return folder;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Settings for tests on loopback. */
  EndpointOptions.Builder options() {
    String memory = this == MEMORY ? FOLDER.toString() : "";
    return EndpointOptions.builder().hosts("127.0.0.1", "").sharedMemory(memory);
  }

  /** Checks that this was it, for every connection dialed, and that no file is left. */
  void assertUsedBy(EndpointStatistics statistics) {
    assertEquals(0, statistics.notShared(), statistics.toString());
    if (this == MEMORY) {
      assertTrue(statistics.shared() >= statistics.dialed(), statistics.toString());
      assertEquals(List.of(), files(FOLDER));
    } else {
      assertEquals(0, statistics.shared(), statistics.toString());
    }
  }

  static List<Path> files(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files.toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
