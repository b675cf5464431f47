package org.sparkcollectives.internal.transport.shared;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkcollectives.internal.transport.CarrierProvider;
import org.sparkcollectives.internal.transport.ring.ByteRing;

final class SharedRingsTest {
  private static final int PAGE = 4096;

  @TempDir Path folder;

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.toList();
    }
  }

  private static byte[] take(ByteRing ring) throws IOException {
    ByteBuffer target = ByteBuffer.allocate(100);
    byte[] bytes = new byte[ring.read(target)];
    target.get(0, bytes);
    return bytes;
  }

  @Test
  void eachSideReadsWhatTheOtherWrites() throws IOException {
    SharedRings creator = SharedRings.create(folder, 8192);
    SharedRings opener = SharedRings.open(folder, creator.name());
    assertTrue(creator.isEmpty() && opener.isEmpty());
    creator.outbound().write(ByteBuffer.wrap(new byte[] {1, 2, 3}));
    assertFalse(creator.isEmpty() || opener.isEmpty());
    opener.outbound().write(ByteBuffer.wrap(new byte[] {4, 5}));
    assertArrayEquals(new byte[] {1, 2, 3}, take(opener.inbound()));
    assertFalse(creator.isEmpty() || opener.isEmpty());
    assertArrayEquals(new byte[] {4, 5}, take(creator.inbound()));
    assertTrue(creator.isEmpty() && opener.isEmpty());

    assertTrue(opener.inbound().readerSleeps());
    assertTrue(creator.outbound().wakesReader());
    assertFalse(creator.outbound().wakesReader());
    ByteBuffer much = ByteBuffer.allocateDirect(10_000);
    assertEquals(8192, creator.outbound().write(much));
    assertTrue(creator.outbound().writerSleeps());
    assertTrue(opener.inbound().wakesWriter());
    assertEquals(100, take(opener.inbound()).length);
    assertEquals(100, creator.outbound().write(much));
  }

  @Test
  void theFileIsItsOwnersAloneAndItsNameGoesWhenItIsOpened() throws IOException {
    SharedRings creator = SharedRings.create(folder, 8192);
    Path file = folder.resolve("spark-collectives-" + HexFormat.of().formatHex(creator.name()));
    assertEquals(List.of(file), files());
    assertEquals(2 * (PAGE + 8192), Files.size(file));
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
    SharedRings.open(folder, creator.name());
    assertEquals(List.of(), files());
    assertTrue(creator.withdraw());
    assertThrows(NoSuchFileException.class, () -> SharedRings.open(folder, creator.name()));
    assertNotEquals(
        HexFormat.of().formatHex(creator.name()),
        HexFormat.of().formatHex(SharedRings.create(folder, 8192).name()));
  }

  @Test
  void aFileOfAnotherUserIsNotOpened() throws IOException {
    SharedRings creator = SharedRings.create(folder, 8192);
    Path file = files().get(0);
    int own = (Integer) Files.getAttribute(file, "unix:uid");
    IOException refused =
        assertThrows(IOException.class, () -> SharedRings.open(folder, creator.name(), own + 1));
    assertTrue(refused.getMessage().contains("belongs to another user"), refused.getMessage());
    assertEquals(List.of(file), files());
    assertArrayEquals(creator.name(), SharedRings.open(folder, creator.name()).name());
  }

  @Test
  void aNameThatNobodyOpensCanBeTakenBack() throws IOException {
    SharedRings rings = SharedRings.create(folder, 8192);
    assertTrue(rings.withdraw());
    assertTrue(rings.withdraw());
    assertEquals(List.of(), files());
  }

  @Test
  void aRingHasAPageAtLeast() throws IOException {
    SharedRings creator = SharedRings.create(folder, 16);
    SharedRings opener = SharedRings.open(folder, creator.name());
    assertEquals(PAGE, creator.outbound().write(ByteBuffer.allocate(PAGE + 1)));
    assertEquals(PAGE, opener.inbound().read(ByteBuffer.allocate(PAGE + 1)));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 1, PAGE, 2 * PAGE, 2 * (PAGE + 2048), 2 * (PAGE + 6000), 16_385})
  void aFileOfAnotherSizeIsNone(long size) throws IOException {
    byte[] name = new byte[CarrierProvider.NAME_BYTES];
    Path file = folder.resolve("spark-collectives-" + HexFormat.of().formatHex(name));
    Files.write(file, new byte[(int) size]);
    IOException failure = assertThrows(IOException.class, () -> SharedRings.open(folder, name));
    assertTrue(failure.getMessage().contains(size + " bytes"), failure.getMessage());
  }

  @Test
  void whatCannotBeMadeLeavesNothing() throws Exception {
    Path missing = folder.resolve("missing");
    assertThrows(IOException.class, () -> SharedRings.create(missing, 8192));
    assertThrows(IOException.class, () -> SharedRings.open(missing, new byte[16]));
    assertThrows(IllegalArgumentException.class, () -> SharedRings.open(folder, new byte[15]));
    Thread.currentThread().interrupt(); // fails the first write
    assertThrows(IOException.class, () -> SharedRings.create(folder, 8192));
    assertTrue(Thread.interrupted());
    assertEquals(List.of(), files());
  }

  /** Another process, which adds one to every byte that comes and sends it back. */
  static final class Echo {
    private Echo() {}

    /**
     * Runs the process.
     *
     * @param args folder, name in hexadecimal digits, number of bytes
     * @throws IOException if the rings cannot be opened
     */
    public static void main(String[] args) throws IOException {
      SharedRings rings = SharedRings.open(Path.of(args[0]), HexFormat.of().parseHex(args[1]));
      ByteBuffer piece = ByteBuffer.allocate(1000);
      for (int left = Integer.parseInt(args[2]); left > 0; ) {
        left -= rings.inbound().read(piece.clear());
        piece.flip();
        for (int i = 0; i < piece.limit(); i++) {
          piece.put(i, (byte) (piece.get(i) + 1));
        }
        while (piece.hasRemaining()) {
          rings.outbound().write(piece);
        }
      }
    }
  }

  @Test
  void twoProcessesSeeEachOthersBytes() throws Exception {
    int bytes = 300_000;
    SharedRings rings = SharedRings.create(folder, PAGE);
    Process echo =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx32m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Echo.class.getName(),
                folder.toString(),
                HexFormat.of().formatHex(rings.name()),
                String.valueOf(bytes))
            .inheritIO()
            .start();
    try {
      ByteBuffer outgoing = ByteBuffer.allocate(bytes);
      ByteBuffer incoming = ByteBuffer.allocate(bytes);
      for (int i = 0; i < bytes; i++) {
        outgoing.put(i, (byte) (i * 7 + i / 256));
      }
      long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
      while (incoming.hasRemaining()) {
        if (rings.outbound().write(outgoing) + rings.inbound().read(incoming) == 0) {
          assertTrue(echo.isAlive() || !rings.inbound().isEmpty(), "the other process has ended");
          assertTrue(System.nanoTime() < end, incoming.toString());
          Thread.sleep(1);
        }
      }
      assertTrue(echo.waitFor(60, TimeUnit.SECONDS));
      assertEquals(0, echo.exitValue());
      for (int i = 0; i < bytes; i++) {
        assertEquals((byte) (outgoing.get(i) + 1), incoming.get(i));
      }
      assertEquals(List.of(), files());
    } finally {
      echo.destroyForcibly();
    }
  }
}
