package org.sparkcollectives.vector;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Turns objects into bytes and back, for one thread at a time. */
public interface ObjectCodec {

  /**
   * An object's bytes.
   *
   * @param value the object
   * @return the bytes between the buffer's position and limit
   * @throws IOException if the object cannot be serialized
   */
  ByteBuffer encode(Object value) throws IOException;

  /**
   * The object of some bytes.
   *
   * @param bytes all of the object's bytes, between position and limit
   * @return the object
   * @throws IOException if the bytes are not those of an object
   */
  Object decode(ByteBuffer bytes) throws IOException;
}
