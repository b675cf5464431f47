package org.sparkcollectives.spark.internal.conf;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.sparkcollectives.cost.CostModel;
import org.sparkcollectives.error.InvalidInputException;

/** Cost profiles in any file system that Hadoop knows. */
public final class ProfileFiles {
  private static final long LONGEST = 1 << 20;

  /** What was read, by path: an application works with one state of a file. */
  private static final ConcurrentMap<String, String> READ = new ConcurrentHashMap<>();

  private ProfileFiles() {}

  /**
   * Reads a profile.
   *
   * @param path a path, of the default file system where it names none
   * @param hadoop Hadoop's configuration
   * @return the model
   * @throws org.sparkcollectives.error.InvalidInputException if there is no profile
   */
  public static CostModel read(String path, Configuration hadoop) {
    return CostProfile.read(text(path, hadoop), path);
  }

  /**
   * Reads a profile outside of an application.
   *
   * @param path a path, of the default file system where it names none
   * @return the model
   * @throws org.sparkcollectives.error.InvalidInputException if there is no profile
   */
  public static CostModel read(String path) {
    return read(path, new Configuration());
  }

  /** The text of a profile, read once per path; the configuration is made only for that. */
  static String textOnce(String path, Supplier<Configuration> hadoop) {
    return READ.computeIfAbsent(path, missing -> text(missing, hadoop.get()));
  }

  private static String text(String path, Configuration hadoop) {
    try {
      Path file = new Path(path);
      FileSystem files = file.getFileSystem(hadoop);
      long length = files.getFileStatus(file).getLen();
      if (length > LONGEST) {
        throw CostProfile.badProfile(path, "it is " + length + " bytes long");
      }
      try (InputStream in = files.open(file)) {
        return new String(in.readAllBytes(), StandardCharsets.UTF_8);
      }
    } catch (IOException | IllegalArgumentException e) {
      throw CostProfile.badProfile(path, e.toString());
    }
  }

  /**
   * Writes a profile, over one that is there.
   *
   * @param profile the text of a {@link CostProfile}
   * @param path a path, of the default file system where it names none
   * @param hadoop Hadoop's configuration
   * @throws InvalidInputException if it cannot be written
   */
  public static void write(String profile, String path, Configuration hadoop) {
    try {
      Path file = new Path(path);
      try (OutputStream out = file.getFileSystem(hadoop).create(file, true)) {
        out.write(profile.getBytes(StandardCharsets.UTF_8));
      }
    } catch (IOException | IllegalArgumentException e) {
      throw notWritten(path, e);
    }
  }

  /**
   * Checks, with a file beside it that is deleted again, that a profile can be written.
   *
   * @param path a path, of the default file system where it names none
   * @param hadoop Hadoop's configuration
   * @throws InvalidInputException if it cannot
   */
  public static void requireWritable(String path, Configuration hadoop) {
    try {
      Path file = new Path(path);
      FileSystem files = file.getFileSystem(hadoop);
      if (files.exists(file) && files.getFileStatus(file).isDirectory()) {
        throw new IOException("it is a folder");
      }
      Path beside = file.suffix("." + UUID.randomUUID());
      files.create(beside, false).close();
      files.delete(beside, false);
    } catch (IOException | IllegalArgumentException e) {
      throw notWritten(path, e);
    }
  }

  private static InvalidInputException notWritten(String path, Exception original) {
    return InvalidInputException.of(
        "the cost profile " + path + " cannot be written",
        String.valueOf(original),
        "name a file in a folder that may be written to",
        original);
  }
}
