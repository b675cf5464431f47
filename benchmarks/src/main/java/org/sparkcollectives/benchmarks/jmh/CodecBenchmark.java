package org.sparkcollectives.benchmarks.jmh;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
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
import org.sparkcollectives.internal.vector.FixedVector;
import org.sparkcollectives.internal.vector.Vector;

/** Values into a direct buffer of 128 KiB, and back. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class CodecBenchmark {
  /** The array's element type. */
  @Param({"double", "float", "long", "int"})
  public String type = "double";

  /** The array's size. */
  @Param({"131072"})
  public int bytes;

  private FixedVector vector = Vector.of(new double[0]);
  private ByteBuffer buffer = ByteBuffer.allocate(0);

  /** Makes the array and the buffer. */
  @Setup
  public void allocate() {
    vector = Samples.vector(type, bytes);
    buffer = ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  /**
   * Array to buffer.
   *
   * @return the buffer
   */
  @Benchmark
  public ByteBuffer encode() {
    buffer.clear();
    vector.encode(0, vector.length(), buffer);
    return buffer;
  }

  /**
   * Buffer to array.
   *
   * @return the vector
   */
  @Benchmark
  public FixedVector decode() {
    buffer.clear();
    vector.decode(buffer, 0, vector.length());
    return vector;
  }
}
