package org.sparkcollectives.internal.engine;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.vector.FixedVector;
import org.sparkcollectives.internal.vector.NumberViews;
import org.sparkcollectives.internal.vector.ObjectVector;
import org.sparkcollectives.internal.vector.Vector;
import org.sparkcollectives.transport.Link;

/**
 * The stream of an operation's stages. A message is combined piece by piece as it arrives: from the
 * socket into a direct buffer, or where it lies in memory from there, into a staging vector, as
 * much as fits the first-level cache, from there into the result. What a pending send still has to
 * read is never overwritten.
 */
final class Receiver {
  private static final int SHORT_BYTES = 4096;

  /** The most bytes of objects in a message: what an array can have. */
  private static final long MOST_OBJECT_BYTES = Integer.MAX_VALUE - 8;

  /** What objects are given before any of their bytes have come. */
  private static final int FIRST_OBJECT_BYTES = 1 << 16;

  private final Streams streams;
  private final Operation operation;
  private final Link[] links;
  private final ByteBuffer in;
  private final Vector staging;
  private final int pieceElements;
  private final int elementBytes;
  private final int width;
  private final int tupleBytes;

  private Program.@Nullable Stage current;
  private boolean headerRead;

  /** Bytes of the message that have still to be read. */
  private long payloadLeft;

  /** Bytes in the buffer that are of the pieces after this one. */
  private int ahead;

  /** What {@link #laterPieces} has found for the stage, or -1. */
  private long later = -1;

  private @Nullable ByteBuffer objects;
  private int position;
  private int end;
  private int block;
  private @Nullable Link waiting;

  Receiver(Streams streams, Link[] links, boolean copying) {
    this.streams = streams;
    this.operation = streams.operation;
    this.links = links;
    this.width = operation.width();
    this.elementBytes = operation.vector().type().bytes();
    this.tupleBytes = elementBytes * width;
    Vector vector = operation.vector();
    boolean numbers = vector instanceof FixedVector;
    this.in = streams.memory.in(copying && numbers, Math.max(1, elementBytes) * width);
    this.pieceElements = numbers ? Memory.pieceElements(vector.type(), width) : 0;
    this.staging = numbers ? streams.memory.staging(vector, width, operation.op() != null) : vector;
  }

  boolean done() {
    return streams.stagesDone == operation.program().stages().size();
  }

  /** The link whose bytes are waited for, or null. */
  @Nullable Link waiting() {
    return waiting;
  }

  /** Whether the little that is left of a message, or a short one as a whole, is waited for. */
  boolean waitsForShortMessage() {
    return waiting != null && payloadLeft <= SHORT_BYTES;
  }

  /** The stage under way, or the next one; null at the end. */
  Program.@Nullable Stage stage() {
    return current != null || done()
        ? current
        : operation.program().stages().get(streams.stagesDone);
  }

  /**
   * Goes on by at most one buffer.
   *
   * @return whether anything was done
   */
  boolean advance() throws IOException, MessageHeader.MismatchException {
    waiting = null;
    Program.Stage stage = current;
    if (stage == null) {
      if (done()) {
        return false;
      }
      stage = operation.program().stages().get(streams.stagesDone);
      start(stage);
    }
    if (stage.peer() < 0) {
      return finish(stage);
    }
    boolean progress = read(stage);
    if (headerRead) {
      progress |= objects != null ? applyObjects(stage) : apply(stage);
      boolean complete = payloadLeft == 0 && in.remaining() == ahead && objects == null;
      if (complete) {
        waiting = null;
        return finish(stage) || progress;
      }
    }
    return progress;
  }

  private void start(Program.Stage stage) {
    current = stage;
    headerRead = false;
    block = stage.from();
    boolean receives = stage.peer() >= 0;
    position = receives ? streams.layout.start(stage.from()) : 0;
    end = receives ? streams.layout.end(stage.from(), stage.to()) : 0;
    if (ahead == 0) {
      in.clear().limit(0);
    }
    ahead = 0;
    later = -1;
    payloadLeft = (long) (end - position) * elementBytes;
  }

  private boolean finish(Program.Stage stage) {
    if (streams.sendsDone < stage.restAfterSends()) {
      return false;
    }
    List<Program.Step> rest = stage.rest();
    for (int i = 0; i < rest.size(); i++) {
      streams.run(rest.get(i), staging);
    }
    current = null;
    streams.stagesDone++;
    return true;
  }

  // ---- bytes -----------------------------------------------------------------------------------

  private boolean read(Program.Stage stage) throws IOException, MessageHeader.MismatchException {
    if (headerRead && payloadLeft == 0) {
      return false;
    }
    if (!headerRead && in.remaining() >= MessageHeader.BYTES) {
      readHeader(stage); // it came with the piece before
      return true;
    }
    Link link = links[stage.peer()];
    boolean piecewise = objects == null;
    ByteBuffer target = objects == null ? in : room(objects);
    if (piecewise) {
      if (in.remaining() == in.capacity()) {
        return false;
      }
      append();
      long wanted = headerRead ? in.position() + payloadLeft : MessageHeader.BYTES + payloadLeft;
      wanted += link.inPlace() ? 0 : laterPieces(stage);
      in.limit((int) Math.min(in.capacity(), wanted));
    }
    if (piecewise && link.inPlace()) {
      int most = headerRead ? tupleBytes : MessageHeader.BYTES;
      if (headerRead && in.position() == 0 && link.held().remaining() >= tupleBytes) {
        in.flip();
        return false; // used in place
      }
      in.limit(Math.min(in.limit(), most));
    }
    boolean room = target.hasRemaining();
    int got = room ? link.read(target) : 0;
    if (piecewise) {
      in.flip();
    }
    if (got < 0) {
      throw new EOFException(
          link.inPlace()
              ? "the peer has left the communicator, or its process has ended"
              : "the peer closed the connection");
    }
    if (got == 0 && room) {
      waiting = link;
    }
    if (headerRead) {
      take(got);
    } else {
      readHeader(stage);
    }
    return got > 0;
  }

  /**
   * Makes the buffer ready for more bytes. Those of a wide tuple, which gathers over many reads,
   * stay where they are: moved at every read they would take time in the square of its width.
   */
  private void append() {
    if (in.position() == 0) {
      int size = in.limit();
      in.clear().position(size);
    } else {
      in.compact();
    }
  }

  /** Objects, with room for more of those that are announced: as much as has come already. */
  private ByteBuffer room(ByteBuffer arrived) {
    if (arrived.hasRemaining() || payloadLeft == 0) {
      return arrived;
    }
    int size = arrived.position();
    int capacity = (int) Math.min(size + payloadLeft, 2L * size);
    ByteBuffer larger =
        ByteBuffer.allocate(capacity).order(ByteOrder.LITTLE_ENDIAN).put(arrived.flip());
    objects = larger;
    return larger;
  }

  /** Reads the header once all of it is there. */
  private void readHeader(Program.Stage stage) throws IOException, MessageHeader.MismatchException {
    if (MessageHeader.saysReturned(in)) {
      throw new EOFException("the peer has left the communicator");
    }
    if (in.remaining() < MessageHeader.BYTES) {
      return;
    }
    long payload = MessageHeader.read(in, operation, stage.round());
    headerRead = true;
    streams.receivedBytes += payload;
    streams.stagesBegun = streams.stagesDone + 1;
    if (operation.vector() instanceof ObjectVector) {
      if (payload > MOST_OBJECT_BYTES || payload < (long) (end - position) * Integer.BYTES) {
        throw new IOException(
            "a message claims " + payload + " bytes for " + (end - position) + " objects");
      }
      payloadLeft = payload;
      objects =
          ByteBuffer.allocate((int) Math.min(payload, FIRST_OBJECT_BYTES))
              .order(ByteOrder.LITTLE_ENDIAN);
    } else if (payload != payloadLeft) {
      throw new MessageHeader.MismatchException(
          "the same with a block or part of another size ("
              + payload
              + " bytes, not "
              + payloadLeft
              + ")",
          false);
    } else {
      take(in.remaining());
    }
  }

  /** So many bytes more have been read, of this piece and then of later ones. */
  private void take(int bytes) {
    int own = (int) Math.min(bytes, payloadLeft);
    payloadLeft -= own;
    ahead += bytes - own;
  }

  /**
   * The bytes of the pieces of the same message after a stage's, which come next on the link and
   * may be read with it, as far as the buffer holds them; of objects nobody knows.
   */
  private long laterPieces(Program.Stage stage) {
    if (!(operation.vector() instanceof FixedVector)) {
      return 0;
    }
    if (later >= 0) {
      return later;
    }
    List<Program.Stage> stages = operation.program().stages();
    long bytes = 0;
    for (int i = streams.stagesDone + 1; i < stages.size() && bytes < in.capacity(); i++) {
      Program.Stage next = stages.get(i);
      if (next.peer() != stage.peer() || next.round() != stage.round()) {
        break;
      }
      int elements = streams.layout.end(next.from(), next.to()) - streams.layout.start(next.from());
      bytes += MessageHeader.BYTES + (long) elements * elementBytes;
    }
    later = bytes;
    return bytes;
  }

  // ---- elements --------------------------------------------------------------------------------

  /** What may be written now: positions below the result. */
  private int writable(Program.Stage stage) {
    if (streams.sendsDone < stage.afterSends()) {
      return position;
    }
    int missing = stage.followedSend() - streams.sendsDone;
    if (missing <= 0) {
      return end;
    }
    return missing == 1 ? Math.min(end, streams.sentBelow / width * width) : position;
  }

  /** Uses what has arrived: what was copied, or, of a link in place, what lies there. */
  private boolean apply(Program.Stage stage) throws IOException {
    boolean progress = apply(stage, in);
    Link link = links[stage.peer()];
    if (payloadLeft > 0 && !in.hasRemaining() && link.inPlace()) {
      ByteBuffer held = link.held();
      int from = held.position();
      if (held.remaining() > payloadLeft) {
        held.limit(from + (int) payloadLeft);
      }
      progress |= apply(stage, held);
      int used = held.position() - from;
      if (used > 0) {
        link.consumed(used);
        payloadLeft -= used;
      }
    }
    return progress;
  }

  private boolean apply(Program.Stage stage, ByteBuffer arrived) {
    boolean progress = false;
    int limit = writable(stage);
    while (position < limit && arrived.remaining() >= tupleBytes) {
      int count = Math.min(limit - position, arrived.remaining() / tupleBytes * width);
      if (stage.inCells()) {
        int next = streams.layout.end(block);
        if (position == next) {
          block++;
          continue;
        }
        count = Math.min(count, next - position);
      }
      Storage store = stage.store();
      boolean direct = store != null && !store.inCells();
      if (!direct) {
        count = Math.min(count, pieceElements);
      }
      applyPiece(stage, arrived, count, direct);
      position += count;
      progress = true;
    }
    return progress;
  }

  private void applyPiece(Program.Stage stage, ByteBuffer arrived, int count, boolean direct) {
    NumberViews views = streams.memory.viewsOfSource(arrived, stage.peer());
    int staged = direct ? 0 : stagingIndex(stage, count);
    if (direct) {
      int at = position + streams.layout.shift(block);
      ((FixedVector) operation.vector(block)).decode(arrived, at, count, views);
    } else {
      ((FixedVector) staging).decode(arrived, staged, count, views);
      Storage store = stage.store();
      if (store != null) {
        Vector cell = streams.vector(store, block, staging);
        cell.copy(staging, staged, streams.index(store, block, position, position), count);
      }
    }
    List<Program.Step> fused = stage.fused();
    for (int i = 0; i < fused.size(); i++) {
      streams.run(fused.get(i), block, position, count, staging, position - staged);
    }
  }

  /** Where a piece goes in the staging vector: where the first step writes it to, if that fits. */
  private int stagingIndex(Program.Stage stage, int count) {
    if (stage.fused().isEmpty()) {
      return 0;
    }
    int index = streams.index(stage.fused().get(0).dst(), block, position, position);
    return index + count <= staging.length() ? index : 0;
  }

  private boolean applyObjects(Program.Stage stage) throws IOException {
    if (payloadLeft > 0 || objects == null || writable(stage) < end) {
      return false;
    }
    boolean usedOnce = stage.store() == null && stage.fused().size() == 1;
    ObjectVector received = ((ObjectVector) operation.vector()).staging(end - position, usedOnce);
    received.deserialize(objects.flip(), 0, end - position);
    objects = null;
    for (int b = stage.from(); b < stage.to(); b++) {
      int from = streams.layout.start(b);
      int count = streams.layout.length(b);
      Storage store = stage.store();
      if (store != null) {
        ObjectVector target = (ObjectVector) streams.vector(store, b, received);
        int at = streams.index(store, b, from, from);
        if (stage.fused().isEmpty()) {
          target.refer(received, from - position, at, count);
        } else {
          target.copy(received, from - position, at, count);
        }
      }
      for (Program.Step step : stage.fused()) {
        streams.run(step, b, from, count, received, position);
      }
    }
    position = end;
    return true;
  }
}
