package org.sparkcollectives.spark.internal.rendezvous;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.Serial;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.sparkcollectives.CommunicatorOptions;
import org.sparkcollectives.spark.internal.conf.Encryption;

/** Messages between ranks and driver, as bytes. */
class WireTest {
  private static final String TEXT = "größer als 64 KiB: " + "x".repeat(1 << 17);

  private static List<Wire.Message> messages() {
    Wire.Member member = new Wire.Member("process", "host", 7077, "node", "executor 3");
    return List.of(
        new Wire.Computing(1L << 40, 2, 3, 4, 1L << 33),
        new Wire.Join(
            1,
            2,
            3,
            4,
            member,
            List.of(new Shape(5, "double[]", 6, 48, true), new Shape(7, "object", -1, 0, false)),
            new byte[] {1, 2},
            -9),
        new Wire.Join(1, 2, 3, 7, member, null, null, Members.NONE),
        new Wire.Watch(1, 2, 3, -1),
        new Wire.Late(1, 2, 3),
        new Wire.Failed(1, 2, 3, "rank 3", Wire.Severity.INPUT_LOST, TEXT, new byte[] {-1}),
        new Wire.Failed(1, 2, 3, "", Wire.Severity.CAUSE, "", null),
        new Wire.Returned(1, 2, 3, 4L << 32),
        new Wire.Called(1, 2, 3, List.of(new CommunicatorOptions.Call(4, 5, 6, "rank 3", "scan"))),
        new Wire.Progress(1, 2, 3, TEXT),
        new Wire.Joined(
            new byte[] {1}, 2, 3, new Wire.Told(new byte[] {4, 5}, false), true, Encryption.TLS),
        new Wire.Joined(
            new byte[] {1}, 2, 3, new Wire.Told(new byte[] {6}, true), true, Encryption.TLS),
        new Wire.Joined(new byte[0], 2, 3, null, false, Encryption.NONE),
        new Wire.Gathered(List.of(new byte[] {1}, new byte[0])),
        new Wire.Idle(),
        new Wire.Listen(),
        new Wire.Aborted("rank 3", TEXT),
        new Wire.Report(),
        new Wire.Wait(),
        new Wire.Over());
  }

  /** Their equality is by hand, and a new component must not be left out of it. */
  @Test
  void membersDifferByEachComponent() {
    List<Wire.Member> members =
        List.of(
            new Wire.Member("process", "host", 1, "node", "executor", "rack"),
            new Wire.Member("other", "host", 1, "node", "executor", "rack"),
            new Wire.Member("process", "other", 1, "node", "executor", "rack"),
            new Wire.Member("process", "host", 2, "node", "executor", "rack"),
            new Wire.Member("process", "host", 1, "other", "executor", "rack"),
            new Wire.Member("process", "host", 1, "node", "other", "rack"),
            new Wire.Member("process", "host", 1, "node", "executor", "other"));
    assertEquals(Wire.Member.class.getRecordComponents().length + 1, members.size());
    assertEquals(members.size(), new HashSet<>(members).size());
    Wire.Member again = new Wire.Member("process", "host", 1, "node", "executor", "rack");
    assertEquals(members.get(0), again);
    assertEquals(members.get(0).hashCode(), again.hashCode());
  }

  /** Arrays in records are compared by their text here. */
  private static String words(Wire.Message message) {
    if (message instanceof Wire.Join join) {
      return join.member()
          + " "
          + join.stage()
          + join.shapes()
          + Arrays.toString(join.operand())
          + join.knows();
    } else if (message instanceof Wire.Failed failed) {
      return failed.where()
          + failed.severity()
          + failed.text()
          + Arrays.toString(failed.exception());
    } else if (message instanceof Wire.Joined joined) {
      return Arrays.toString(joined.salt())
          + joined.rank()
          + joined.version()
          + (joined.told() == null ? null : Arrays.toString(joined.told().bytes()))
          + (joined.told() != null && joined.told().handedOut())
          + joined.sparse()
          + joined.encryption();
    } else if (message instanceof Wire.Gathered gathered) {
      return gathered.operands().stream().map(Arrays::toString).toList().toString();
    }
    return message.toString();
  }

  @Test
  void everyMessageComesAsItWasSent() {
    Set<Class<?>> kinds = new HashSet<>();
    for (Wire.Message sent : messages()) {
      Wire.Message come = Wire.decode(Wire.encode(sent));
      assertEquals(sent.getClass(), come.getClass());
      assertEquals(words(sent), words(come));
      if (sent instanceof Wire.Request request) {
        assertEquals(request.job(), ((Wire.Request) come).job());
        assertEquals(request.epoch(), ((Wire.Request) come).epoch());
      }
      kinds.add(sent.getClass());
    }
    Set<Class<?>> all = new HashSet<>();
    all.addAll(Arrays.asList(Wire.Request.class.getPermittedSubclasses()));
    all.addAll(Arrays.asList(Wire.Reply.class.getPermittedSubclasses()));
    assertEquals(all, kinds);
  }

  @Test
  void bytesThatAreNoMessageAreRefusedWithoutLargeArrays() {
    List<byte[]> wrong = new ArrayList<>();
    for (Wire.Message message : messages()) {
      byte[] whole = Wire.encode(message);
      for (int length : new int[] {0, 1, whole.length / 2, whole.length - 1}) {
        if (length < whole.length) {
          wrong.add(Arrays.copyOf(whole, length));
        }
      }
      wrong.add(Arrays.copyOf(whole, whole.length + 1));
    }
    wrong.add(new byte[] {99});
    byte[] endless = Wire.encode(new Wire.Gathered(List.of()));
    Arrays.fill(endless, 2, 6, (byte) 0x7f); // 2^31 operands
    wrong.add(endless);
    for (byte[] bytes : wrong) {
      assertThrows(IllegalStateException.class, () -> Wire.decode(bytes));
    }
  }

  @Test
  void noBytesDoMoreThanBeRefused() {
    Random random = new Random(20261122);
    List<Wire.Message> messages = messages();
    int refused = 0;
    for (int i = 0; i < 20_000; i++) {
      byte[] bytes = Wire.encode(messages.get(random.nextInt(messages.size())));
      for (int flips = random.nextInt(4); flips >= 0; flips--) {
        bytes[random.nextInt(Math.min(bytes.length, 64))] = (byte) random.nextInt();
      }
      try {
        Wire.decode(bytes);
      } catch (IllegalStateException e) {
        refused++;
      }
    }
    assertTrue(refused > 1000, () -> "only some are refused");
  }

  @Test
  void whatCannotBeWrittenIsNoFailureOfItsOwn() {
    Object[] deep = {};
    for (int depth = 0; depth < 1_000_000; depth++) {
      deep = new Object[] {deep};
    }
    assertNull(Wire.tryEncode(deep));
    assertNull(Wire.tryEncode(new WithoutAClass()));
  }

  /** An object that is written by means of a class that is not there. */
  private static final class WithoutAClass implements Serializable {
    @Serial private static final long serialVersionUID = 1L;

    @Serial
    private Object writeReplace() {
      throw new NoClassDefFoundError("absent");
    }
  }

  @Test
  void whatARankHasLeftComesWithItsReport() {
    List<Shape> shapes = List.of(new Shape(5, "double", 2, 16, false));
    RankReport.Left operand =
        new RankReport.Left("host", "executor 3", 9, shapes, new byte[] {1, 2});
    RankReport.Left nothing = new RankReport.Left("host", "executor 3", 9, List.of(), null);
    for (RankReport.Left left : new RankReport.Left[] {operand, nothing, null}) {
      RankReport report = new RankReport(1, 2, 3, 4, 5, 6, List.of(), left == null, left);
      RankReport come = RankReport.decode(report.encode());
      assertEquals(report.leftResult(), come.leftResult());
      RankReport.Left back = come.left();
      assertEquals(left == null, back == null);
      if (left != null) {
        assertEquals(words(left.join(1, 0, 2)), words(back.join(1, 0, 2)));
        assertEquals(9, back.join(1, 0, 2).stage());
      }
    }
    byte[] other = new RankReport(1, 2, 3, 4, 5, 6, List.of(), false, operand).encode();
    other[0]++;
    UncheckedIOException e =
        assertThrows(UncheckedIOException.class, () -> RankReport.decode(other));
    assertTrue(e.getMessage().contains("the same version of the library"), e.getMessage());
  }
}
