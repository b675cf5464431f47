package org.sparkcollectives.testing;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Processes that are all told the same and answer with a line each. {@link #close()} lets them come
 * to their ends.
 */
public final class JavaProcesses implements AutoCloseable {
  private final List<JavaProcess> processes = new ArrayList<>();
  private final Duration patience;

  /**
   * None yet.
   *
   * @param patience how long the answers of all may take, more than they ever need; then all are
   *     killed
   */
  public JavaProcesses(Duration patience) {
    this.patience = patience;
  }

  /**
   * One more.
   *
   * @param process the process, which is closed with the others
   */
  public void add(JavaProcess process) {
    processes.add(process);
  }

  /**
   * All of them.
   *
   * @return the processes in the order in which they were added
   */
  public List<JavaProcess> list() {
    return Collections.unmodifiableList(processes);
  }

  /**
   * Tells all of them something.
   *
   * @param line the line
   * @throws IOException if one does not listen any more
   */
  public void tell(String line) throws IOException {
    for (JavaProcess process : processes) {
      process.tell(line);
    }
  }

  /**
   * The next line of each.
   *
   * @return the lines in the order of the processes
   * @throws IOException if one has ended, or if they take too long
   */
  public List<String> answers() throws IOException {
    FutureTask<List<String>> answers = new FutureTask<>(this::read);
    Thread reader = new Thread(answers, "answers of processes");
    reader.setDaemon(true);
    reader.start();
    try {
      return answers.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException cause ? cause : new IOException(e.getCause());
    } catch (TimeoutException e) {
      kill();
      throw new IOException("a process has not answered within " + patience.toSeconds() + " s", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while waiting for the answers of processes", e);
    }
  }

  private List<String> read() throws IOException {
    List<String> lines = new ArrayList<>();
    for (JavaProcess process : processes) {
      String line = process.line();
      if (line == null) {
        throw new IOException("process " + lines.size() + " has ended; its error stands above");
      }
      lines.add(line);
    }
    return lines;
  }

  /** Lets the processes come to their ends, and kills those that do not. */
  @Override
  public void close() throws IOException {
    for (JavaProcess process : processes) {
      try {
        process.endInput();
      } catch (IOException e) {
        // it does not listen any more, and has ended or is killed below
      }
    }
    processes.forEach(JavaProcess::awaitEnd);
    kill();
  }

  /** Kills all, also where one resists. */
  private void kill() throws IOException {
    IOException failure = null;
    for (JavaProcess process : processes) {
      try {
        process.close();
      } catch (IllegalStateException e) {
        failure = failure == null ? new IOException("processes are left behind", e) : failure;
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
