package org.sparkcollectives.benchmarks.cluster;

import java.io.IOException;
import picocli.CommandLine.Command;

/** {@code benchmarks/run mpi}: as {@code cluster}, with Open MPI on the same hosts. */
@Command(
    name = "mpi",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "As cluster, in turns with the same collectives by Open MPI over TCP, with its default"
            + " algorithms. Needs mpirun and mpicc (Debian: openmpi-bin, libopenmpi-dev).")
public final class MpiCommand extends ClusterCommand {

  /** Made by picocli. */
  public MpiCommand() {}

  @Override
  Rival rival(Network network) throws IOException {
    try {
      return OpenMpi.compile(network);
    } catch (IOException e) {
      throw new IOException(
          "Open MPI cannot be measured: "
              + e.getMessage()
              + ". It needs mpirun and mpicc; Debian has them as openmpi-bin and libopenmpi-dev.",
          e);
    }
  }
}
