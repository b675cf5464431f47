package org.sparkcollectives.spark.internal.rendezvous;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Hands bytes out as broadcast variables of Spark: an executor that has one gives it to others. */
final class Broadcasts implements Handout {
  private static final Logger LOG = LoggerFactory.getLogger(Broadcasts.class);

  private final JavaSparkContext context;

  Broadcasts(SparkContext context) {
    this.context = JavaSparkContext.fromSparkContext(context);
  }

  @Override
  public Handed give(byte[] bytes) {
    Broadcast<byte[]> broadcast = context.broadcast(bytes);
    byte[] reference = reference(broadcast);
    return new Handed() {
      @Override
      public byte[] reference() {
        return reference;
      }

      @Override
      public void end() {
        try {
          broadcast.destroy();
        } catch (Exception e) { // also what Scala does not declare: the application may have ended
          LOG.debug("{} cannot be destroyed", broadcast, e);
        }
      }
    };
  }

  private static byte[] reference(Broadcast<byte[]> broadcast) {
    try {
      return Wire.bytes(broadcast);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The bytes that the driver hands out; for an executor, whose thread waits for them.
   *
   * @param reference what they are got by
   * @throws IOException if they cannot be got
   */
  static byte[] take(byte[] reference) throws IOException {
    try {
      return (byte[]) ((Broadcast<?>) Wire.object(reference)).value();
    } catch (ClassNotFoundException | RuntimeException e) {
      throw new IOException("the driver's broadcast of the members cannot be read", e);
    }
  }
}
