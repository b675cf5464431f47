package org.sparkcollectives.ml.internal.takeover;

import breeze.linalg.DenseMatrix;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.mllib.linalg.Matrices;
import org.sparkcollectives.spark.JavaCollectives;

/**
 * Broadcasts of large matrices between executors, in a job of their own: the driver sends a matrix
 * to one of them. In Spark's own broadcast executors fetch blocks from the driver until others have
 * them, so that it sends most of them several times.
 */
final class Broadcasts {
  /**
   * From where on a job is worth its time: by network cards of 1 Gbit/s Spark's broadcast of so
   * many bytes to eight executors takes about as long.
   */
  private static final long MIN_BYTES = 1L << 20;

  /** Longer objects fit into no array of bytes, which an executor makes of them. */
  private static final long MAX_BYTES = Integer.MAX_VALUE - (1L << 16);

  /**
   * So many executors gain nothing: the first sends a matrix on when it has all of it, so that it
   * takes as long to reach the others as the driver needs to send it twice.
   */
  private static final int FEW_EXECUTORS = 2;

  private final SparkContext context;
  private final Counts counts;

  /**
   * Makes the broadcasts of an application.
   *
   * @param context the application
   * @param counts counts what is done
   */
  Broadcasts(SparkContext context, Counts counts) {
    this.context = context;
    this.counts = counts;
  }

  /** Whether a matrix of numbers may be worth a job, and can be sent by it. */
  static boolean isLarge(DenseMatrix<?> matrix) {
    return isLarge((long) matrix.rows() * matrix.cols());
  }

  /** Whether so many numbers may be worth a job, and can be sent by it. */
  static boolean isLarge(long numbers) {
    long bytes = numbers * Double.BYTES;
    return bytes >= MIN_BYTES && bytes <= MAX_BYTES;
  }

  /** Whether there are executors enough that large matrices are worth a job. */
  boolean pay() {
    int processes = context.getExecutorMemoryStatus().size(); // of which the driver is one
    return processes - 1 > FEW_EXECUTORS;
  }

  /**
   * Sends a matrix to all executors.
   *
   * @param matrix the matrix
   * @return the broadcast as the only element
   */
  Object[] send(DenseMatrix<?> matrix) {
    Aggregations.requireTaken(Matrices.dense(1, 1, new double[1]).asBreeze()); // as small as can be
    Object sent = JavaCollectives.of(new JavaSparkContext(context)).broadcast(matrix, null);
    counts.broadcast();
    return new Object[] {sent};
  }
}
