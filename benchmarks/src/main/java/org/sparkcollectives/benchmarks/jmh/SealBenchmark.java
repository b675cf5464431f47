package org.sparkcollectives.benchmarks.jmh;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.CommunicatorOptions;
import org.sparkcollectives.error.CollectiveException;
import org.sparkcollectives.internal.transport.EndpointOptions;
import org.sparkcollectives.internal.transport.Peer;
import org.sparkcollectives.internal.transport.Roster;
import org.sparkcollectives.internal.transport.endpoint.Endpoint;
import org.sparkcollectives.internal.transport.tcp.channel.RecordSealing;
import org.sparkcollectives.internal.transport.tcp.channel.Sealing;
import org.sparkcollectives.vector.ReduceOp;

/** An allreduce of two ranks over loopback TCP, plain and through sealed records. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class SealBenchmark {
  /** What seals the connection. */
  @Param({"none", "records"})
  public String seal = "none";

  /** The vector's size. */
  @Param({"8", "65536", "8388608"})
  public int bytes;

  private double[] vector = new double[0];
  private List<Endpoint> endpoints = List.of();
  private List<Communicator> ranks = List.of();
  private Thread other = new Thread();

  /** Made by JMH. */
  public SealBenchmark() {}

  /**
   * Connects two endpoints, and lets the second rank take part without end.
   *
   * @throws IOException if the network fails
   */
  @Setup
  public void connect() throws IOException {
    Sealing sealing = seal.equals("none") ? Sealing.NONE : new RecordSealing();
    EndpointOptions options =
        EndpointOptions.builder().hosts("127.0.0.1", "").sharedMemory("").build();
    endpoints = List.of(new Endpoint(options, sealing), new Endpoint(options, sealing));
    List<Peer> peers = List.of(peer(0), peer(1));
    Roster roster = new Roster(1, 0, new byte[32], peers);
    ranks = List.of(join(roster, 0), join(roster, 1));
    vector = new double[bytes / Double.BYTES];
    double[] others = new double[bytes / Double.BYTES];
    other =
        new Thread(
            () -> {
              try {
                while (true) {
                  ranks.get(1).allReduce(others, ReduceOp.MAX);
                }
              } catch (CollectiveException end) {
                ranks.get(1).close();
              }
            });
    other.start();
  }

  private Peer peer(int rank) throws IOException {
    return endpoints.get(rank).peer(rank, "node " + rank, "");
  }

  private Communicator join(Roster roster, int rank) throws IOException {
    return new Communicator(
        endpoints.get(rank).join(roster, rank),
        CommunicatorOptions.DEFAULT.withTimeout(Duration.ofSeconds(60)));
  }

  /**
   * One operation.
   *
   * @return the result
   */
  @Benchmark
  public double[] allReduce() {
    ranks.get(0).allReduce(vector, ReduceOp.MAX);
    return vector;
  }

  /**
   * Ends both ranks.
   *
   * @throws InterruptedException if interrupted
   */
  @TearDown
  public void close() throws InterruptedException {
    endpoints.forEach(Endpoint::close);
    other.join(TimeUnit.SECONDS.toMillis(20));
  }
}
