package org.sparkcollectives.spark.internal.rendezvous;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputFilter;
import java.io.Serial;
import java.nio.ByteBuffer;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.serializer.DeserializationStream;
import org.apache.spark.serializer.JavaSerializerInstance;
import org.apache.spark.serializer.SerializationStream;
import org.apache.spark.serializer.SerializerInstance;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.spark.internal.conf.Setting;
import org.sparkcollectives.spark.internal.conf.Settings;
import org.sparkcollectives.vector.ObjectCodec;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/** Ships objects by the application's serializer ({@code spark.serializer}). For one thread. */
public final class SparkCodec implements ObjectCodec {
  private static final ClassTag<Object> ANY = ClassTag$.MODULE$.apply(Object.class);

  /** What a serializer adds to the elements of an array: its class, its length. */
  private static final int TAG_BYTES = 64;

  /** As many bytes as an array may have. */
  private static final int MOST_BYTES = Integer.MAX_VALUE - 8;

  private final SerializerInstance serializer;

  /** What of other ranks may be read, null for anything; looked up with the first object. */
  private @Nullable ObjectInputFilter filter;

  private boolean looked;

  /** Takes the serializer of this process. */
  public SparkCodec() {
    this.serializer = SparkEnv.get().serializer().newInstance();
  }

  private @Nullable ObjectInputFilter filter() {
    if (!looked) {
      filter = serializer instanceof JavaSerializerInstance ? filter(SparkEnv.get().conf()) : null;
      looked = true;
    }
    return filter;
  }

  /** What the application lets pass, null for anything; its setting is read as that of a call. */
  static @Nullable ObjectInputFilter filter(SparkConf conf) {
    Setting<String> setting = Settings.OBJECTS_FILTER;
    String classes = setting.read(conf.get(setting.key(), ""));
    return classes.isEmpty() ? null : ObjectInputFilter.Config.createFilter(classes);
  }

  /** {@inheritDoc} As a stream, which Kryo's limit of a buffer does not hold for. */
  @Override
  public ByteBuffer encode(Object value) throws IOException {
    FewBytes bytes = new FewBytes(MOST_BYTES);
    write(value, bytes);
    if (bytes.full) {
      throw new IOException(value.getClass().getTypeName() + " takes 2 GiB or more, serialized");
    }
    return bytes.buffer();
  }

  /**
   * Serializes an object if that takes few bytes.
   *
   * @param value the object
   * @param most how many bytes it may take, beside some that say what it is
   * @return the bytes, or null if there are more
   * @throws IOException if it cannot be serialized
   */
  public byte @Nullable [] encode(Object value, long most) throws IOException {
    FewBytes bytes = new FewBytes(most + TAG_BYTES);
    write(value, bytes);
    return bytes.full ? null : bytes.toByteArray();
  }

  private void write(Object value, FewBytes bytes) throws IOException {
    try (SerializationStream out = serializer.serializeStream(bytes)) {
      SerializationStream unused = out.writeObject(value, ANY);
    } catch (Exception e) { // Scala's methods do not declare checked ones
      if (!bytes.full) {
        throw failed(value.getClass().getTypeName() + " cannot be serialized", e);
      }
    }
  }

  private static IOException failed(Exception e) {
    return failed("a received object cannot be deserialized", e);
  }

  private static IOException failed(String what, Exception e) {
    return e instanceof IOException known ? known : new IOException(what, e);
  }

  @Override
  public Object decode(ByteBuffer bytes) throws IOException {
    if (filter() == null) {
      return decodeUnfiltered(bytes);
    }
    byte[] copy = new byte[bytes.remaining()];
    bytes.get(copy);
    return decode(new ByteArrayInputStream(copy));
  }

  /**
   * Makes an object of what another rank has sent.
   *
   * @param bytes the object, serialized; is closed
   * @return the object
   * @throws IOException if it cannot be made, or is of a class that may not be
   */
  public Object decode(InputStream bytes) throws IOException {
    ObjectInputFilter allowed = filter();
    if (allowed != null) {
      return FilteredInput.read(bytes, Thread.currentThread().getContextClassLoader(), allowed);
    }
    try (bytes;
        DeserializationStream in = serializer.deserializeStream(bytes)) {
      return in.readObject(ANY);
    } catch (Exception e) { // as above
      throw failed(e);
    }
  }

  /**
   * Makes an object of what Spark has brought with the code of a task, for which no filter is
   * asked.
   *
   * @param bytes the object, serialized
   * @return the object
   * @throws IOException if it cannot be made
   */
  public Object decodeUnfiltered(ByteBuffer bytes) throws IOException {
    ClassLoader loader = Thread.currentThread().getContextClassLoader();
    try {
      return loader == null
          ? serializer.deserialize(bytes, ANY)
          : serializer.deserialize(bytes, loader, ANY);
    } catch (Exception e) { // as above
      throw failed(e);
    }
  }

  /**
   * Copies an object of this process, for which no filter is asked.
   *
   * @param value the object
   * @return one that shares nothing with it
   * @throws IOException if it cannot be serialized, or not be made of its bytes
   */
  public Object copy(Object value) throws IOException {
    return decodeUnfiltered(encode(value));
  }

  /**
   * Checks that ranks would take an object from each other.
   *
   * @param value the object
   * @throws IOException if a filter does not let one of its classes pass
   */
  public static void requireTaken(Object value) throws IOException {
    SparkCodec codec = new SparkCodec();
    if (codec.filter() != null) {
      Object unusedButTaken = codec.decode(codec.encode(value));
    }
  }

  /**
   * Whether ranks would take objects from each other, as far as their class says.
   *
   * @param type the class, {@code Object} where it is not known
   * @return false if there is a filter and it does not let the class pass, or that is not known
   */
  public static boolean takes(Class<?> type) {
    ObjectInputFilter allowed = new SparkCodec().filter();
    return allowed == null
        || (type != Object.class
            && allowed.checkInput(new OfClass(type)) != ObjectInputFilter.Status.REJECTED);
  }

  /** What a filter is asked of a class. */
  private record OfClass(Class<?> serialClass) implements ObjectInputFilter.FilterInfo {
    @Override
    public long arrayLength() {
      return -1;
    }

    @Override
    public long depth() {
      return 1;
    }

    @Override
    public long references() {
      return 1;
    }

    @Override
    public long streamBytes() {
      return 0;
    }
  }

  /** Takes some bytes and no more. */
  private static final class FewBytes extends ByteArrayOutputStream {
    private final long most;
    private boolean full;

    FewBytes(long most) {
      this.most = most;
    }

    @Override
    public synchronized void write(int b) {
      require(1);
      super.write(b);
    }

    @Override
    public synchronized void write(byte[] bytes, int offset, int length) {
      require(length);
      super.write(bytes, offset, length);
    }

    ByteBuffer buffer() {
      return ByteBuffer.wrap(buf, 0, count);
    }

    private void require(int more) {
      if (count + (long) more > most) {
        full = true;
        throw new Full();
      }
    }

    /** There are more bytes; what serializes is to give up. */
    private static final class Full extends RuntimeException {
      @Serial private static final long serialVersionUID = 1L;

      Full() {
        super("", null, false, false);
      }
    }
  }
}
