package org.sparkcollectives.spark.internal.input;

import static java.util.Objects.requireNonNull;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Serial;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.spark.Partition;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.serializer.DeserializationStream;
import org.apache.spark.serializer.SerializationStream;
import org.apache.spark.serializer.SerializerInstance;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * A rank's partitions on their way to it, serialized. Partitions of a parallelized collection hold
 * its elements, and a rank has many where Spark's tasks have one each; but Spark aborts a job of
 * which a task is longer than its messages may be ({@code spark.rpc.message.maxSize}). So only the
 * last of them go along with the task, if they are short. Those before are broadcasts of Spark's,
 * of which the rank fetches one when it has computed what is in the one before.
 */
final class Parcel implements Serializable {
  @Serial private static final long serialVersionUID = 1L;

  private static final ClassTag<Partition> PARTITION = ClassTag$.MODULE$.apply(Partition.class);

  /** Of so many bytes partitions fill a broadcast. */
  private static final int FULL = 16 << 20;

  /** So many bytes go along with a task: half of what Spark warns of. */
  private static final int MOST_IN_TASK = 512 << 10;

  private final ArrayList<Broadcast<byte[]>> full;
  private final byte[] last;

  private Parcel(List<Broadcast<byte[]>> full, byte[] last) {
    this.full = new ArrayList<>(full);
    this.last = last;
  }

  /** Nothing, for a task that does not open it. */
  static Parcel empty() {
    return new Parcel(List.of(), new byte[0]);
  }

  /** Makes the parcels of a job's ranks; for the driver. */
  static final class Sender {
    private static final Logger LOG = LoggerFactory.getLogger(Sender.class);

    private final JavaSparkContext context;
    private final List<Broadcast<byte[]>> sent = new ArrayList<>();

    Sender(SparkContext context) {
      this.context = JavaSparkContext.fromSparkContext(context);
    }

    /**
     * Makes a parcel.
     *
     * @param partitions what a rank gets, in order
     * @return the parcel
     */
    Parcel of(List<Partition> partitions) {
      List<Broadcast<byte[]>> full = new ArrayList<>();
      Packing packing = new Packing();
      for (Partition next : partitions) {
        if (packing.add(next) >= FULL) {
          full.add(send(packing.end()));
          packing = new Packing();
        }
      }
      byte[] rest = packing.end();
      if (rest.length > MOST_IN_TASK) {
        full.add(send(rest));
        rest = new Packing().end();
      }
      return new Parcel(full, rest);
    }

    private synchronized Broadcast<byte[]> send(byte[] bytes) {
      Broadcast<byte[]> broadcast = context.broadcast(bytes);
      sent.add(broadcast);
      return broadcast;
    }

    /** Removes what the ranks, which have ended, have not had in their tasks. */
    synchronized void end() {
      boolean interrupted = Thread.interrupted(); // a thread that is cannot ask executors
      for (Broadcast<byte[]> each : sent) {
        try {
          each.destroy();
        } catch (Exception e) { // also what Scala does not declare: the application may have ended
          interrupted |= e instanceof InterruptedException;
          LOG.debug("{} cannot be destroyed", each, e);
        }
      }
      sent.clear();
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Serializes partitions one after another, with what they share. Null is behind the last. */
  private static final class Packing {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final SerializationStream out =
        SparkEnv.get().closureSerializer().newInstance().serializeStream(bytes);

    /** Adds a partition; returns how many bytes there are now. */
    int add(Partition partition) {
      try {
        out.writeObject(partition, PARTITION).flush();
      } catch (Exception e) { // of the serializer; Scala's methods do not declare checked ones
        throw InputErrors.notSerializable(partition.index(), e);
      }
      return bytes.size();
    }

    byte[] end() {
      out.writeObject(null, PARTITION).close();
      return bytes.toByteArray();
    }
  }

  /**
   * The partitions; for the rank's thread.
   *
   * @return them, in order, each read when it is asked for
   */
  Iterator<Partition> partitions() {
    SerializerInstance serializer = SparkEnv.get().closureSerializer().newInstance();
    Iterator<Broadcast<byte[]>> others = full.iterator();
    return new Iterator<>() {
      private @Nullable DeserializationStream open;
      private @Nullable Partition next;
      private boolean atLast;

      @Override
      public boolean hasNext() {
        while (next == null && (open != null || !atLast)) {
          DeserializationStream current = open == null ? following() : open;
          next = current.readObject(PARTITION);
          open = next == null ? null : current;
        }
        return next != null;
      }

      private DeserializationStream following() {
        atLast = !others.hasNext();
        byte[] bytes = atLast ? last : others.next().value();
        return serializer.deserializeStream(new ByteArrayInputStream(bytes));
      }

      @Override
      public Partition next() {
        if (!hasNext()) {
          throw new NoSuchElementException();
        }
        Partition given = requireNonNull(next);
        next = null;
        return given;
      }
    };
  }
}
