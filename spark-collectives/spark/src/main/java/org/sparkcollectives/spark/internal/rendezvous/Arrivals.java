package org.sparkcollectives.spark.internal.rendezvous;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The ranks of an attempt, some of which have come. For whoever holds the attempt's lock. */
final class Arrivals {
  private final @Nullable Arrival[] byRank;
  private int count;

  /** Nobody of so many ranks has come. */
  Arrivals(int size) {
    byRank = new Arrival[size];
  }

  /** How many have come. */
  int count() {
    return count;
  }

  /** Whether all have. */
  boolean complete() {
    return count == byRank.length;
  }

  /** Whether a rank is one of the attempt and has not come. */
  boolean expects(int rank) {
    return rank >= 0 && rank < byRank.length && byRank[rank] == null;
  }

  /** A rank of the attempt, or null if it has not come. */
  @Nullable Arrival of(int rank) {
    return byRank[rank];
  }

  /** One that is expected comes. */
  void add(Arrival arrival) {
    byRank[arrival.join().rank()] = arrival;
    count++;
  }

  /** One that has come is to come again. */
  void recall(int rank) {
    byRank[rank] = null;
    count--;
  }

  /** Those that have come, in rank order. */
  Stream<Arrival> present() {
    return Arrays.stream(byRank).filter(Objects::nonNull).map(Objects::requireNonNull);
  }

  /** Which of those ranks have not come for which a condition holds. */
  List<Integer> missing(IntPredicate which) {
    return IntStream.range(0, byRank.length)
        .filter(rank -> byRank[rank] == null && which.test(rank))
        .boxed()
        .toList();
  }

  /** A rank of the attempt, for messages. */
  String who(int rank) {
    Arrival arrival = byRank[rank];
    return arrival == null ? "rank " + rank : arrival.who();
  }
}
