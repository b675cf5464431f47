package org.sparkcollectives.benchmarks.jmh;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.sparkcollectives.internal.vector.Vector;
import org.sparkcollectives.vector.ReduceOp;

/** Combining two arrays of 16 KiB, what a received piece is combined by, in place. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class ReductionBenchmark {
  /** The arrays' element type. */
  @Param({"double", "float", "long", "int"})
  public String type = "double";

  /** The arrays' size. */
  @Param({"16384"})
  public int bytes;

  private Vector left = Vector.of(new double[0]);
  private Vector right = Vector.of(new double[0]);

  /** Makes the arrays. */
  @Setup
  public void allocate() {
    left = Samples.vector(type, bytes);
    right = Samples.vector(type, bytes);
  }

  /**
   * Adds.
   *
   * @return the sum
   */
  @Benchmark
  public Vector sum() {
    left.combine(ReduceOp.SUM, left, 0, right, 0, 0, left.length());
    return left;
  }

  /**
   * Takes the larger of each pair.
   *
   * @return the maximum
   */
  @Benchmark
  public Vector max() {
    left.combine(ReduceOp.MAX, left, 0, right, 0, 0, left.length());
    return left;
  }
}
