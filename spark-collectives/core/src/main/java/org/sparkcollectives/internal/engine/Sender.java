package org.sparkcollectives.internal.engine;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.vector.FixedVector;
import org.sparkcollectives.internal.vector.NumberViews;
import org.sparkcollectives.internal.vector.ObjectVector;
import org.sparkcollectives.internal.vector.Vector;
import org.sparkcollectives.transport.Link;

/**
 * The stream of an operation's sends: one message after the other, each piece by piece.
 *
 * <p>Two ranks that exchange long messages keep in step: neither sends more than the first bytes
 * before it hears from the other. The other might still be receiving from its peer of the round
 * before, and would receive both at half the rate while two other network cards have nothing to
 * send.
 */
final class Sender {
  /** A message of at most so many times the eager limit is no long one. */
  private static final int LONG = 4;

  /**
   * Up to so many bytes are copied behind their header: to publish a second piece in memory, and to
   * look whether the reader sleeps, takes longer.
   */
  private static final int SHORT_BYTES = 1024;

  private final Streams streams;
  private final Operation operation;
  private final Link[] links;
  private final ByteBuffer header;
  private final ByteBuffer out;
  private final int elementBytes;
  private final int eagerBytes;

  private Program.@Nullable Out current;
  private @Nullable ByteBuffer objects;
  private int position;
  private int end;
  private int block;

  /** Whether the first bytes of a message are still to come, up to the eager limit. */
  private boolean eager;

  private @Nullable Link blocked;

  Sender(Streams streams, Link[] links, boolean copying, int eagerBytes) {
    this.streams = streams;
    this.operation = streams.operation;
    this.links = links;
    this.elementBytes = Math.max(1, operation.vector().type().bytes());
    this.eagerBytes = Math.max(elementBytes, eagerBytes);
    this.header = streams.memory.header();
    boolean all = copying || operation.vector() instanceof ObjectVector;
    this.out = streams.memory.out(all);
  }

  boolean done() {
    return streams.sendsDone == operation.program().sends().size();
  }

  /** The link that has no room for what is to be sent next, or null. */
  @Nullable Link blocked() {
    return blocked;
  }

  /** The message under way, or the next one; null at the end. */
  Program.@Nullable Out message() {
    return current != null || done() ? current : operation.program().sends().get(streams.sendsDone);
  }

  /**
   * Goes on by at most one buffer.
   *
   * @return whether anything was done
   */
  boolean advance() throws IOException {
    blocked = null;
    Program.Out message = current;
    if (message == null) {
      if (done()) {
        return false;
      }
      Program.Out next = operation.program().sends().get(streams.sendsDone);
      if (streams.stagesDone < (isLong(next) ? next.inStep() : next.afterStages())) {
        return false;
      }
      start(next);
      eager = isEager(next);
      message = next;
    }
    Link link = links[message.peer()];
    if (!out.hasRemaining()) {
      if (!header.hasRemaining() && !eager && isEager(message)) {
        blocked = link.flush() ? null : link;
        return false;
      }
      if (link.inPlace() && objects == null && !isShort()) {
        return advance(message, link);
      }
      fill(message, out.clear());
      addPieces(message);
      out.flip();
    }
    long written = header.hasRemaining() ? link.write(header, out) : link.write(out);
    boolean all = !header.hasRemaining() && !out.hasRemaining() && !more();
    if (all && link.flush()) {
      complete();
      return true;
    }
    if (all || written == 0) {
      blocked = link;
    }
    return written > 0;
  }

  /**
   * Puts further pieces of the same message, each with its header, behind the one that the buffer
   * holds to its end, as long as they are ready and fit: a write for each would take longer than
   * what it sends. A piece counts as sent once it is in the buffer, as one of a single write does.
   */
  private void addPieces(Program.Out first) {
    List<Program.Out> sends = operation.program().sends();
    while (objects == null && !more() && streams.sendsDone + 1 < sends.size()) {
      Program.Out next = sends.get(streams.sendsDone + 1);
      boolean follows =
          next.peer() == first.peer()
              && next.round() == first.round()
              && streams.stagesDone >= next.afterStages()
              && MessageHeader.BYTES + payloadBytes(next) <= out.remaining()
              && !isLong(next);
      if (!follows) {
        return;
      }
      streams.sendsDone++;
      begin(next);
      MessageHeader.write(out, operation, next.round(), payloadBytes(next));
      streams.sentBytes += payloadBytes(next);
      fill(next, out);
    }
  }

  /** Goes on by at most one piece, whose bytes are made in place. */
  private boolean advance(Program.Out message, Link link) throws IOException {
    if (header.hasRemaining()) {
      if (link.write(header) == 0) {
        blocked = link;
        return false;
      }
      if (!header.hasRemaining() && !more()) {
        complete();
      }
      return true;
    }
    ByteBuffer room = link.room();
    if (!room.hasRemaining()) {
      blocked = link;
      return false;
    }
    int from = room.position();
    if (room.remaining() >= elementBytes) {
      fill(message, room);
      link.wrote(room.position() - from);
    } else { // an element lies across the memory's end
      fill(message, out.clear().limit(elementBytes));
      out.flip();
      return true;
    }
    if (!more()) {
      complete();
    }
    return true;
  }

  /** Whether nothing has been sent of a message that is better copied than sent in two pieces. */
  private boolean isShort() {
    return header.remaining() == MessageHeader.BYTES
        && (end - position) * (long) elementBytes <= SHORT_BYTES;
  }

  /** Whether the peer may still be busy with a round before. */
  private boolean isEager(Program.Out message) {
    return streams.stagesBegun < message.exchange() && isLong(message);
  }

  /** Whether a message keeps a network card busy for long; of objects nobody knows. */
  private boolean isLong(Program.Out message) {
    return payloadBytes(message) > LONG * (long) eagerBytes
        && operation.vector() instanceof FixedVector
        && !operation.onOneHost(message.peer());
  }

  /** Bytes of numbers. */
  private long payloadBytes(Program.Out message) {
    int elements =
        streams.layout.end(message.from(), message.to()) - streams.layout.start(message.from());
    return elements * (long) elementBytes;
  }

  private void begin(Program.Out message) {
    current = message;
    block = message.from();
    position = streams.layout.start(message.from());
    end = streams.layout.end(message.from(), message.to());
    streams.sentBelow = position;
  }

  private void start(Program.Out message) {
    begin(message);
    long payload;
    if (operation.vector() instanceof ObjectVector) {
      ByteBuffer bytes = serialize(message);
      objects = bytes;
      payload = bytes.remaining();
    } else {
      payload = payloadBytes(message);
    }
    header.clear();
    MessageHeader.write(header, operation, message.round(), payload);
    header.flip();
    out.clear().limit(0);
    streams.sentBytes += payload;
  }

  private void complete() {
    current = null;
    objects = null;
    streams.sendsDone++;
    streams.sentBelow = 0;
  }

  private boolean more() {
    return objects != null ? objects.hasRemaining() : position < end;
  }

  /** Puts the next bytes of a message into a buffer, as many as fit and may go. */
  private void fill(Program.Out message, ByteBuffer target) {
    if (eager) {
      target.limit(Math.min(target.limit(), target.position() + eagerBytes));
      eager = false;
    }
    if (objects != null) {
      int bytes = Math.min(target.remaining(), objects.remaining());
      target.put(objects.slice().limit(bytes));
      objects.position(objects.position() + bytes);
    } else if (message.source().inCells()) {
      fillFromCells(message, target);
    } else if (position < end) { // a signal's place may be of another rank's blocks
      int count = Math.min(end - position, target.remaining() / elementBytes);
      int at = position + streams.layout.shift(message.from());
      NumberViews views = streams.memory.viewsOfTarget(target, message.peer());
      ((FixedVector) operation.vector(message.from())).encode(at, count, target, views);
      position += count;
      streams.sentBelow = position;
    }
  }

  private void fillFromCells(Program.Out message, ByteBuffer target) {
    NumberViews views = streams.memory.viewsOfTarget(target, message.peer());
    while (position < end && target.remaining() >= elementBytes) {
      int next = streams.layout.end(block);
      if (position == next) {
        block++;
        continue;
      }
      int count = Math.min(next - position, target.remaining() / elementBytes);
      Vector cell = streams.vector(message.source(), block, operation.vector());
      ((FixedVector) cell).encode(position - streams.layout.start(block), count, target, views);
      position += count;
    }
    streams.sentBelow = position;
  }

  private ByteBuffer serialize(Program.Out message) {
    Storage source = message.source();
    if (!source.inCells()) {
      int at = position + streams.layout.shift(message.from());
      return ((ObjectVector) operation.vector(message.from())).serialize(at, end - position);
    }
    ObjectVector all = (ObjectVector) operation.vector().allocate(end - position);
    for (int b = message.from(); b < message.to(); b++) {
      Vector cell = streams.vector(source, b, operation.vector());
      all.refer(cell, 0, streams.layout.start(b) - position, streams.layout.length(b));
    }
    return all.serialize(0, end - position);
  }
}
