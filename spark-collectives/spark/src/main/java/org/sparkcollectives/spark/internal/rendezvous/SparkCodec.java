package org.sparkcollectives.spark.internal.rendezvous;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.spark.SparkEnv;
import org.apache.spark.serializer.SerializerInstance;
import org.sparkcollectives.vector.ObjectCodec;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/** Ships objects by the application's serializer ({@code spark.serializer}). */
public final class SparkCodec implements ObjectCodec {
  private static final ClassTag<Object> ANY = ClassTag$.MODULE$.apply(Object.class);

  private final SerializerInstance serializer;

  /** Takes the serializer of this process. */
  public SparkCodec() {
    this.serializer = SparkEnv.get().serializer().newInstance();
  }

  @Override
  public ByteBuffer encode(Object value) throws IOException {
    try {
      return serializer.serialize(value, ANY);
    } catch (RuntimeException e) {
      throw new IOException(value.getClass().getTypeName() + " cannot be serialized", e);
    }
  }

  @Override
  public Object decode(ByteBuffer bytes) throws IOException {
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    try {
      return loader == null
          ? serializer.deserialize(bytes, ANY)
          : serializer.deserialize(bytes, loader, ANY);
    } catch (RuntimeException e) {
      throw new IOException("a received object cannot be deserialized", e);
    }
  }
}
