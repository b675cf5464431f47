package org.sparkcollectives.internal.calibrate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.CommunicatorOptions;
import org.sparkcollectives.Group;
import org.sparkcollectives.GroupOptions;
import org.sparkcollectives.error.InvalidInputException;

/** The number of connections that is found where a card's rate and a connection's are known. */
@Timeout(120)
final class ConnectionSearchTest {

  @ParameterizedTest
  @CsvSource({
    "10, 10, 1",
    "10, 9, 1",
    "10, 8, 2",
    "25, 10, 4",
    "25, 5, 8",
    "100, 5, 32",
    "1000, 5, 64",
    "10, 100, 1"
  })
  void asManyAsFillTheCard(double card, double connection, int expected) {
    List<String> told = new ArrayList<>();
    int found =
        ConnectionSearch.search(
            count -> 8 / Math.min(card, count * connection), // ns per byte at rates in Gbit/s
            told::add);
    assertEquals(expected, found);
    int measured = Math.min(2 * expected, 64);
    List<Integer> numbers =
        told.stream().map(line -> Integer.parseInt(line.substring(0, line.indexOf(' ')))).toList();
    assertEquals(
        IntStream.iterate(1, n -> n <= measured, n -> 2 * n).boxed().toList(),
        numbers,
        told::toString);
  }

  @Test
  void aDisturbedFirstTimeIsNotBelieved() {
    double[] times = {9, 5, 5.1}; // of 1, 2 and again 1
    int[] next = {0};
    assertEquals(1, ConnectionSearch.search(count -> times[next[0]++], line -> {}));
    assertEquals(times.length, next[0]);
  }

  @Test
  void whatCannotBeMeasuredIsNoGain() {
    assertEquals(1, ConnectionSearch.search(count -> count == 1 ? 1 : Double.NaN, line -> {}));
  }

  /** Two processes of two hosts, as far as they know, find the same number. */
  @Test
  void allRanksFindTheSame() throws Exception {
    CompletableFuture<String> first = new CompletableFuture<>();
    GroupOptions.Builder zero =
        options().rank(0).first("localhost:0").listening(first::complete).node("a");
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      Future<Integer> ofZero = threads.submit(() -> found(zero));
      String address = first.get(30, TimeUnit.SECONDS);
      Future<Integer> ofOne = threads.submit(() -> found(options().first(address).node("b")));
      assertEquals(ofZero.get(60, TimeUnit.SECONDS), ofOne.get(60, TimeUnit.SECONDS));
    } finally {
      threads.shutdownNow();
    }
  }

  private static GroupOptions.Builder options() {
    return GroupOptions.builder().size(2).secret("0123456789abcdef".repeat(4));
  }

  private static int found(GroupOptions.Builder options) {
    List<String> told = new ArrayList<>();
    try (Group group = Group.open(options.build())) {
      int found =
          ConnectionSearch.search(
              count -> {
                try (Communicator communicator =
                    group.communicator(CommunicatorOptions.DEFAULT, count)) {
                  return ConnectionSearch.nanosPerByte(communicator);
                }
              },
              told::add);
      assertTrue(told.size() >= 2, told::toString);
      InvalidInputException e =
          assertThrows(
              InvalidInputException.class,
              () -> group.communicator(CommunicatorOptions.DEFAULT, 65));
      assertTrue(e.getMessage().contains("1 to 64"), e.getMessage());
      return found;
    }
  }

  @Test
  void ranksOfOneHostHaveNothingToFind() {
    List<Integer> found =
        Group.threads(
            2,
            CommunicatorOptions.DEFAULT,
            communicator ->
                ConnectionSearch.search(
                    count -> ConnectionSearch.nanosPerByte(communicator),
                    line -> {
                      throw new AssertionError(line);
                    }));
    assertEquals(List.of(1, 1), found);
  }
}
