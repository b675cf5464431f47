package org.sparkcollectives.benchmarks.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * A folder for files of a run. It goes with them when it is closed, and when the process is told to
 * end before.
 */
public final class TemporaryFolder implements AutoCloseable {
  private static final int ATTEMPTS = 50;
  private static final long PAUSE_MILLIS = 100;

  private final Path path;
  private final AtEnd atEnd;

  private TemporaryFolder(Path path) {
    this.path = path;
    this.atEnd = new AtEnd("removal of " + path.getFileName(), () -> deleteAtEnd(path));
  }

  /**
   * A new one where temporary files go.
   *
   * @param prefix what its name begins with
   * @return the folder
   * @throws IOException if it cannot be made
   */
  public static TemporaryFolder of(String prefix) throws IOException {
    return new TemporaryFolder(Files.createTempDirectory(prefix));
  }

  /**
   * A new one in another folder.
   *
   * @param parent that folder
   * @param prefix what its name begins with
   * @return the folder
   * @throws IOException if it cannot be made
   */
  public static TemporaryFolder in(Path parent, String prefix) throws IOException {
    return new TemporaryFolder(Files.createTempDirectory(parent, prefix));
  }

  /**
   * Where it is.
   *
   * @return its path
   */
  public Path path() {
    return path;
  }

  @Override
  public void close() throws IOException {
    delete(path);
    atEnd.close();
  }

  /** Deletes it though processes that end meanwhile may still make files. */
  private static void deleteAtEnd(Path path) {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      try {
        delete(path);
        return;
      } catch (IOException e) {
        try {
          Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException interrupted) {
          Thread.currentThread().interrupt();
          return;
        }
      }
    }
  }

  private static void delete(Path path) throws IOException {
    if (!Files.isDirectory(path)) {
      return;
    }
    try (Stream<Path> files = Files.list(path)) {
      for (Path file : files.toList()) {
        Files.deleteIfExists(file);
      }
    }
    Files.deleteIfExists(path);
  }
}
