package org.sparkcollectives.tools.internal.cli;

import java.util.ArrayList;
import java.util.List;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.schedule.Topology;
import picocli.CommandLine.Option;

/** The options that say which ranks share a host. */
final class PlacementOptions {
  @Option(
      names = "--hosts",
      split = ",",
      paramLabel = "H",
      description =
          "how many hosts the ranks share, or how many ranks each host has, with commas between the"
              + " numbers; consecutive ranks on one; if not given, each rank has its own")
  private List<Integer> hosts = List.of();

  @Option(
      names = "--interleaved",
      description = "ranks are dealt out to the hosts in turn, one to each that is not full")
  private boolean interleaved;

  /** The placement of some ranks. */
  Topology topology(int size) {
    if (hosts.isEmpty()) {
      if (interleaved) {
        throw OptionErrors.interleavedWithoutHosts();
      }
      return Topology.FLAT;
    }
    int[] lengths = hosts.size() == 1 ? even(hosts.get(0), size) : given(size);
    return Topology.ofHosts(interleaved ? inTurn(lengths, size) : inRuns(lengths));
  }

  /** Runs of nearly equal length. */
  private static int[] even(int count, int size) {
    InvalidInputException.requireAtLeast("--hosts", count, 1);
    if (count > size) {
      throw OptionErrors.moreHostsThanRanks(count, size);
    }
    int[] lengths = new int[count];
    for (int rank = 0; rank < size; rank++) {
      lengths[(int) ((long) rank * count / size)]++;
    }
    return lengths;
  }

  private int[] given(int size) {
    long sum = 0;
    for (int length : hosts) {
      InvalidInputException.requireAtLeast("--hosts", length, 1);
      sum += length;
    }
    if (sum != size) {
      throw OptionErrors.otherSumOfRanks(hosts, sum, size);
    }
    return hosts.stream().mapToInt(Integer::intValue).toArray();
  }

  private static List<Integer> inRuns(int[] lengths) {
    List<Integer> hostOf = new ArrayList<>();
    for (int host = 0; host < lengths.length; host++) {
      for (int i = 0; i < lengths[host]; i++) {
        hostOf.add(host);
      }
    }
    return hostOf;
  }

  private static List<Integer> inTurn(int[] lengths, int size) {
    List<Integer> hostOf = new ArrayList<>();
    for (int turn = 0; hostOf.size() < size; turn++) {
      for (int host = 0; host < lengths.length; host++) {
        if (turn < lengths[host]) {
          hostOf.add(host);
        }
      }
    }
    return hostOf;
  }
}
