package org.sparkcollectives.spark.internal.conf;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSError;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.cost.CostModel;
import org.sparkcollectives.error.InvalidInputException;

/** Cost profiles in any file system that Hadoop knows. */
public final class ProfileFiles {
  private static final long LONGEST = 1 << 20;

  /** What was read last: an application, of which a JVM has one at a time, keeps to that. */
  private static @Nullable Read last;

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

  /** A profile's text, as it was when an application read it. */
  private record Read(String application, String path, String text) {}

  /** A profile's text, which an application reads once; the configuration is made only for that. */
  static synchronized String textOnce(
      String application, String path, Supplier<Configuration> hadoop) {
    Read known = last;
    if (known == null || !known.application.equals(application) || !known.path.equals(path)) {
      known = new Read(application, path, text(path, hadoop.get()));
      last = known;
    }
    return known.text;
  }

  private static String text(String path, Configuration hadoop) {
    try {
      Path file = new Path(path);
      FileSystem files = unchecked(file.getFileSystem(hadoop));
      long length = files.getFileStatus(file).getLen();
      if (length > LONGEST) {
        throw CostProfile.badProfile(path, "it is " + length + " bytes long");
      }
      try (InputStream in = files.open(file)) {
        return new String(in.readAllBytes(), StandardCharsets.UTF_8);
      }
    } catch (InvalidInputException e) {
      throw e;
    } catch (IOException | RuntimeException | FSError e) { // where a connector or a disk fails
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
      FileSystem files = file.getFileSystem(hadoop);
      if (files instanceof LocalFileSystem local) { // a file of checksums is of what was there
        local.getRaw().delete(local.getChecksumFile(file), false);
      }
      try (OutputStream out = unchecked(files).create(file, true)) {
        out.write(profile.getBytes(StandardCharsets.UTF_8));
      }
    } catch (IOException | RuntimeException | FSError e) {
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
      FileSystem files = unchecked(file.getFileSystem(hadoop));
      if (files.exists(file) && files.getFileStatus(file).isDirectory()) {
        throw new IOException("it is a folder");
      }
      Path beside = file.suffix("." + UUID.randomUUID());
      files.create(beside, false).close();
      files.delete(beside, false);
    } catch (IOException | RuntimeException e) {
      throw notWritten(path, e);
    }
  }

  /** The local file system without its checksums, which no editor keeps; any other as it is. */
  private static FileSystem unchecked(FileSystem files) {
    return files instanceof LocalFileSystem local ? local.getRaw() : files;
  }

  private static InvalidInputException notWritten(String path, Throwable original) {
    return InvalidInputException.of(
        "the cost profile " + path + " cannot be written",
        String.valueOf(original),
        "name a file in a folder that may be written to",
        original);
  }
}
