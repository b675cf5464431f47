package org.sparkcollectives.spark.internal.rendezvous;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.CommunicatorOptions;
import org.sparkcollectives.spark.internal.conf.Encryption;

/**
 * Messages as bytes: a byte for the form of all of them, one that says which it is, and the
 * record's components in order. Numbers are big-endian, and before whatever has a length stands
 * that as an int, -1 for null. Nothing is read by Java's serialization, which takes a process long
 * when it does so first, and of a stranger's bytes would run what they name.
 */
final class WireCodec {
  /** Another one as soon as any message has other components. */
  private static final int FORM = 7;

  private static final int COMPUTING = 1;
  private static final int JOIN = 2;
  private static final int WATCH = 3;
  private static final int LATE = 4;
  private static final int FAILED = 5;
  private static final int RETURNED = 6;
  private static final int CALLED = 7;
  private static final int PROGRESS = 8;
  private static final int JOINED = 9;
  private static final int GATHERED = 10;
  private static final int IDLE = 11;
  private static final int LISTEN = 12;
  private static final int ABORTED = 13;
  private static final int REPORT = 14;
  private static final int WAIT = 15;
  private static final int OVER = 16;

  private WireCodec() {}

  /** A message's bytes. */
  static byte[] encode(Wire.Message message) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (Writer out = new Writer(bytes)) {
      out.form();
      if (message instanceof Wire.Request request) {
        write(request, out);
      } else {
        write((Wire.Reply) message, out);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /** The message of bytes. */
  static Wire.Message decode(byte[] bytes) {
    try (Reader in = new Reader(bytes)) {
      in.form();
      int kind = in.readByte();
      Wire.Message message = kind < JOINED ? request(kind, in) : reply(kind, in);
      if (in.available() > 0) {
        throw new IOException("it ends " + in.available() + " bytes before its bytes do");
      }
      return message;
    } catch (IOException | IllegalArgumentException e) {
      throw new IllegalStateException("a message between rank and driver cannot be read", e);
    }
  }

  private static void write(Wire.Request request, Writer out) throws IOException {
    if (request instanceof Wire.Computing started) {
      out.head(COMPUTING, started, started.rank());
      out.writeInt(started.stage());
      out.writeLong(started.nanos());
    } else if (request instanceof Wire.Join join) {
      out.head(JOIN, join, join.rank());
      out.writeInt(join.stage());
      out.member(join.member());
      out.shapes(join.shapes());
      out.bytes(join.operand());
      out.writeLong(join.knows());
    } else if (request instanceof Wire.Watch watch) {
      out.head(WATCH, watch, watch.rank());
      out.writeLong(watch.computingNanos());
    } else if (request instanceof Wire.Late late) {
      out.head(LATE, late, late.rank());
    } else if (request instanceof Wire.Failed failed) {
      out.head(FAILED, failed, failed.rank());
      out.text(failed.where());
      out.text(failed.severity().name());
      out.text(failed.text());
      out.bytes(failed.exception());
    } else if (request instanceof Wire.Returned returned) {
      out.head(RETURNED, returned, returned.rank());
      out.writeLong(returned.operations());
    } else if (request instanceof Wire.Called called) {
      out.head(CALLED, called, called.rank());
      out.calls(called.calls());
    } else {
      Wire.Progress progress = (Wire.Progress) request;
      out.head(PROGRESS, progress, progress.rank());
      out.text(progress.text());
    }
  }

  private static Wire.Request request(int kind, Reader in) throws IOException {
    long job = in.readLong();
    int epoch = in.readInt();
    int rank = in.readInt();
    return switch (kind) {
      case COMPUTING -> new Wire.Computing(job, epoch, rank, in.readInt(), in.readLong());
      case JOIN ->
          new Wire.Join(
              job, epoch, rank, in.readInt(), in.member(), in.shapes(), in.bytes(), in.readLong());
      case WATCH -> new Wire.Watch(job, epoch, rank, in.readLong());
      case LATE -> new Wire.Late(job, epoch, rank);
      case FAILED ->
          new Wire.Failed(
              job, epoch, rank, in.text(), Wire.Severity.valueOf(in.text()), in.text(), in.bytes());
      case RETURNED -> new Wire.Returned(job, epoch, rank, in.readLong());
      case CALLED -> new Wire.Called(job, epoch, rank, in.calls());
      case PROGRESS -> new Wire.Progress(job, epoch, rank, in.text());
      default -> throw new IOException("there is no request " + kind);
    };
  }

  private static void write(Wire.Reply reply, Writer out) throws IOException {
    if (reply instanceof Wire.Joined joined) {
      out.writeByte(JOINED);
      out.bytes(joined.salt());
      out.writeInt(joined.rank());
      out.writeLong(joined.version());
      out.told(joined.told());
      out.writeBoolean(joined.sparse());
      out.text(joined.encryption().name());
    } else if (reply instanceof Wire.Gathered gathered) {
      out.writeByte(GATHERED);
      out.writeInt(gathered.operands().size());
      for (byte[] operand : gathered.operands()) {
        out.bytes(operand);
      }
    } else if (reply instanceof Wire.Aborted aborted) {
      out.writeByte(ABORTED);
      out.text(aborted.where());
      out.text(aborted.text());
    } else if (reply instanceof Wire.Idle) {
      out.writeByte(IDLE);
    } else if (reply instanceof Wire.Listen) {
      out.writeByte(LISTEN);
    } else if (reply instanceof Wire.Report) {
      out.writeByte(REPORT);
    } else if (reply instanceof Wire.Wait) {
      out.writeByte(WAIT);
    } else {
      out.writeByte(OVER);
    }
  }

  private static Wire.Reply reply(int kind, Reader in) throws IOException {
    return switch (kind) {
      case JOINED ->
          new Wire.Joined(
              in.present(),
              in.readInt(),
              in.readLong(),
              in.told(),
              in.readBoolean(),
              Encryption.valueOf(in.text()));
      case GATHERED -> {
        List<byte[]> operands = new ArrayList<>();
        for (int left = in.presentCount(); left > 0; left--) {
          operands.add(in.present());
        }
        yield new Wire.Gathered(operands);
      }
      case IDLE -> new Wire.Idle();
      case LISTEN -> new Wire.Listen();
      case ABORTED -> new Wire.Aborted(in.text(), in.text());
      case REPORT -> new Wire.Report();
      case WAIT -> new Wire.Wait();
      case OVER -> new Wire.Over();
      default -> throw new IOException("there is no reply " + kind);
    };
  }

  /** Writes components. */
  static final class Writer extends DataOutputStream {
    Writer(ByteArrayOutputStream bytes) {
      super(bytes);
    }

    void form() throws IOException {
      writeByte(FORM);
    }

    void head(int kind, Wire.Request request, int rank) throws IOException {
      writeByte(kind);
      writeLong(request.job());
      writeInt(request.epoch());
      writeInt(rank);
    }

    void bytes(byte @Nullable [] value) throws IOException {
      writeInt(value == null ? -1 : value.length);
      if (value != null) {
        write(value);
      }
    }

    void text(String value) throws IOException {
      bytes(value.getBytes(StandardCharsets.UTF_8));
    }

    void member(Wire.Member member) throws IOException {
      text(member.endpoint());
      text(member.host());
      writeInt(member.port());
      text(member.node());
      text(member.label());
    }

    void told(Wire.@Nullable Told told) throws IOException {
      bytes(told == null ? null : told.bytes());
      writeBoolean(told != null && told.handedOut());
    }

    void shapes(@Nullable List<Shape> shapes) throws IOException {
      writeInt(shapes == null ? -1 : shapes.size());
      if (shapes != null) {
        for (Shape shape : shapes) {
          writeInt(shape.partition());
          text(shape.type());
          writeInt(shape.length());
          writeLong(shape.bytes());
          writeBoolean(shape.sparse());
        }
      }
    }

    void calls(List<CommunicatorOptions.Call> calls) throws IOException {
      writeInt(calls.size());
      for (CommunicatorOptions.Call call : calls) {
        writeLong(call.communicator());
        writeLong(call.number());
        writeInt(call.fingerprint());
        text(call.rank());
        text(call.what());
      }
    }
  }

  /** Reads components; no length makes it allocate more than there are bytes. */
  static final class Reader extends DataInputStream {
    Reader(byte[] bytes) {
      super(new ByteArrayInputStream(bytes));
    }

    void form() throws IOException {
      int form = readByte();
      if (form != FORM) {
        throw new IOException(
            "it has form "
                + form
                + " and not "
                + FORM
                + ": give driver and executors the same version of the library");
      }
    }

    int count() throws IOException {
      int count = readInt();
      if (count < -1 || count > available()) {
        throw new IOException("a length of " + count + ", of which " + available() + " are left");
      }
      return count;
    }

    int presentCount() throws IOException {
      int count = count();
      if (count < 0) {
        throw new IOException("a list is missing");
      }
      return count;
    }

    byte @Nullable [] bytes() throws IOException {
      int count = count();
      return count < 0 ? null : readNBytes(count);
    }

    byte[] present() throws IOException {
      byte[] value = bytes();
      if (value == null) {
        throw new IOException("a value is missing");
      }
      return value;
    }

    String text() throws IOException {
      return new String(present(), StandardCharsets.UTF_8);
    }

    Wire.Member member() throws IOException {
      return new Wire.Member(text(), text(), readInt(), text(), text());
    }

    Wire.@Nullable Told told() throws IOException {
      byte[] bytes = bytes();
      boolean handedOut = readBoolean();
      return bytes == null ? null : new Wire.Told(bytes, handedOut);
    }

    @Nullable List<Shape> shapes() throws IOException {
      int count = count();
      if (count < 0) {
        return null;
      }
      List<Shape> shapes = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        shapes.add(new Shape(readInt(), text(), readInt(), readLong(), readBoolean()));
      }
      return shapes;
    }

    List<CommunicatorOptions.Call> calls() throws IOException {
      List<CommunicatorOptions.Call> calls = new ArrayList<>();
      for (int left = presentCount(); left > 0; left--) {
        calls.add(new CommunicatorOptions.Call(readLong(), readLong(), readInt(), text(), text()));
      }
      return calls;
    }
  }
}
