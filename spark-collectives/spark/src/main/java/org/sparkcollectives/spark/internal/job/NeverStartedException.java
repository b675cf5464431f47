package org.sparkcollectives.spark.internal.job;

import java.io.Serial;

/** The cause of what a caller is told whose job got no slots: nothing of it has run. */
public final class NeverStartedException extends Exception {
  @Serial private static final long serialVersionUID = 1L;

  NeverStartedException() {
    super("no task of the job has started");
  }
}
