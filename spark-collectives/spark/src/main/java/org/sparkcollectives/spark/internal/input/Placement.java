package org.sparkcollectives.spark.internal.input;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Which partitions each rank computes, and in which executor. Every executor gets at most as many
 * ranks as it has slots, so all ranks can start at once where they are wanted.
 *
 * @param ranks the ranks; every partition is one rank's
 */
public record Placement(List<Rank> ranks) {

  /**
   * One rank.
   *
   * @param partitions its partitions, ascending; not to be changed
   * @param place Spark's name of its executor, empty where it does not matter
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  public record Rank(int[] partitions, String place) {}

  /**
   * Copies the list.
   *
   * @param ranks the ranks
   */
  public Placement {
    ranks = List.copyOf(ranks);
  }

  /**
   * Deals partitions to ranks.
   *
   * @param places for each partition, Spark's names of the places where it is computed best
   * @param executors the executors, at least one
   * @param most the largest number of ranks, at least 1
   * @param consecutive whether each rank is to have consecutive partitions, in rank order; then
   *     ranks are placed where most of their partitions are, else partitions go to ranks where they
   *     are. Either way numbers of partitions differ by one at most
   * @return the placement, of as many ranks as there are partitions and slots for
   */
  public static Placement of(
      List<List<String>> places, List<ExecutorSlots> executors, int most, boolean consecutive) {
    List<ExecutorSlots> ordered = new ArrayList<>(executors);
    ordered.sort(
        Comparator.comparing(ExecutorSlots::host)
            .thenComparing(each -> each.executor().length())
            .thenComparing(ExecutorSlots::executor));
    Dealer dealer = new Dealer(places, trimmed(ordered, most));
    boolean anywhere = places.stream().allMatch(List::isEmpty);
    return new Placement(consecutive || anywhere ? dealer.blocks() : dealer.byPlace());
  }

  /** Takes slots from executors that have the most until there are few enough. */
  private static List<ExecutorSlots> trimmed(List<ExecutorSlots> executors, int most) {
    int[] slots = executors.stream().mapToInt(ExecutorSlots::slots).toArray();
    for (int left = Arrays.stream(slots).sum(); left > most; left--) {
      slots[indexOfMost(slots)]--;
    }
    List<ExecutorSlots> trimmed = new ArrayList<>();
    for (int i = 0; i < slots.length; i++) {
      if (slots[i] > 0) {
        trimmed.add(
            new ExecutorSlots(executors.get(i).executor(), executors.get(i).host(), slots[i]));
      }
    }
    return trimmed;
  }

  private static int indexOfMost(int[] counts) {
    int most = 0;
    for (int i = 1; i < counts.length; i++) {
      if (counts[i] > counts[most]) {
        most = i;
      }
    }
    return most;
  }

  /**
   * One partition for each rank, in order, wherever there is room.
   *
   * @param partitions how many
   * @return the placement
   */
  public static Placement oneEach(int partitions) {
    List<Rank> ranks = new ArrayList<>();
    for (int i = 0; i < partitions; i++) {
      ranks.add(new Rank(new int[] {i}, ""));
    }
    return new Placement(ranks);
  }

  /**
   * How many ranks there are.
   *
   * @return the number
   */
  public int size() {
    return ranks.size();
  }

  /** The work of dealing. */
  private static final class Dealer {
    private static final int NOWHERE = -1;

    private final int partitions;
    private final List<ExecutorSlots> executors;
    private final int size;

    /** For each partition, the executors where it is computed best. */
    private final int[][] homes;

    Dealer(List<List<String>> places, List<ExecutorSlots> executors) {
      this.partitions = places.size();
      this.executors = executors;
      this.size = Math.min(partitions, executors.stream().mapToInt(ExecutorSlots::slots).sum());
      Map<String, List<Integer>> at = new HashMap<>();
      for (int i = 0; i < executors.size(); i++) {
        at.computeIfAbsent(executors.get(i).host(), host -> new ArrayList<>()).add(i);
        at.put(executors.get(i).place(), List.of(i));
      }
      this.homes = new int[partitions][];
      for (int i = 0; i < partitions; i++) {
        homes[i] =
            places.get(i).stream()
                .flatMap(place -> executorsAt(place, at).stream())
                .mapToInt(Integer::intValue)
                .distinct()
                .toArray();
      }
    }

    /** The executor that a place is, or those of its host: as Spark prefers them. */
    private static List<Integer> executorsAt(String place, Map<String, List<Integer>> at) {
      List<Integer> exactly = at.get(place);
      return exactly == null ? at.getOrDefault(ExecutorSlots.hostOf(place), List.of()) : exactly;
    }

    // ---- consecutive partitions

    List<Rank> blocks() {
      int[] chosen = executorsOfBlocks();
      List<Rank> ranks = new ArrayList<>();
      for (int rank = 0; rank < size; rank++) {
        int from = first(rank, size, partitions);
        int[] own = new int[first(rank + 1, size, partitions) - from];
        Arrays.setAll(own, i -> from + i);
        ranks.add(new Rank(own, executors.get(chosen[rank]).place()));
      }
      return ranks;
    }

    /** The executor of each rank; who has the most partitions somewhere chooses first. */
    private int[] executorsOfBlocks() {
      record Wish(int rank, int executor, int partitions) {}
      List<Wish> wishes = new ArrayList<>();
      for (int rank = 0; rank < size; rank++) {
        int[] count = new int[executors.size()];
        int to = first(rank + 1, size, partitions);
        for (int partition = first(rank, size, partitions); partition < to; partition++) {
          for (int executor : homes[partition]) {
            count[executor]++;
          }
        }
        for (int executor = 0; executor < count.length; executor++) {
          if (count[executor] > 0) {
            wishes.add(new Wish(rank, executor, count[executor]));
          }
        }
      }
      wishes.sort(
          Comparator.comparingInt(Wish::partitions)
              .reversed()
              .thenComparing(Wish::rank)
              .thenComparing(Wish::executor));
      int[] chosen = new int[size];
      Arrays.fill(chosen, NOWHERE);
      int[] room = executors.stream().mapToInt(ExecutorSlots::slots).toArray();
      for (Wish wish : wishes) {
        if (chosen[wish.rank()] == NOWHERE && room[wish.executor()] > 0) {
          chosen[wish.rank()] = wish.executor();
          room[wish.executor()]--;
        }
      }
      settle(chosen, room);
      return chosen;
    }

    /** Spreads the other ranks over the slots that are left, neighbours to one executor. */
    private void settle(int[] chosen, int[] room) {
      int[] share = new int[room.length];
      for (int already : chosen) {
        if (already == NOWHERE) {
          int next = leastUsed(room);
          room[next]--;
          share[next]++;
        }
      }
      int executor = 0;
      for (int rank = 0; rank < chosen.length; rank++) {
        if (chosen[rank] == NOWHERE) {
          while (share[executor] == 0) {
            executor++;
          }
          share[executor]--;
          chosen[rank] = executor;
        }
      }
    }

    private int leastUsed(int[] room) {
      int best = NOWHERE;
      int least = Integer.MAX_VALUE;
      for (int executor = 0; executor < room.length; executor++) {
        int used = executors.get(executor).slots() - room[executor];
        if (room[executor] > 0 && used < least) {
          best = executor;
          least = used;
        }
      }
      return best;
    }

    // ---- partitions where they are

    List<Rank> byPlace() {
      Hands hands = new Hands(executors, partitions / size, partitions % size);
      int[] all = IntStream.range(0, executors.size()).toArray();
      List<Integer> others = new ArrayList<>();
      for (int partition = 0; partition < partitions; partition++) {
        if (!hands.give(partition, homes[partition])) {
          others.add(partition);
        }
      }
      for (int partition : others) {
        hands.give(partition, all);
      }
      return hands.ranks();
    }
  }

  /** What executors have been dealt so far. */
  private static final class Hands {
    private final List<ExecutorSlots> executors;
    private final List<List<Integer>> dealt = new ArrayList<>();

    /** How many partitions each rank has at least; {@link #extra} ranks may have one more. */
    private final int least;

    private int extra;

    Hands(List<ExecutorSlots> executors, int least, int extra) {
      this.executors = executors;
      this.least = least;
      this.extra = extra;
      executors.forEach(executor -> dealt.add(new ArrayList<>()));
    }

    /** Gives a partition to the candidate with the least for its slots; false if all are full. */
    boolean give(int partition, int[] candidates) {
      int best = Dealer.NOWHERE;
      for (int executor : candidates) {
        if (hasRoom(executor) && (best == Dealer.NOWHERE || load(executor) < load(best))) {
          best = executor;
        }
      }
      if (best == Dealer.NOWHERE) {
        return false;
      }
      extra -= isFull(best) ? 1 : 0;
      dealt.get(best).add(partition);
      return true;
    }

    private boolean hasRoom(int executor) {
      int slots = executors.get(executor).slots();
      return !isFull(executor) || (extra > 0 && dealt.get(executor).size() < slots * (least + 1));
    }

    /** Whether each of its ranks has the least. */
    private boolean isFull(int executor) {
      return dealt.get(executor).size() >= executors.get(executor).slots() * least;
    }

    private double load(int executor) {
      return (double) dealt.get(executor).size() / executors.get(executor).slots();
    }

    List<Rank> ranks() {
      List<Rank> ranks = new ArrayList<>();
      for (int executor = 0; executor < dealt.size(); executor++) {
        List<Integer> own = dealt.get(executor);
        own.sort(null);
        int seats = Math.min(executors.get(executor).slots(), own.size());
        for (int seat = 0; seat < seats; seat++) {
          List<Integer> part =
              own.subList(first(seat, seats, own.size()), first(seat + 1, seats, own.size()));
          ranks.add(
              new Rank(
                  part.stream().mapToInt(Integer::intValue).toArray(),
                  executors.get(executor).place()));
        }
      }
      ranks.sort(Comparator.comparingInt(rank -> rank.partitions()[0]));
      return ranks;
    }
  }

  /** The first thing of a part, where things are divided as evenly as possible. */
  private static int first(int part, int parts, int count) {
    return (int) ((long) part * count / parts);
  }
}
