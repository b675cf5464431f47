package org.sparkcollectives.testing;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Sends signals by a shell that runs already: to start a program for each may take longer, on a
 * busy machine, than the processes are to be stopped for. The shell ends with this virtual machine.
 */
final class Signals {
  private static final long ANSWER_SECONDS = 30;
  private static final String SENT = "sent";

  private static @Nullable Process shell;
  private static @Nullable BufferedReader answers;
  private static @Nullable Writer orders;

  private Signals() {}

  /**
   * Sends a signal.
   *
   * @param signal its name
   * @param pid to which process
   * @throws IOException if it is not delivered
   */
  static synchronized void send(String signal, long pid) throws IOException {
    if (shell == null || !shell.isAlive()) {
      shell = new ProcessBuilder("sh").redirectError(ProcessBuilder.Redirect.INHERIT).start();
      answers = shell.inputReader(StandardCharsets.UTF_8);
      orders = shell.outputWriter(StandardCharsets.UTF_8);
    }
    orders.write("kill -" + signal + " " + pid + " && echo " + SENT + " || echo not sent\n");
    orders.flush();
    if (!SENT.equals(answer(answers))) {
      throw new IOException("the signal " + signal + " was not delivered to process " + pid);
    }
  }

  private static @Nullable String answer(BufferedReader from) throws IOException {
    CompletableFuture<@Nullable String> line = new CompletableFuture<>();
    Thread reader =
        new Thread(
            () -> {
              try {
                line.complete(from.readLine());
              } catch (IOException e) {
                line.completeExceptionally(e);
              }
            },
            "answer of the shell");
    reader.setDaemon(true);
    reader.start();
    try {
      return line.get(ANSWER_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new IOException("the shell has ended", e);
    } catch (TimeoutException e) {
      throw new IOException("the shell does not answer", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while a signal was sent", e);
    }
  }
}
