package org.sparkcollectives.ml.internal.state;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sparkcollectives.Communicator;
import org.sparkcollectives.CommunicatorOptions;
import org.sparkcollectives.Group;

/** States of trainings that share a folder. */
@Timeout(60)
class StateKeeperTest {
  private static final CommunicatorOptions OPTIONS =
      CommunicatorOptions.DEFAULT.withTimeout(Duration.ofSeconds(30));

  @TempDir private Path folder;

  /** Its file has more than one block with a checksum, of which the first one tells its length. */
  private record Counted(int iteration, String rest) implements StateKeeper.Kept {
    Counted(int iteration) {
      this(iteration, "-".repeat(2000));
    }
  }

  @Test
  void onlyTheStateThatWasReadIsJudged() throws Exception {
    trainOne();
    Path newest = folder.resolve("state-000000002");
    byte[] right = Files.readAllBytes(newest);
    byte[] wrong = StateFiles.spoil(newest);
    assertEquals(List.of(0, 0), onTwoRanks(communicator -> resumed(communicator, "another")));
    assertFalse(Files.exists(folder.resolve("state-000000001")), "of another training");
    assertArrayEquals(wrong, Files.readAllBytes(newest), "may be readable later");
    Files.write(newest, right);
    assertEquals(List.of(2, 2), onTwoRanks(communicator -> resumed(communicator, "one")));
  }

  /** As of a class that called its number of iterations by another name. */
  @Test
  void aStateThatDoesNotKnowItsIterationIsNone() throws Exception {
    trainOne();
    Path other = folder.resolve("state-000000003");
    Files.move(folder.resolve("state-000000002"), other);
    assertEquals(List.of(1, 1), onTwoRanks(communicator -> resumed(communicator, "one")));
    assertFalse(Files.exists(other));
  }

  /** A training that leaves the states of its two iterations. */
  private void trainOne() {
    onTwoRanks(
        communicator -> {
          StateKeeper<Counted> keeper = keeper(communicator, "one");
          keeper.keep(new Counted(1));
          keeper.keep(new Counted(2));
          keeper.end(new Counted(2));
          return 0;
        });
  }

  private static <T> List<T> onTwoRanks(Group.RankFunction<T> ranks) {
    return Group.threads(2, OPTIONS, ranks);
  }

  private StateKeeper<Counted> keeper(Communicator communicator, String description) {
    String training = description + " " + communicator.rank();
    Checkpoints states = new Checkpoints(folder.toUri().toString(), 1, new Configuration());
    return new StateKeeper<>(communicator, training, description, states);
  }

  private int resumed(Communicator communicator, String description) throws Exception {
    Counted state = keeper(communicator, description).newest(9, same -> true);
    return state == null ? 0 : state.iteration();
  }
}
