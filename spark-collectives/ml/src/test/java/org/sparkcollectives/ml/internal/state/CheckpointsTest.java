package org.sparkcollectives.ml.internal.state;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serial;
import java.io.Serializable;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkcollectives.ml.internal.bridge.JavaBytes;
import org.sparkcollectives.testing.FailingDisk;

/** States that are large, and folders that cannot be had. */
@Timeout(120)
class CheckpointsTest {
  private static final int MEBIBYTE = 1 << 20;

  @TempDir private Path folder;
  private Checkpoints states;

  /** It has more bytes than an array. */
  private static final class Endless implements Serializable {
    @Serial private static final long serialVersionUID = 1L;

    @Serial
    private void writeObject(ObjectOutputStream out) throws IOException {
      byte[] some = new byte[MEBIBYTE];
      for (int i = 0; i <= JavaBytes.MOST / MEBIBYTE; i++) {
        out.write(some);
      }
    }
  }

  @BeforeEach
  void begin() {
    states = new Checkpoints(folder.toUri().toString(), 1, new Configuration());
  }

  @Test
  @Tag("plain-jvm")
  void aStateIsWrittenAsAStreamAndReadIntoOneArray() throws Exception {
    states.write(1, "loads what is needed");
    states.read(requireNonNull(states.newest(9)));
    double[] state = new double[4 * MEBIBYTE];
    Arrays.setAll(state, i -> i);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    states.write(2, state);
    long written = threads.getCurrentThreadAllocatedBytes() - before;
    byte[] read = states.read(requireNonNull(states.newest(9)));
    long both = threads.getCurrentThreadAllocatedBytes() - before;
    assertTrue(written < 8L * MEBIBYTE, written + " bytes to write");
    assertTrue(both < 48L * MEBIBYTE, both + " bytes to write and read");
    assertArrayEquals(state, (double[]) JavaBytes.read(read));
  }

  @Test
  void aStateThatNoArrayHoldsLeavesTheOneBefore() {
    states.write(1, "small");
    states.write(2, new Endless());
    assertEquals(1, requireNonNull(states.newest(9)).iteration());
    assertEquals(0, SentState.of("some training", new Endless()).length);
  }

  /** It can be measured, and fails when it is written. */
  private static final class Failing implements Serializable {
    @Serial private static final long serialVersionUID = 1L;
    private transient int times;

    @Serial
    private void writeObject(ObjectOutputStream out) throws IOException {
      if (times++ > 0) {
        throw new IOException("the second time");
      }
      out.writeInt(1);
    }
  }

  @Test
  void aStateThatCannotBeWrittenLeavesTheOneOfItsName() throws Exception {
    states.write(1, "small");
    states.write(1, new Failing());
    assertEquals("small", JavaBytes.read(states.read(requireNonNull(states.newest(9)))));
    states.write(1, "another");
    assertEquals("another", JavaBytes.read(states.read(requireNonNull(states.newest(9)))));
  }

  @Test
  void aRelativeFolderIsThatOfWhoNamedIt() {
    Path here = Path.of("").toAbsolutePath().resolve("states");
    String named = new Checkpoints("states", 1, new Configuration()).toString();
    assertEquals(here, Path.of(URI.create(named)));
  }

  /** It fails as Hadoop's own does whose host has no address. */
  static final class Nowhere extends RawLocalFileSystem {
    @Override
    public void initialize(URI uri, Configuration configuration) {
      throw new IllegalArgumentException(new UnknownHostException(uri.getHost()));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"s3a://bucket/states", "nowhere://host/states"})
  void aFileSystemThatCannotBeHadEndsNothing(String path) {
    Configuration configuration = new Configuration();
    configuration.setClass("fs.nowhere.impl", Nowhere.class, FileSystem.class);
    Checkpoints lost = new Checkpoints(path, 1, configuration);
    Checkpoints.Found found = lost.at(1, 2);
    assertNull(lost.newest(9));
    lost.write(1, "small");
    assertFalse(lost.writePart(1, 2, 0, List.of(new double[1])));
    assertEquals(0, lost.read(found).length);
    lost.judged("some training", found, false);
    assertThrows(IOException.class, () -> lost.readPart(found, 0));
  }

  @Test
  void aDiskThatFailsEndsNothing() throws Exception {
    List<double[]> part = List.of(new double[] {7});
    states.write(1, "small");
    assertTrue(states.writePart(2, 2, 0, part));
    states.write(2, 2, "small");
    Checkpoints failing =
        new Checkpoints(folder.toUri().toString(), 1, FailingDisk.configuration());
    assertNull(failing.newest(9));
    assertEquals(0, failing.read(failing.at(1, 0)).length);
    Checkpoints.Found divided = failing.at(2, 2);
    String message =
        assertThrows(IOException.class, () -> failing.readPart(divided, 0)).getMessage();
    assertEquals("Stream Closed", message);
    failing.write(3, "small");
    assertFalse(failing.writePart(3, 2, 0, part));
    assertEquals(divided, states.newest(9));
    assertEquals(7, states.readPart(divided, 0)[0][0]);
  }
}
