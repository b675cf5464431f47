package org.sparkcollectives.ml.internal.training;

import java.io.IOException;
import java.io.Serial;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.util.SerializableConfiguration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * States of a training in a folder of a file system of Hadoop, from which another application goes
 * on. Each state is a file that gets its name when it is complete; the newest two stay.
 */
public final class Checkpoints implements Serializable {
  @Serial private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(Checkpoints.class);
  private static final String PREFIX = "state-";
  private static final String NAME = PREFIX + "%09d";
  private static final int KEPT = 2;

  private final String folder;
  private final int every;
  private final SerializableConfiguration configuration;

  /**
   * A state that was found.
   *
   * @param iteration its iteration
   * @param file where it is
   */
  record Found(int iteration, Path file) {}

  /**
   * States in a folder.
   *
   * @param folder a path, in Hadoop's notation
   * @param every after how many iterations a state is written, at least 1
   * @param configuration Hadoop's, with which the folder can be reached
   */
  public Checkpoints(String folder, int every, Configuration configuration) {
    this.folder = folder;
    this.every = every;
    this.configuration = new SerializableConfiguration(configuration);
  }

  /** Whether a state of such an iteration is to be written. */
  boolean due(int iteration) {
    return iteration % every == 0;
  }

  /** The newest state, or null. */
  @Nullable Found newest() throws IOException {
    List<Found> all = all();
    return all.isEmpty() ? null : all.get(all.size() - 1);
  }

  /** What a file holds. */
  byte[] read(Found found) throws IOException {
    try (FSDataInputStream in = files().open(found.file())) {
      return in.readAllBytes();
    }
  }

  /** Writes a state; that it cannot be written is said, and the training goes on. */
  void write(int iteration, byte[] state) {
    Path unfinished = new Path(folder, "." + UUID.randomUUID());
    try {
      FileSystem files = files();
      try (FSDataOutputStream out = files.create(unfinished, true)) {
        out.write(state);
      }
      Path file = new Path(folder, String.format(NAME, iteration));
      files.delete(file, false); // of a training that was not this one
      if (!files.rename(unfinished, file)) {
        throw new IOException("cannot rename " + unfinished + " to " + file);
      }
      List<Found> all = all();
      for (Found old : all.subList(0, Math.max(0, all.size() - KEPT))) {
        files.delete(old.file(), false);
      }
    } catch (IOException e) {
      LOG.warn("The state of iteration {} is not kept in {}: {}", iteration, folder, e.toString());
    }
  }

  /** Removes states, so that a training that begins anew is not mistaken for an older one. */
  void clear() throws IOException {
    for (Found found : all()) {
      files().delete(found.file(), false);
    }
  }

  @Override
  public String toString() {
    return folder;
  }

  private List<Found> all() throws IOException {
    Path path = new Path(folder);
    List<Found> all = new ArrayList<>();
    if (!files().exists(path)) {
      return all;
    }
    for (FileStatus status : files().listStatus(path)) {
      String name = status.getPath().getName();
      if (name.matches(PREFIX + "\\d{9}")) {
        all.add(new Found(Integer.parseInt(name.substring(PREFIX.length())), status.getPath()));
      }
    }
    all.sort(Comparator.comparingInt(Found::iteration));
    return all;
  }

  private FileSystem files() throws IOException {
    return new Path(folder).getFileSystem(configuration.value());
  }
}
