package org.sparkcollectives.ml.internal.state;

import java.io.IOException;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.ml.internal.bridge.JavaBytes;

/** A state as bytes, from the rank that has it to all. */
public final class SentState {
  private static final Logger LOG = LoggerFactory.getLogger(SentState.class);

  private SentState() {}

  /**
   * What a rank sends of the state that it has kept.
   *
   * @param training whose state
   * @param state the state
   * @return its bytes; none where they cannot be made, which is said: the training goes on from a
   *     folder's state, or begins anew
   */
  public static byte[] of(String training, Serializable state) {
    try {
      return JavaBytes.of(state);
    } catch (IOException e) {
      LOG.warn("{}: the state that was kept cannot be sent: {}", training, e.toString());
      return new byte[0];
    }
  }

  /**
   * Sends a state; a collective call.
   *
   * @param communicator the ranks
   * @param bytes the state on the rank that has it, else null
   * @param holder that rank
   * @return the bytes, on all ranks
   */
  public static byte[] received(Communicator communicator, byte @Nullable [] bytes, int holder) {
    int[] length = {bytes == null ? 0 : bytes.length};
    communicator.broadcast(length, holder);
    byte[] all = bytes == null ? new byte[length[0]] : bytes;
    return length[0] == 0 ? all : communicator.broadcast(all, holder);
  }
}
