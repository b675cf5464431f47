package org.sparkcollectives.testing;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A Java virtual machine in a process of its own, with this one's class path: lines go in and out,
 * and what it writes to its standard error is passed on. {@link #close()} kills it.
 */
public final class JavaProcess implements AutoCloseable {
  private static final long END_SECONDS = 30;

  private final Process process;
  private final BufferedReader output;
  private final Writer input;

  /**
   * Takes a process over.
   *
   * @param process with its standard input and output as pipes
   */
  public JavaProcess(Process process) {
    this.process = process;
    this.output = process.inputReader(StandardCharsets.UTF_8);
    this.input = process.outputWriter(StandardCharsets.UTF_8);
  }

  /**
   * A command line.
   *
   * @param options of the virtual machine
   * @param main the class to run
   * @param arguments its arguments
   * @return the words
   */
  public static List<String> command(List<String> options, Class<?> main, List<String> arguments) {
    List<String> words = new ArrayList<>();
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    words.addAll(options);
    words.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
    words.addAll(arguments);
    return words;
  }

  /**
   * Starts a process.
   *
   * @param command its command line
   * @return the process
   * @throws IOException if it does not start
   */
  public static JavaProcess start(List<String> command) throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command);
    return new JavaProcess(builder.redirectError(ProcessBuilder.Redirect.INHERIT).start());
  }

  /**
   * Kills the process when a time is over, which also ends a wait for its lines.
   *
   * @param limit how long it may live from now on
   * @return this
   */
  public JavaProcess within(Duration limit) {
    CompletableFuture.delayedExecutor(limit.toMillis(), TimeUnit.MILLISECONDS)
        .execute(process::destroyForcibly);
    return this;
  }

  /**
   * The next line of its output.
   *
   * @return the line, or null at the end
   * @throws IOException if it cannot be read
   */
  public @Nullable String line() throws IOException {
    return output.readLine();
  }

  /**
   * Skips lines.
   *
   * @param start what the line starts with that is waited for
   * @return the rest of that line
   * @throws IOException if the output ends before
   */
  public String expect(String start) throws IOException {
    String line = line();
    while (line != null && !line.startsWith(start)) {
      line = line();
    }
    if (line == null) {
      throw new IOException("the output of process " + pid() + " ended before '" + start + "'");
    }
    return line.substring(start.length());
  }

  /**
   * Whether it has written something that was not read.
   *
   * @return false if the next line is not there yet
   * @throws IOException if it cannot be read
   */
  public boolean hasOutput() throws IOException {
    return output.ready();
  }

  /**
   * Writes a line to its input.
   *
   * @param line the line
   * @throws IOException if it does not listen any more
   */
  public void tell(String line) throws IOException {
    input.write(line + "\n");
    input.flush();
  }

  /**
   * Ends its input.
   *
   * @throws IOException if that fails
   */
  public void endInput() throws IOException {
    input.close();
  }

  /**
   * Sends a signal. After {@code STOP} it waits until all threads have stopped: the kernel tells
   * one of them, and the others go on until that one has run.
   *
   * @param signal its name, such as {@code KILL}, {@code STOP} or {@code CONT}
   * @throws IOException if it is not delivered
   */
  public void signal(String signal) throws IOException {
    Process kill =
        new ProcessBuilder("kill", "-" + signal, String.valueOf(pid())).inheritIO().start();
    boolean ended = await(kill);
    if (!ended || kill.exitValue() != 0) {
      throw new IOException("the signal " + signal + " was not delivered to process " + pid());
    }
    long start = System.nanoTime();
    while (signal.equals("STOP") && !isStopped()) {
      if (System.nanoTime() - start > TimeUnit.SECONDS.toNanos(END_SECONDS)) {
        throw new IOException("process " + pid() + " does not stop");
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
    }
  }

  /** Whether no thread runs any more, where the system says so in {@code /proc}. */
  private boolean isStopped() throws IOException {
    Path tasks = Path.of("/proc", String.valueOf(pid()), "task");
    if (!Files.isDirectory(tasks)) {
      return true;
    }
    try (Stream<Path> threads = Files.list(tasks)) {
      for (Path thread : threads.toList()) {
        if (runs(thread)) {
          return false;
        }
      }
    }
    return true;
  }

  private static boolean runs(Path thread) {
    try {
      String stat = Files.readString(thread.resolve("stat"));
      return stat.charAt(stat.lastIndexOf(')') + 2) != 'T';
    } catch (IOException gone) { // it ended after it was listed
      return false;
    }
  }

  /**
   * Waits for its end.
   *
   * @return whether it has ended in time
   */
  public boolean awaitEnd() {
    return await(process);
  }

  /**
   * Whether it lives.
   *
   * @return false if it has ended
   */
  public boolean isAlive() {
    return process.isAlive();
  }

  /**
   * Its number.
   *
   * @return the number
   */
  public long pid() {
    return process.pid();
  }

  /** Kills the process and waits for its end. */
  @Override
  public void close() {
    process.destroyForcibly();
    if (!await(process)) {
      throw new IllegalStateException("process " + pid() + " has not ended");
    }
  }

  private static boolean await(Process process) {
    try {
      return process.waitFor(END_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
