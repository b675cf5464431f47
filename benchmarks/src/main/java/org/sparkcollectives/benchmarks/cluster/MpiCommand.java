package org.sparkcollectives.benchmarks.cluster;

import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code benchmarks/run mpi}: as {@code cluster}, with Open MPI on the same hosts. */
@Command(
    name = "mpi",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description =
        "As cluster, and before or after the rounds of each size the same collective by Open MPI with"
            + " its default algorithms, all its rounds in one block: over TCP and, where ranks share memory, also that way; where several ranks are on"
            + " hosts with network cards, over TCP and memory, and also with its component han."
            + " Needs mpirun and mpicc (Debian: openmpi-bin, libopenmpi-dev).")
public final class MpiCommand extends ClusterCommand {

  /** Made by picocli. */
  public MpiCommand() {}

  @Override
  List<Rival> rivals(Network network, Placement placement) throws IOException {
    try {
      OpenMpi mpi = OpenMpi.compile(network, placement);
      if (placement.shared()) {
        return List.of(mpi, mpi.hierarchical());
      }
      return network.sharesMemory() ? List.of(mpi, mpi.throughMemory()) : List.of(mpi);
    } catch (IOException e) {
      throw new IOException(
          "Open MPI cannot be measured: "
              + e.getMessage()
              + ". It needs mpirun and mpicc; Debian has them as openmpi-bin and libopenmpi-dev.",
          e);
    }
  }
}
