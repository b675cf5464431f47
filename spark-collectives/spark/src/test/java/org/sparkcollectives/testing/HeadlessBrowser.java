package org.sparkcollectives.testing;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A Chromium without a window, where this machine has one. */
public final class HeadlessBrowser {
  private static final long DEADLINE_SECONDS = 120;

  private final Path program;

  private HeadlessBrowser(Path program) {
    this.program = program;
  }

  /**
   * The browser on the path of this JVM's environment.
   *
   * @return nothing where there is none
   */
  public static Optional<HeadlessBrowser> find() {
    String path = System.getenv("PATH");
    return Stream.of((path == null ? "" : path).split(File.pathSeparator, -1))
        .flatMap(
            folder ->
                Stream.of("chromium", "chromium-browser", "google-chrome")
                    .map(name -> Path.of(folder, name)))
        .filter(Files::isExecutable)
        .findFirst()
        .map(HeadlessBrowser::new);
  }

  /**
   * Opens a page, runs its scripts, and takes a picture of it.
   *
   * @param address the page
   * @param picture where the picture goes, a PNG
   * @param width the window's width in pixels
   * @param height its height
   * @return the page's elements after that, as HTML
   * @throws IOException if the browser cannot be started
   * @throws InterruptedException if this thread is
   */
  public String open(String address, Path picture, int width, int height)
      throws IOException, InterruptedException {
    Path folder = Files.createDirectories(picture.toAbsolutePath().getParent());
    Path profile = Files.createTempDirectory(folder, "browser-");
    Path output = profile.resolve("page.html");
    Process process =
        new ProcessBuilder(
                List.of(
                    program.toString(),
                    "--headless",
                    "--no-sandbox",
                    "--disable-gpu",
                    "--disable-dev-shm-usage",
                    "--hide-scrollbars",
                    "--user-data-dir=" + profile,
                    "--window-size=" + width + "," + height,
                    "--virtual-time-budget=3000",
                    "--screenshot=" + picture.toAbsolutePath(),
                    "--dump-dom",
                    address))
            .redirectError(profile.resolve("errors.log").toFile())
            .redirectOutput(output.toFile())
            .start();
    try {
      if (!process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS)) {
        throw new IOException(program + " has not shown " + address + " in time");
      }
      return Files.readString(output, StandardCharsets.UTF_8);
    } finally {
      process.destroyForcibly();
    }
  }
}
