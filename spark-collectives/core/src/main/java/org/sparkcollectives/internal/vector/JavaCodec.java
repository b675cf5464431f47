package org.sparkcollectives.internal.vector;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.ByteBuffer;
import org.sparkcollectives.vector.ObjectCodec;

/** Ships objects by Java serialization. */
public final class JavaCodec implements ObjectCodec {

  /** Makes a codec. */
  public JavaCodec() {}

  @Override
  public ByteBuffer encode(Object value) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(value);
    }
    return ByteBuffer.wrap(bytes.toByteArray());
  }

  @Override
  @SuppressWarnings("BanSerializableRead") // peers are authenticated before a byte is read
  public Object decode(ByteBuffer bytes) throws IOException {
    byte[] copy = new byte[bytes.remaining()];
    bytes.get(copy);
    try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(copy))) {
      return in.readObject();
    } catch (ClassNotFoundException e) {
      throw new IOException("the class of a received object is not on this rank's class path", e);
    }
  }
}
