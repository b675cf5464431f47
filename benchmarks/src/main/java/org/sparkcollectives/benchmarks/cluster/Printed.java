package org.sparkcollectives.benchmarks.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** What a process prints to standard output until it ends. */
final class Printed {
  private Printed() {}

  /**
   * Waits for the end of a process, which gets no input; one that hangs is ended.
   *
   * @param process the process, of which the caller reads the exit code then
   * @param what it is, in errors
   * @param limit how long it may take
   * @return what it has printed
   * @throws IOException if it has not ended within the limit, or this thread is interrupted
   */
  static String by(Process process, String what, Duration limit) throws IOException {
    try {
      process.getOutputStream().close();
      long start = System.nanoTime();
      CompletableFuture<String> text = CompletableFuture.supplyAsync(() -> read(process));
      String all = text.get(limit.toNanos(), TimeUnit.NANOSECONDS);
      long left = limit.toNanos() - (System.nanoTime() - start);
      if (!process.waitFor(Math.max(0, left), TimeUnit.NANOSECONDS)) {
        throw new TimeoutException("it prints nothing more");
      }
      return all;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(what + " was interrupted", e);
    } catch (TimeoutException e) {
      throw new IOException(what + " has not ended within " + limit.toMillis() + " ms", e);
    } catch (ExecutionException e) {
      throw new IOException(String.valueOf(e.getCause()), e);
    } finally {
      process.descendants().forEach(ProcessHandle::destroy);
      process.destroy();
    }
  }

  private static String read(Process process) {
    try {
      return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
