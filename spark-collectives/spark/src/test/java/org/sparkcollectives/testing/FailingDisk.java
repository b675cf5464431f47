package org.sparkcollectives.testing;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.OutputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.apache.hadoop.fs.permission.FsPermission;

/**
 * Hadoop's local file system on a disk that fails whenever bytes are read or written, of which
 * Hadoop makes an {@link org.apache.hadoop.fs.FSError}, as it does where a disk is full.
 */
public final class FailingDisk extends RawLocalFileSystem {

  /** For Hadoop, which makes one by its name. */
  public FailingDisk() {}

  /**
   * A configuration by which local files are on it.
   *
   * @return a new one
   */
  public static Configuration configuration() {
    Configuration configuration = new Configuration();
    configuration.setClass("fs.file.impl", FailingDisk.class, FileSystem.class);
    configuration.setBoolean("fs.file.impl.disable.cache", true); // which others share
    return configuration;
  }

  @Override
  public FSDataInputStream open(Path file, int bufferSize) throws IOException {
    FSDataInputStream in = super.open(file, bufferSize);
    new FileInputStream(in.getFileDescriptor()).close(); // behind its back
    return in;
  }

  @Override
  protected OutputStream createOutputStreamWithMode(
      Path file, boolean append, FsPermission permission) throws IOException {
    OutputStream out = super.createOutputStreamWithMode(file, append, permission);
    out.close();
    return out;
  }
}
