package org.sparkcollectives.benchmarks.chaos;

import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** What a process holds, as it sees itself after a collection of its heap. */
public final class Held implements Serializable {
  private static final long serialVersionUID = 1L;
  private static final int WORDS = 5;
  private static final String REMOVES_BLOCKS = "block-manager-storage-async-thread-pool";
  private static final int MOST_COLLECTIONS = 10;
  private static final long CLEANING_NANOS = 10_000_000;

  private final long heapKib;
  private final long directKib;
  private final int threads;
  private final int files;
  private final int sockets;

  private Held(long heapKib, long directKib, int threads, int files, int sockets) {
    this.heapKib = heapKib;
    this.directKib = directKib;
    this.threads = threads;
    this.files = files;
    this.sockets = sockets;
  }

  /**
   * What this process holds.
   *
   * @return the numbers of this moment
   */
  public static Held here() {
    long direct = direct();
    for (int i = 0, still = 0; i < MOST_COLLECTIONS && still < 2; i++) {
      System.gc();
      LockSupport.parkNanos(CLEANING_NANOS); // memory outside the heap is freed by a thread
      long next = direct();
      still = next < direct ? 0 : still + 1;
      direct = next;
    }
    List<String> open = openFiles();
    long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    return new Held(
        heap >> 10,
        direct >> 10,
        threads(),
        open.size(),
        (int) open.stream().filter(target -> target.startsWith("socket:")).count());
  }

  /** All threads but those of Spark's pool for removing blocks, which end after an idle minute. */
  private static int threads() {
    return (int)
        Thread.getAllStackTraces().keySet().stream()
            .filter(thread -> !thread.getName().startsWith(REMOVES_BLOCKS))
            .count();
  }

  private static long direct() {
    return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
        .mapToLong(BufferPoolMXBean::getMemoryUsed)
        .sum();
  }

  /**
   * Reads what {@link #line} has written.
   *
   * @param line the line
   * @return what it says
   * @throws IOException if it is no such line
   */
  public static Held parse(String line) throws IOException {
    String[] words = line.split(" ", -1);
    if (words.length != WORDS) {
      throw new IOException("a process says of what it holds: " + line);
    }
    return new Held(
        Long.parseLong(words[0]),
        Long.parseLong(words[1]),
        Integer.parseInt(words[2]),
        Integer.parseInt(words[3]),
        Integer.parseInt(words[4]));
  }

  /**
   * All in one line.
   *
   * @return the line, without its end
   */
  public String line() {
    return heapKib + " " + directKib + " " + threads + " " + files + " " + sockets;
  }

  int sockets() {
    return sockets;
  }

  /**
   * What has grown.
   *
   * @param before what was held before
   * @param heapMib how many MiB the heap may grow, and direct and mapped memory too
   * @param count how many threads and files may come
   * @return a phrase for each, none if nothing has grown
   */
  public List<String> growthSince(Held before, int heapMib, int count) {
    List<String> grown = new ArrayList<>();
    note(grown, "KiB of heap", before.heapKib, heapKib, heapMib * 1024L);
    note(grown, "KiB of direct memory", before.directKib, directKib, heapMib * 1024L);
    note(grown, "threads", before.threads, threads, count);
    note(grown, "open files", before.files, files, count);
    note(grown, "sockets", before.sockets, sockets, count);
    return grown;
  }

  private static void note(List<String> grown, String what, long before, long now, long allowed) {
    if (now > before + allowed) {
      grown.add(before + " " + what + " became " + now);
    }
  }

  private static List<String> openFiles() {
    try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
      return files.map(Held::target).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String target(Path link) {
    try {
      return Objects.toString(Files.readSymbolicLink(link));
    } catch (IOException closedMeanwhile) {
      return "";
    }
  }

  @Override
  public String toString() {
    return "%d KiB of heap, %d KiB of direct memory, %d threads, %d open files of which %d sockets"
        .formatted(heapKib, directKib, threads, files, sockets);
  }
}
