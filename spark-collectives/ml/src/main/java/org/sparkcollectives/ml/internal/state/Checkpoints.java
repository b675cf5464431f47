package org.sparkcollectives.ml.internal.state;

import java.io.EOFException;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serial;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FSError;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.SparkContext;
import org.apache.spark.util.SerializableConfiguration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.internal.error.ErrorText;
import org.sparkcollectives.ml.internal.bridge.JavaBytes;
import org.sparkcollectives.spark.internal.conf.CollectiveConf;
import org.sparkcollectives.spark.internal.conf.Settings;

/**
 * States of a training in a folder of a file system of Hadoop, from which another application goes
 * on. Each state is a file that gets its name when it is complete; the newest two stay. Of a state
 * that is divided among ranks each rank has written its vectors to a file of its own by then.
 */
public final class Checkpoints implements Serializable {
  @Serial private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(Checkpoints.class);
  private static final String PREFIX = "state-";
  private static final String NAME = PREFIX + "%09d";
  private static final String DIVIDED = "-of-";
  private static final String PART = "-part-";
  private static final Pattern COMPLETE =
      Pattern.compile(PREFIX + "(\\d{9})(" + DIVIDED + "(\\d+))?");
  private static final Pattern PARTS =
      Pattern.compile("(" + PREFIX + "(\\d{9})" + DIVIDED + "\\d+)" + PART + "\\d+");

  /** Names of files that are being written. */
  private static final Pattern UNFINISHED =
      Pattern.compile("\\.[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

  private static final int KEPT = 2;

  /** How many trainings of an application have had a folder in each path. */
  private static final Map<String, AtomicInteger> TRAININGS = new ConcurrentHashMap<>();

  private final String folder;
  private final int every;
  private final SerializableConfiguration configuration;

  /**
   * A state that was found.
   *
   * @param iteration its iteration
   * @param ranks among how many ranks it is divided; 0 for a whole one
   * @param file where it is
   */
  public record Found(int iteration, int ranks, Path file) {}

  /**
   * States in a folder.
   *
   * @param folder a path, in Hadoop's notation; a relative one is of the working directory here
   * @param every after how many iterations a state is written, at least 1
   * @param configuration Hadoop's, with which the folder can be reached
   */
  public Checkpoints(String folder, int every, Configuration configuration) {
    this.folder = absolute(folder, configuration);
    this.every = every;
    this.configuration = new SerializableConfiguration(configuration);
  }

  /** The same folder by a path that means on every rank what it means here, at the driver. */
  private static String absolute(String folder, Configuration configuration) {
    Path path = new Path(folder);
    try {
      return path.isAbsolute()
          ? folder
          : path.getFileSystem(configuration).makeQualified(path).toString();
    } catch (IOException | RuntimeException e) { // ranks will say that it cannot be had
      return folder;
    }
  }

  /**
   * Where the states of an application's next training are kept, by its settings. Its nth training
   * of a kind in a path has the same folder whenever the program runs, if it begins its trainings
   * one after another: of several at once the order is theirs.
   *
   * @param context the application
   * @param kind what all trainings are called whose states are of the same classes
   * @return the states of that training, or null where none are kept
   */
  public static @Nullable Checkpoints next(SparkContext context, String kind) {
    Path folder = folder(context, kind);
    return folder == null
        ? null
        : new Checkpoints(
            folder.toString(),
            CollectiveConf.of(context.getConf()).get(Settings.MLLIB_CHECKPOINT_INTERVAL),
            context.hadoopConfiguration());
  }

  /** Counts a training whose states are not kept as if they were. */
  static void pass(SparkContext context, String kind) {
    var unused = folder(context, kind);
  }

  private static @Nullable Path folder(SparkContext context, String kind) {
    String local = context.getLocalProperty(Settings.MLLIB_CHECKPOINT_PATH.key());
    String path =
        local == null
            ? CollectiveConf.of(context.getConf()).get(Settings.MLLIB_CHECKPOINT_PATH)
            : local;
    if (path.isEmpty()) {
      return null;
    }
    AtomicInteger count =
        TRAININGS.computeIfAbsent(
            String.join(" ", context.applicationId(), kind, path), unused -> new AtomicInteger());
    String name = Turn.folder(kind, count);
    try {
      return new Path(path, name);
    } catch (IllegalArgumentException e) {
      LOG.warn("The states of {} are not kept: {} is no path: {}", name, path, ErrorText.reason(e));
      return null;
    }
  }

  /**
   * Whether a state of such an iteration is to be written.
   *
   * @param iteration its iteration
   * @return true for each multiple of the interval
   */
  public boolean due(int iteration) {
    return iteration % every == 0;
  }

  /**
   * The newest state, as rank 0 finds it; a collective call.
   *
   * @param communicator the ranks
   * @param most the most iterations that it may have; rank 0's counts
   * @return the state, the same on all ranks; null if there is none, or if the folder cannot be
   *     read
   */
  public @Nullable Found newest(Communicator communicator, int most) {
    Found found = communicator.rank() == 0 ? newest(most) : null;
    int[] told = {found == null ? -1 : found.iteration(), found == null ? 0 : found.ranks()};
    communicator.broadcast(told, 0);
    return told[0] < 0 ? null : at(told[0], told[1]);
  }

  /**
   * What the file of a state holds, as rank 0 reads it; a collective call.
   *
   * @param communicator the ranks
   * @param found the state
   * @return as {@link #read}, on all ranks
   */
  public byte[] read(Communicator communicator, Found found) {
    return SentState.received(communicator, communicator.rank() == 0 ? read(found) : null, 0);
  }

  /**
   * The newest state of which there are as many bytes as were written; null if there is none, or if
   * the folder cannot be read, which is said. Those of more iterations stay, for a training that
   * asks for as many.
   *
   * @param most the most iterations that it may have
   */
  @Nullable Found newest(int most) {
    try {
      List<Found> all = all().stream().filter(each -> each.iteration() <= most).toList();
      for (int i = all.size() - 1; i >= 0; i--) {
        Found found = all.get(i);
        try {
          if (isWhole(found)) {
            return found;
          }
          unreadable(found, new EOFException("it was cut short"));
          remove(found);
        } catch (IOException e) {
          unreadable(found, e);
        }
      }
    } catch (IOException e) {
      LOG.warn("The states in {} cannot be looked for: {}", folder, e.toString());
    }
    return null;
  }

  private boolean isWhole(Found found) throws IOException {
    long length = files().getFileStatus(found.file()).getLen();
    return access(
        () -> {
          try (FSDataInputStream in = files().open(found.file())) {
            return length > Long.BYTES && in.readLong() == length - Long.BYTES;
          }
        });
  }

  /**
   * Says that a state, or a part of it, cannot be read; a training does not end for that.
   *
   * @param found the state
   * @param reason why
   */
  public void unreadable(Found found, Exception reason) {
    LOG.warn("The state {} cannot be read: {}", found.file(), reason.toString());
  }

  /**
   * What the file of a state holds.
   *
   * @param found the state
   * @return all of a whole state, or what all ranks know of a divided one; no byte if the file
   *     cannot be read, which is said: it may be readable later, so it stays
   */
  byte[] read(Found found) {
    try {
      return access(() -> bytes(found));
    } catch (IOException e) {
      unreadable(found, e);
      return new byte[0];
    }
  }

  private byte[] bytes(Found found) throws IOException {
    try (FSDataInputStream in = files().open(found.file())) {
      long length = in.readLong();
      if (length < 0 || length > JavaBytes.MOST) {
        throw new IOException("it begins with a length of " + length);
      }
      byte[] state = new byte[(int) Math.min(length, files().getFileStatus(found.file()).getLen())];
      in.readFully(state);
      return state;
    }
  }

  /**
   * Writes a state; that it cannot be written, or is too large to be read again, is said, and the
   * training goes on; what was written before stays. No copy of it is made.
   *
   * @param iteration its iteration
   * @param state all of it
   */
  public void write(int iteration, Serializable state) {
    write(iteration, 0, state);
  }

  /**
   * Writes what all ranks know of a divided state whose vectors have been written.
   *
   * @param iteration its iteration
   * @param ranks among how many ranks it is divided
   * @param state what all ranks know
   */
  public void write(int iteration, int ranks, Serializable state) {
    try {
      long length = JavaBytes.length(state);
      Path file = new Path(folder, name(iteration, ranks));
      removeUnfinished();
      written(file, state, length);
      // Later ones cannot be read or go too far, or this training would have gone on from them.
      List<Found> old = all().stream().filter(each -> each.iteration() < iteration).toList();
      for (Found each : old.subList(0, Math.max(0, old.size() - (KEPT - 1)))) {
        remove(each);
      }
      removeParts(iteration);
    } catch (IOException e) {
      warn(iteration, e);
    }
  }

  /** Removes what was being written when its writer was lost. */
  private void removeUnfinished() throws IOException {
    Path path = new Path(folder);
    if (files().exists(path)) {
      for (FileStatus status : files().listStatus(path)) {
        if (UNFINISHED.matcher(status.getPath().getName()).matches()) {
          files().delete(status.getPath(), false);
        }
      }
    }
  }

  /** Removes parts of earlier states that were never complete, as ranks were lost. */
  private void removeParts(int iteration) throws IOException {
    Set<String> complete = new HashSet<>();
    all().forEach(found -> complete.add(found.file().getName()));
    for (FileStatus status : files().listStatus(new Path(folder))) {
      Matcher name = PARTS.matcher(status.getPath().getName());
      if (name.matches()
          && Integer.parseInt(name.group(2)) < iteration
          && !complete.contains(name.group(1))) {
        files().delete(status.getPath(), false);
      }
    }
  }

  /**
   * Writes a rank's vectors of a state.
   *
   * @param iteration its iteration
   * @param ranks among how many ranks it is divided
   * @param rank whose part it is
   * @param vectors the part of each vector
   * @return whether they were written; if not, it is said
   */
  public boolean writePart(int iteration, int ranks, int rank, List<double[]> vectors) {
    try {
      Path file = part(new Path(folder, name(iteration, ranks)), rank);
      return access(
          () -> {
            try (ObjectOutputStream out = new ObjectOutputStream(files().create(file, true))) {
              out.writeObject(vectors.toArray(new double[0][]));
            }
            return true;
          });
    } catch (IOException e) {
      warn(iteration, e);
      return false;
    }
  }

  /**
   * A rank's vectors of a divided state.
   *
   * @param found the state
   * @param rank whose part, of as many ranks as the state is divided among
   * @return the part of each vector
   * @throws IOException if the part cannot be read, or has a class that no part has
   * @throws ClassNotFoundException if it has a class that is unknown here
   */
  public double[][] readPart(Found found, int rank) throws IOException, ClassNotFoundException {
    return (double[][]) access(() -> JavaBytes.readState(files().open(part(found.file(), rank))));
  }

  /**
   * What is found by its iteration and number of ranks.
   *
   * @param iteration its iteration
   * @param ranks among how many ranks it is divided; 0 for a whole one
   * @return the state, whether it is there or not
   */
  public Found at(int iteration, int ranks) {
    return new Found(iteration, ranks, new Path(folder, name(iteration, ranks)));
  }

  /**
   * Says, on rank 0, what becomes of a state, and removes it if it is another training's. Those
   * before it may be its own: of a run that was asked for fewer iterations.
   *
   * @param communicator the ranks, of which each calls this
   * @param training the training that has looked at it
   * @param found the state
   * @param fits whether it is its own
   */
  public void judged(Communicator communicator, String training, Found found, boolean fits) {
    if (communicator.rank() == 0) {
      judged(training, found, fits);
    }
  }

  /** The same of one who knows for all. */
  void judged(String training, Found found, boolean fits) {
    LOG.info(
        "{}: {} {}",
        training,
        fits ? "goes on from" : "cannot go on from what other data or parameters made:",
        found.file());
    if (!fits) {
      try {
        remove(found);
      } catch (IOException e) {
        LOG.warn("The state {} cannot be removed: {}", found.file(), e.toString());
      }
    }
  }

  @Override
  public String toString() {
    return folder;
  }

  /** A file of that name, which has it once it is complete. */
  private void written(Path file, Serializable state, long length) throws IOException {
    Path unfinished = new Path(folder, "." + UUID.randomUUID());
    boolean complete = false;
    try {
      complete =
          access(
              () -> {
                try (FSDataOutputStream out = files().create(unfinished, true)) {
                  out.writeLong(length); // a machine that fails may leave a file short of bytes
                  JavaBytes.write(state, out);
                }
                files().delete(file, false); // of a training that was not this one, until now
                return files().rename(unfinished, file);
              });
    } finally {
      if (!complete) {
        files().delete(unfinished, false);
      }
    }
    if (!complete) {
      throw new IOException("cannot rename " + unfinished + " to " + file);
    }
  }

  private void remove(Found found) throws IOException {
    files().delete(found.file(), false);
    for (int rank = 0; rank < found.ranks(); rank++) {
      files().delete(part(found.file(), rank), false);
    }
  }

  private void warn(int iteration, IOException e) {
    LOG.warn("The state of iteration {} is not kept in {}: {}", iteration, folder, e.toString());
  }

  private static String name(int iteration, int ranks) {
    return String.format(Locale.ROOT, NAME, iteration) + (ranks == 0 ? "" : DIVIDED + ranks);
  }

  private static Path part(Path state, int rank) {
    return state.suffix(PART + rank);
  }

  private List<Found> all() throws IOException {
    Path path = new Path(folder);
    List<Found> all = new ArrayList<>();
    if (!files().exists(path)) {
      return all;
    }
    for (FileStatus status : files().listStatus(path)) {
      Matcher name = COMPLETE.matcher(status.getPath().getName());
      if (name.matches()) {
        int ranks = name.group(3) == null ? 0 : Integer.parseInt(name.group(3));
        all.add(new Found(Integer.parseInt(name.group(1)), ranks, status.getPath()));
      }
    }
    all.sort(Comparator.comparingInt(Found::iteration));
    return all;
  }

  /** What reads or writes a file. */
  @FunctionalInterface
  private interface Access<T, E extends Exception> {
    T result() throws IOException, E;
  }

  /** Reads or writes; where a local disk is full or fails, what Hadoop throws is an error. */
  private static <T, E extends Exception> T access(Access<T, E> access) throws IOException, E {
    try {
      return access.result();
    } catch (FSError e) {
      throw e.getCause() instanceof IOException met ? met : new IOException(e);
    }
  }

  private FileSystem files() throws IOException {
    try {
      return new Path(folder).getFileSystem(configuration.value());
    } catch (RuntimeException e) { // so Hadoop tells of a connector or a host that it lacks
      throw new IOException(e);
    }
  }
}
