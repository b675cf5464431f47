package org.sparkcollectives.tools.internal.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.sparkcollectives.internal.algorithm.Algorithm;
import org.sparkcollectives.internal.algorithm.Algorithms;
import org.sparkcollectives.internal.conformance.Conformance;
import org.sparkcollectives.internal.conformance.Sweep;
import org.sparkcollectives.internal.draw.ScheduleText;
import org.sparkcollectives.schedule.BlockRange;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Combine;
import org.sparkcollectives.schedule.Copy;
import org.sparkcollectives.schedule.Piece;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Receive;
import org.sparkcollectives.schedule.Round;
import org.sparkcollectives.schedule.Schedule;
import org.sparkcollectives.schedule.Send;
import org.sparkcollectives.schedule.Topology;

final class ScheduleJsonTest {
  private static final String EXAMPLE =
      """
      {"collective":"allreduce","algorithm":"two-tree","size":5,"root":0,"blocks":4,"ordered":true,\
      "ranks":[{"rank":0,"owned":[0,4],\
      "rounds":[{"send":{"peer":3,"slot":0,"block":1},\
      "recv":{"peer":2,"slot":1,"from":0,"to":2},\
      "local":[{"op":"combine","dst":0,"left":0,"right":1,"block":0},\
      {"op":"copy","dst":0,"src":1,"block":1}]},{},\
      {"recv":{"peer":1,"slot":0,"block":3}}]}]}""";

  private static final List<Schedule> SCHEDULES =
      List.of(
          new Schedule(
              new Problem(Collective.ALLREDUCE, 5, 0, 4, true),
              "two-tree",
              0,
              new BlockRange(0, 4),
              List.of(
                  new Round(
                      new Send(3, 0, BlockRange.of(1)),
                      new Receive(2, 1, new BlockRange(0, 2)),
                      List.of(
                          new Combine(0, 0, 1, BlockRange.of(0)),
                          new Copy(0, 1, BlockRange.of(1)))),
                  Round.IDLE,
                  new Round(null, new Receive(1, 0, BlockRange.of(3)), List.of()))));

  static List<Algorithm> algorithms() {
    return Algorithms.all();
  }

  @Test
  void writesTheFixedForm() {
    assertEquals(EXAMPLE, ScheduleJson.write(SCHEDULES));
  }

  @Test
  void readsTheFixedForm() {
    assertEquals(SCHEDULES, ScheduleJson.read(EXAMPLE));
  }

  @Test
  void piecesAndHostsHaveTheirForm() {
    String text =
        """
        {"collective":"barrier","algorithm":"none","size":3,"root":0,"blocks":4,"ordered":false,\
        "hosts":[0,1,1],"processes":[0,1,2],"ranks":[{"rank":0,"owned":[0,4],\
        "rounds":[{"send":{"peer":1,"pieces":[{"slot":0,"block":3},{"slot":1,"from":0,"to":2}]}}]}]}""";
    List<Piece> pieces =
        List.of(new Piece(0, BlockRange.of(3)), new Piece(1, new BlockRange(0, 2)));
    Problem problem =
        new Problem(Collective.BARRIER, 3, 0, 4, false)
            .on(Topology.ofHosts(List.of("a", "b", "b")));
    List<Schedule> schedules =
        List.of(
            new Schedule(
                problem,
                "none",
                0,
                new BlockRange(0, 4),
                List.of(new Round(new Send(1, pieces), null, List.of()))));
    assertEquals(text, ScheduleJson.write(schedules));
    assertEquals(schedules, ScheduleJson.read(text));
    assertTrue(
        ScheduleText.header(schedules.get(0)).endsWith("2 hosts [0, 1, 1]"),
        ScheduleText.header(schedules.get(0)));
    assertTrue(
        ScheduleText.rounds(schedules.get(0)).contains("send v[3] s1[0, 2) to 1"),
        ScheduleText.rounds(schedules.get(0)));
  }

  @ParameterizedTest
  @MethodSource("algorithms")
  void readsWhatItWrites(Algorithm algorithm) {
    List<Schedule> schedules = Conformance.schedules(algorithm, Sweep.example(algorithm, 6));
    assertEquals(schedules, ScheduleJson.read(ScheduleJson.write(schedules)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "\"size\":5 | \"size\":\"5\" | schedules.size is to be a whole number",
        "\"size\":5, |  | schedules has no size",
        "\"ordered\":true | \"ordered\":1 | schedules.ordered is to be true or false",
        "\"allreduce\" | \"allred\" | no collective is called 'allred'",
        "\"two-tree\" | 7 | schedules.algorithm is to be a text",
        "\"size\":5 | \"size\":5,\"processes\":[0,0,1,1,2] | schedules has processes, but no hosts",
        "\"size\":5 | \"size\":5,\"racks\":[0,0,1,1,2] | schedules has racks, but no hosts",
        "\"size\":5 | \"size\":5,\"parts\":[1,1,1,1,0] | schedules has parts, but allreduce divides"
            + " no vector",
        "[0,4] | [0] | schedules.ranks[0].owned is to be two numbers",
        "{}, | 3, | schedules.ranks[0].rounds[1] is to be an object",
        "{}, | {\"sent\":1}, | schedules.ranks[0].rounds[1] has an unknown sent",
        "\"op\":\"copy\" | \"op\":\"move\" | schedules.ranks[0].rounds[0].local[1].op is to be"
            + " combine or copy",
        "\"from\":0 | \"from\":0,\"block\":0 | schedules.ranks[0].rounds[0].recv.block is to be"
            + " alone, without from and to",
        "\"rank\":0 | \"rank\":0,\"rank\":0 | line 1 is no JSON",
        "]}]} | ]}]}x | line 1 is no JSON"
      })
  void saysWhereTheFormIsBroken(String part, String replacement, String message) {
    assertTrue(EXAMPLE.contains(part), part);
    String broken = EXAMPLE.replace(part, replacement == null ? "" : replacement);
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> ScheduleJson.read(broken));
    assertTrue(String.valueOf(e.getMessage()).startsWith(message), e.getMessage());
  }

  @Test
  void whatIsTooDeepIsRefused() {
    String deep = "[".repeat(1100) + "]".repeat(1100);
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> ScheduleJson.read(deep));
    assertTrue(String.valueOf(e.getMessage()).contains(" is no JSON: "), e.getMessage());
  }

  @Test
  void textNamesSlotsBlocksAndPeers() {
    assertEquals(
        "allreduce by two-tree, 5 ranks, 4 blocks, in order",
        ScheduleText.header(SCHEDULES.get(0)));
    assertEquals(
        """
        rank 0
          round 0: send v[1] to 3; receive s1[0, 2) from 2; v[0] = v ⊕ s1; v[1] = s1
          round 2: receive v[3] from 1
        """,
        ScheduleText.rounds(SCHEDULES.get(0)));
    Problem divided = new Problem(Collective.REDUCE_SCATTER, 2, 0, 4, false);
    Schedule part = new Schedule(divided, "none", 0, new BlockRange(0, 2), List.of());
    assertEquals("rank 0, owns [0, 2)\n", ScheduleText.rounds(part));
  }
}
