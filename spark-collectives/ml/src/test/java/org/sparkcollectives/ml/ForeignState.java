package org.sparkcollectives.ml;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.Serial;
import java.io.Serializable;
import java.util.concurrent.atomic.AtomicInteger;

/** What somebody else has put into a folder of states; it counts how often it was read. */
public final class ForeignState implements Serializable {
  @Serial private static final long serialVersionUID = 1L;
  private static final AtomicInteger READ = new AtomicInteger();

  /**
   * How often code of this class has run.
   *
   * @return the number of objects that were read
   */
  public static int read() {
    return READ.get();
  }

  @Serial
  private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
    in.defaultReadObject();
    READ.incrementAndGet();
  }
}
