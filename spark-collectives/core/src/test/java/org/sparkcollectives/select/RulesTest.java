package org.sparkcollectives.select;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.internal.select.Selector;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Topology;

class RulesTest {
  private static final Collective ALLREDUCE = Collective.ALLREDUCE;

  private static Request request(int size, long bytes) {
    return Request.of(ALLREDUCE, size, bytes, false, Topology.FLAT);
  }

  private static String chosen(String rules, int size, long bytes) {
    Policy policy = Policy.DEFAULT.withRules(ALLREDUCE, Rules.parse(ALLREDUCE, rules));
    return new Selector(policy).choose(request(size, bytes)).algorithm().slug();
  }

  @Test
  void theFirstRuleThatHoldsDecides() {
    String rules = "bytes<=4k: recursive-doubling; size>=16,bytes>1m: two-tree; rabenseifner";
    assertEquals("recursive-doubling", chosen(rules, 32, 4096));
    assertEquals("rabenseifner", chosen(rules, 32, 4104));
    assertEquals("two-tree", chosen(rules, 16, (1 << 20) + 8));
    assertEquals("rabenseifner", chosen(rules, 15, 1 << 21));
    assertEquals("ring", chosen(" ring ; ", 15, 1 << 21));
    assertEquals("ring", chosen("size=3:ring;two-tree", 3, 8));
    assertEquals("two-tree", chosen("size < 3 , bytes < 1G : ring;two-tree", 3, 8));
  }

  @Test
  void inAnAllToAllBytesAreThoseThatOneRankSends() {
    Collective collective = Collective.ALLTOALL;
    Rules rules = Rules.parse(collective, "bytes<=4k: linear; bruck");
    Selector selector = new Selector(Policy.DEFAULT.withRules(collective, rules));
    Request few = Request.of(collective, 100, 4096, false, Topology.FLAT);
    Request many = Request.of(collective, 100, 8192, false, Topology.FLAT);
    assertEquals("linear", selector.choose(few).algorithm().slug());
    assertEquals("bruck", selector.choose(many).algorithm().slug());
    String text = selector.explain(many, null).text();
    assertTrue(text.contains(" 8192 bytes"), text);
  }

  @Test
  void whereNoRuleHoldsTheCheapestIsTaken() {
    Rules rules = Rules.parse(ALLREDUCE, "size>1000: ring");
    assertNull(rules.match(request(8, 8)));
    assertEquals(
        new Selector(Policy.DEFAULT).choose(request(8, 8)).algorithm().slug(),
        chosen("size>1000: ring", 8, 8));
    assertEquals(Rules.NONE, Rules.parse(ALLREDUCE, "  "));
  }

  @Test
  void rulesAreWrittenAsTheyAreRead() {
    Rules rules = Rules.parse(ALLREDUCE, "bytes<=4k:ring;size>=16,bytes>1m: two-tree;ring");
    assertEquals(rules, Rules.parse(ALLREDUCE, rules.toString()));
  }

  @Test
  void aNameInTheCallComesFirst() {
    Policy policy = Policy.DEFAULT.withRules(ALLREDUCE, Rules.always("ring"));
    Selector selector = new Selector(policy);
    assertEquals("two-tree", selector.choose(request(5, 80), "two-tree").algorithm().slug());
    assertTrue(selector.explain(request(5, 80), "two-tree").reason().contains("call"));
    assertTrue(selector.explain(request(5, 80), null).reason().contains("'ring'"));
  }

  @Test
  void whatCannotBeReadIsNamed() {
    for (List<String> bad :
        List.of(
            List.of("bytes=<4k: ring", "bytes=<4k"),
            List.of("ranks>4: ring", "ranks>4"),
            List.of("bytes>4x: ring", "bytes>4x"),
            List.of("bytes>4k: star", "star"),
            List.of("bytes>999999999999999g: ring", "above 2^63"),
            List.of("bytes>4k,: ring", "''"),
            List.of("bytes<=4k ring; two-tree", "no colon stands between"),
            List.of("ring;;two-tree", "empty"))) {
      InvalidInputException e =
          assertThrows(
              InvalidInputException.class, () -> Rules.parse(ALLREDUCE, bad.get(0)), bad.get(0));
      assertTrue(e.getMessage().contains(bad.get(1)), e.getMessage());
    }
  }
}
