package org.sparkcollectives.tools.internal.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.schedule.Topology;
import picocli.CommandLine.Option;

/** The options that say which ranks share a host or a process, and which hosts a rack. */
final class PlacementOptions {
  /** The most ranks whose hosts are told apart: each takes memory. */
  private static final int MOST_PLACED = 1_000_000;

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

  @Option(
      names = "--processes",
      paramLabel = "N",
      description =
          "how many processes the ranks of each host share, consecutive ones in one; if not given,"
              + " each rank has its own")
  private @Nullable Integer processes;

  @Option(
      names = "--racks",
      split = ",",
      paramLabel = "K",
      description =
          "how many racks the hosts share, or how many hosts each rack has, with commas between the"
              + " numbers; consecutive hosts in one; if not given, there is one")
  private List<Integer> racks = List.of();

  @Option(
      names = "--interleaved-racks",
      description = "hosts are dealt out to the racks in turn, one to each that is not full")
  private boolean interleavedRacks;

  /** The placement of some ranks. */
  Topology topology(int size) {
    if (hosts.isEmpty() && interleaved) {
      throw OptionErrors.interleavedWithout(
          "--interleaved", "--hosts", "ranks that have a host each");
    }
    if (racks.isEmpty() && interleavedRacks) {
      throw OptionErrors.interleavedWithout(
          "--interleaved-racks", "--racks", "hosts that have one rack");
    }
    if (hosts.isEmpty() && racks.isEmpty() && processes == null) {
      return Topology.FLAT;
    }
    if (size > MOST_PLACED) {
      throw OptionErrors.tooManyToPlace(size, MOST_PLACED);
    }
    List<Integer> hostOf = hostOf(size);
    int count = hostOf.stream().mapToInt(Integer::intValue).max().orElse(0) + 1;
    List<Integer> rackOf =
        racks.isEmpty()
            ? Collections.nCopies(count, 0)
            : shared("--racks", "hosts", racks, interleavedRacks, count);
    List<Integer> processOf =
        processes == null
            ? IntStream.range(0, size).boxed().toList()
            : processOf(hostOf, count, processes);
    return Topology.of(hostOf, processOf, hostOf.stream().map(rackOf::get).toList());
  }

  /** Runs of nearly equal length of each host's ranks. */
  private static List<Integer> processOf(List<Integer> hostOf, int hosts, int perHost) {
    InvalidInputException.requireAtLeast("--processes", perHost, 1);
    int[] ranks = new int[hosts];
    hostOf.forEach(host -> ranks[host]++);
    int fewest = Arrays.stream(ranks).min().orElse(1);
    if (perHost > fewest) {
      throw OptionErrors.moreProcessesThan(perHost, fewest);
    }
    int[] before = new int[hosts];
    return hostOf.stream()
        .map(host -> host * perHost + (int) ((long) before[host]++ * perHost / ranks[host]))
        .toList();
  }

  /** Whether hosts are in racks. */
  boolean hasRacks() {
    return !racks.isEmpty();
  }

  private List<Integer> hostOf(int size) {
    return hosts.isEmpty()
        ? IntStream.range(0, size).boxed().toList()
        : shared("--hosts", "ranks", hosts, interleaved, size);
  }

  /**
   * Where each of some ranks or hosts is.
   *
   * @param option the option that was given
   * @param what what is placed, in the plural
   * @param places what the option says
   * @param inTurn whether neighbours are at different places
   * @param size how many are placed
   */
  private static List<Integer> shared(
      String option, String what, List<Integer> places, boolean inTurn, int size) {
    int[] lengths =
        places.size() == 1
            ? even(option, what, places.get(0), size)
            : given(option, what, places, size);
    return inTurn ? inTurn(lengths, size) : inRuns(lengths);
  }

  /** Runs of nearly equal length. */
  private static int[] even(String option, String what, int count, int size) {
    InvalidInputException.requireAtLeast(option, count, 1);
    if (count > size) {
      throw OptionErrors.morePlacesThan(option, count, what, size);
    }
    int[] lengths = new int[count];
    for (int each = 0; each < size; each++) {
      lengths[(int) ((long) each * count / size)]++;
    }
    return lengths;
  }

  private static int[] given(String option, String what, List<Integer> places, int size) {
    long sum = 0;
    for (int length : places) {
      InvalidInputException.requireAtLeast(option, length, 1);
      sum += length;
    }
    if (sum != size) {
      throw OptionErrors.otherSum(option, places, sum, what, size);
    }
    return places.stream().mapToInt(Integer::intValue).toArray();
  }

  private static List<Integer> inRuns(int[] lengths) {
    List<Integer> placeOf = new ArrayList<>();
    for (int place = 0; place < lengths.length; place++) {
      placeOf.addAll(Collections.nCopies(lengths[place], place));
    }
    return placeOf;
  }

  private static List<Integer> inTurn(int[] lengths, int size) {
    List<Integer> placeOf = new ArrayList<>();
    for (int turn = 0; placeOf.size() < size; turn++) {
      for (int place = 0; place < lengths.length; place++) {
        if (turn < lengths[place]) {
          placeOf.add(place);
        }
      }
    }
    return placeOf;
  }
}
