package org.sparkcollectives.internal.group;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Connections to rank 0 by those who do not know the secret, or not yet; the group meets anyway.
 */
class StrangersTest {
  private static final int LIMIT_SECONDS = 60;
  private static final int SIZE = 3;
  private static final byte[] SECRET = MeetingKey.random(32);

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final CompletableFuture<String> listening = new CompletableFuture<>();
  private final List<Socket> sockets = new ArrayList<>();
  private final List<Future<Integer>> ranks = new ArrayList<>();
  private Address address = new Address("", 0);
  private volatile boolean flooded = true;

  @BeforeEach
  void startRankZero() throws Exception {
    ranks.add(open(0, new Address("127.0.0.1", 0), SECRET));
    address = Address.parse(listening.get(LIMIT_SECONDS, TimeUnit.SECONDS));
  }

  /** The others come, and all meet, whatever has happened before. */
  @AfterEach
  void allMeet() throws Exception {
    try {
      for (int rank = 1; rank < SIZE; rank++) {
        ranks.add(open(rank, address, SECRET));
      }
      for (int rank = 0; rank < SIZE; rank++) {
        assertEquals(rank, ranks.get(rank).get(LIMIT_SECONDS, TimeUnit.SECONDS));
      }
    } finally {
      flooded = false;
      for (Socket socket : sockets) {
        socket.close();
      }
      threads.shutdownNow();
    }
    assertTrue(threads.awaitTermination(LIMIT_SECONDS, TimeUnit.SECONDS));
  }

  private Future<Integer> open(int rank, Address first, byte[] secret) {
    GroupPlan plan = Plans.of(SIZE, rank, first, secret, listening::complete);
    return threads.submit(
        () -> {
          try (ProcessGroup group = ProcessGroup.open(plan)) {
            return group.rank();
          }
        });
  }

  private Socket connect() throws IOException {
    Socket socket = new Socket(InetAddress.getByName(address.host()), address.port());
    socket.setSoTimeout(LIMIT_SECONDS * 1000);
    sockets.add(socket);
    return socket;
  }

  private static void send(Socket socket, ByteBuffer frame) throws IOException {
    byte[] bytes = new byte[frame.limit()];
    frame.get(0, bytes);
    socket.getOutputStream().write(bytes);
  }

  private static ByteBuffer read(Socket socket, int bytes) throws IOException {
    return ByteBuffer.wrap(socket.getInputStream().readNBytes(bytes));
  }

  /** Whether rank 0 has hung up, having said nothing. */
  private static void assertCutOff(Socket socket) throws IOException {
    try {
      assertEquals(-1, socket.getInputStream().read());
    } catch (SocketException reset) {
      assertFalse(socket.isClosed(), reset.toString());
    }
  }

  private static MeetingFrames.Join join() {
    Card card = new Card("stranger", "127.0.0.1", 1, "", "", "");
    return new MeetingFrames.Join(SIZE, 1, 1000, MeetingKey.digest(List.of()), false, card);
  }

  @Test
  void whoDoesNotKnowTheSecretLearnsNothingAndIsCutOff() throws Exception {
    Socket socket = connect();
    ByteBuffer hello = MeetingFrames.hello();
    send(socket, hello);
    ByteBuffer challenge = read(socket, MeetingFrames.CHALLENGE_BYTES);
    MeetingKey guess = new MeetingKey(MeetingKey.random(32));
    Greeting greeting = new Greeting(guess, hello, Greeting.withoutCode(challenge));
    send(socket, greeting.join(MeetingFrames.join(join())));
    assertCutOff(socket);
  }

  @Test
  void aRecordedJoinIsWorthNothingOnAnotherConnection() throws Exception {
    Socket first = connect();
    ByteBuffer hello = MeetingFrames.hello();
    send(first, hello);
    ByteBuffer challenge = read(first, MeetingFrames.CHALLENGE_BYTES);
    Greeting greeting =
        new Greeting(new MeetingKey(SECRET), hello, Greeting.withoutCode(challenge));
    ByteBuffer recorded = greeting.join(MeetingFrames.join(join()));
    Socket second = connect();
    send(second, hello);
    read(second, MeetingFrames.CHALLENGE_BYTES);
    send(second, recorded);
    assertCutOff(second);
  }

  @Test
  void whatIsNoFrameEndsTheConnectionAtItsHeader() throws Exception {
    Socket socket = connect();
    send(socket, ByteBuffer.wrap("GET / HT".getBytes(StandardCharsets.US_ASCII)));
    assertCutOff(socket);
  }

  @Test
  void whoSpeaksAnotherVersionIsToldThisOneAndNothingElse() throws Exception {
    Socket socket = connect();
    ByteBuffer hello = MeetingFrames.hello();
    short version = hello.getShort(4);
    send(socket, hello.putShort(4, (short) 99));
    ByteBuffer answer = read(socket, MeetingFrames.HEADER_BYTES);
    assertEquals(MeetingFrames.MAGIC, answer.getInt(0));
    assertEquals(version, answer.getShort(4));
    assertCutOff(socket);
  }

  @Test
  void aFrameOfMoreBytesThanAJoinHasIsNotWaitedFor() throws Exception {
    Socket socket = connect();
    send(socket, MeetingFrames.hello());
    read(socket, MeetingFrames.CHALLENGE_BYTES);
    ByteBuffer join = MeetingFrames.join(join());
    join.putInt(MeetingFrames.HEADER_BYTES, MeetingFrames.MOST_JOIN_BYTES + 1);
    send(socket, join.duplicate().limit(MeetingFrames.PREFIX_BYTES));
    assertCutOff(socket);
  }

  @Test
  void whoSaysMoreThanIsDueLosesItsPlace() throws Exception {
    Socket socket = connect();
    ByteBuffer hello = MeetingFrames.hello();
    send(socket, hello);
    ByteBuffer challenge = read(socket, MeetingFrames.CHALLENGE_BYTES);
    Greeting greeting =
        new Greeting(new MeetingKey(SECRET), hello, Greeting.withoutCode(challenge));
    send(socket, greeting.join(MeetingFrames.join(join())));
    send(socket, ByteBuffer.wrap(new byte[1]));
    assertCutOff(socket);
  }

  @Test
  void aFloodKeepsNobodyOut() throws Exception {
    CountDownLatch begun = new CountDownLatch(4);
    for (int i = 0; i < 4; i++) {
      Future<?> unused =
          threads.submit(
              () -> {
                while (flooded) {
                  begun.countDown();
                  try (Socket socket = new Socket(address.host(), address.port())) {
                    socket.setSoLinger(true, 0);
                  } catch (IOException closed) {
                    Thread.onSpinWait(); // rank 0 listens no longer: all have met
                  }
                }
              });
    }
    assertTrue(begun.await(LIMIT_SECONDS, TimeUnit.SECONDS));
  }

  @Test
  void manyWhoAreSilentKeepNobodyOut() throws Exception {
    for (int i = 0; i < 400; i++) {
      connect();
    }
    assertCutOff(sockets.get(0)); // the oldest makes room
  }
}
