package org.sparkcollectives.spark.internal.ui;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.spark.SparkConf;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.status.ElementTrackingStore;
import org.apache.spark.util.kvstore.InMemoryStore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sparkcollectives.spark.internal.bridge.Scala;
import org.sparkcollectives.spark.internal.events.CallEvent;
import org.sparkcollectives.spark.internal.events.TrainingEvent;
import org.sparkcollectives.testing.Await;

/** What the pages show of calls of all kinds, without Spark around them. */
@Timeout(180)
@Tag("cross-version")
class PagesTest {
  private final ElementTrackingStore store =
      new ElementTrackingStore(new InMemoryStore(), new SparkConf(false));
  private final CallStore calls = new CallStore(store);

  @AfterEach
  void close() {
    store.close();
  }

  private CallEvent add(long number) {
    CallEvent event = event(number);
    CallStore.add(store, event);
    return event;
  }

  private static CallEvent event(long number) {
    CallEvent event = new CallEvent();
    event.call = number;
    event.operation = "allReduce";
    event.callSite = "allReduce at App.java:" + number;
    event.state = CallEvent.SUCCEEDED;
    event.millis = (number * 7919) % 10_007;
    event.ranks = 4;
    return event;
  }

  private String list(Map<String, String> parameters) {
    return new ListPage(calls, List::of).page(parameters::get).text();
  }

  private String call(String id) {
    return new CallPage(calls).page(Map.of("id", id)::get).text();
  }

  private static int count(String text, String part) {
    return text.split(Pattern.quote(part), -1).length - 1;
  }

  @Test
  void withoutCallsThePagesSaySo() {
    assertTrue(list(Map.of()).contains("No call of the library has ended yet."));
    for (String id : new String[] {"1", "", "-1", "x", "99999999999999999999"}) {
      assertTrue(call(id).contains("There is no such call"), id);
    }
    String training = new TrainingPage(calls).page(name -> null).text();
    assertTrue(training.contains("There is no such training"), training);
  }

  @Test
  void tenThousandCallsAreShownPageByPageInAnyOrder() {
    for (int i = 1; i <= 10_000; i++) {
      add(i);
    }
    String first = list(Map.of());
    assertTrue(first.contains("10000 calls") && first.contains("Page 1 of 100"), first);
    assertEquals(ListPage.PAGE, count(first, "call/?id="));
    assertTrue(first.contains("call/?id=10000\"") && !first.contains("call/?id=9900\""));
    assertTrue(first.length() < 100_000, () -> "" + first.length());

    String last = list(Map.of("page", "100", "order", "up"));
    assertTrue(last.contains("call/?id=9901\"") && last.contains("Page 100 of 100"), last);
    assertTrue(list(Map.of("page", "9999")).contains("Page 100 of 100"));
    assertTrue(list(Map.of("page", "0")).contains("Page 1 of 100"));

    String slowest = list(Map.of("sort", "Duration"));
    long number = 1;
    for (long i = 1; i <= 10_000; i++) {
      number = (i * 7919) % 10_007 > (number * 7919) % 10_007 ? i : number;
    }
    String line = slowest.substring(slowest.indexOf("call/?id="));
    assertTrue(line.startsWith("call/?id=" + number + "\""), line);
    assertTrue(list(Map.of("sort", "<b>")).contains("call/?id=10000\""));
  }

  /** A call that took long ends after others that began later. */
  @Test
  void theHistoryServerForgetsTheCallsThatEndedFirst() {
    SparkConf conf = new SparkConf(false).set("spark.collectives.ui.retainedCalls", "10");
    for (SparkListener listener :
        Scala.asJava(new CollectivesHistoryPlugin().createListeners(conf, store))) {
      for (int i = 2; i <= 200; i++) {
        listener.onOtherEvent(event(i));
        listener.onOtherEvent(new TrainingEvent());
      }
      listener.onOtherEvent(event(1));
    }
    Await.until( // Spark's store does that in a thread of its own
        "ten calls and ten trainings, the latest",
        () -> calls.calls().size() <= 10 && calls.trainings().size() <= 10);
    assertEquals(200, calls.calls().get(0).call);
    assertFalse(call("1").contains("There is no such call"));
    assertTrue(call("2").contains("There is no such call"));
  }

  @Test
  void everyTextIsEscaped() {
    String evil = "<script>alert('x')</script>\"&\u0000";
    CallEvent event = add(1);
    event.callSite = evil;
    event.operation = evil;
    event.failure = evil;
    event.state = evil;
    event.why = evil;
    event.algorithm = evil;
    event.elements = evil;
    event.applicationAttempt = evil;
    event.collective = evil;
    CallEvent.Rank rank = new CallEvent.Rank();
    rank.host = evil;
    rank.executor = evil;
    event.rankFigures.add(rank);
    CallEvent.Candidate candidate = new CallEvent.Candidate();
    candidate.algorithm = evil;
    event.candidates.add(candidate);
    CallEvent.Operations operations = new CallEvent.Operations();
    operations.algorithm = evil;
    operations.collective = evil;
    event.operations.add(operations);
    CallEvent.Attempt attempt = new CallEvent.Attempt();
    attempt.cause = evil;
    attempt.state = evil;
    event.attempts.add(attempt);
    TrainingEvent training = new TrainingEvent();
    training.name = evil;
    training.reason = evil;
    training.call = 1;
    CallStore.add(store, 1, training);
    String trainingPage = new TrainingPage(calls).page(Map.of("id", "1")::get).text();
    for (String page : new String[] {list(Map.of()), call("1"), trainingPage}) {
      assertFalse(page.contains("<script"), page);
      assertFalse(page.contains("\u0000"), page);
      assertTrue(page.contains("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&quot;&amp;"), page);
    }
  }

  @Test
  void aCallShowsItsRanksAndWhoCameLast() {
    CallEvent event = add(5);
    event.hosts = 1;
    event.executors = 2;
    event.collective = "ALLREDUCE";
    event.algorithm = "two-tree";
    event.blocks = 100;
    event.participants = 4;
    event.why = "it is the cheapest";
    for (int i = 0; i < 4; i++) {
      CallEvent.Rank rank = new CallEvent.Rank();
      rank.rank = i;
      rank.host = "host";
      rank.executor = "executor " + i;
      rank.arrived = i == 2 ? 80 : 10;
      rank.waited = 90 - rank.arrived;
      rank.worked = 10;
      event.rankFigures.add(rank);
    }
    CallEvent.Candidate candidate = new CallEvent.Candidate();
    candidate.algorithm = "ring";
    candidate.millis = 1.5;
    event.candidates.add(candidate);
    String page = call("5");
    assertEquals(1, count(page, "class=\"straggler\""));
    String straggler = page.substring(page.indexOf("class=\"straggler\""));
    assertTrue(straggler.startsWith("executor 2", straggler.indexOf("executor")), straggler);
    assertTrue(page.contains("80 ms (last)"), page);
    assertTrue(page.contains("<rect x=\"80.00%\" y=\"2\" width=\"10.00%\""), page);
    assertTrue(page.contains("two-tree in 100 blocks: it is the cheapest"), page);
    assertTrue(page.contains("<td>ring</td><td>1.50 ms</td>"), page);
    assertTrue(page.contains("With 8 blocks in place of 100."), page);
    assertTrue(page.contains("src=\"data:image/svg+xml;base64,"), page);
  }

  @Test
  void ofManyRanksOfWhichNoneCameThereIsNoFirst() {
    CallEvent event = add(7);
    event.state = CallEvent.FAILED;
    event.ranks = 100;
    for (int i = 0; i < 64; i++) {
      CallEvent.Rank rank = new CallEvent.Rank();
      rank.rank = i;
      event.rankFigures.add(rank);
    }
    String none = call("7");
    assertTrue(none.contains("<p>Some of 100 ranks, none of which has come.</p>"), none);
    assertEquals(64, count(none, "has not come"));
    assertFalse(none.contains("0 to") || none.contains("<rect") || none.contains("Grey"), none);
    event.rankFigures.get(0).arrived = 12;
    event.firstArrived = 12;
    String one = call("7");
    assertTrue(one.contains("the first came after 12 ms."), one);
    assertTrue(one.contains("<th>0 to 12 ms</th>"), one);
    assertEquals(64, count(one, "<svg"));
  }

  @Test
  void thePictureFollowsTheRacks() {
    CallEvent event = add(6);
    event.collective = "ALLREDUCE";
    event.algorithm = "ring";
    event.blocks = 4;
    event.participants = 4;
    event.participantHosts.addAll(List.of(0, 1, 2, 3));
    event.participantProcesses.addAll(List.of(0, 1, 2, 3));
    String without = call("6");
    assertTrue(without.contains("src=\"data:image/svg+xml;base64,"), without);
    event.participantRacks.addAll(List.of(0, 1, 0, 1));
    String with = call("6");
    assertTrue(with.contains("src=\"data:image/svg+xml;base64,"), with);
    assertNotEquals(without, with, "0 and 2 are neighbours of the ring");
  }

  @Test
  void aCallOfManyRanksOrOfWhatIsUnknownHasNoPicture() {
    CallEvent many = add(1);
    many.ranks = 1000;
    many.participants = 1000;
    many.collective = "ALLREDUCE";
    many.algorithm = "two-tree";
    many.blocks = 4;
    assertTrue(call("1").contains("Schedules of more than 64 ranks are not drawn"));
    CallEvent own = add(2);
    own.participants = 4;
    own.collective = "ALLREDUCE";
    own.algorithm = "the-users-own";
    own.blocks = 4;
    assertTrue(call("2").contains("There is no picture: "), () -> call("2"));
    CallEvent later = add(3);
    later.participants = 4;
    later.collective = "NEIGHBOURS";
    later.algorithm = "direct";
    String page = call("3");
    assertTrue(page.contains("this version of the library has no collective NEIGHBOURS."), page);
    assertFalse(page.contains("ranks are not drawn"), page);
  }

  @Test
  void aFailedCallShowsTheFirstCauseOfEachAttempt() {
    CallEvent event = add(3);
    event.state = CallEvent.FAILED;
    event.failure = "allReduce failed at each of 2 attempts";
    event.attemptCount = 2;
    for (int i = 0; i < 2; i++) {
      CallEvent.Attempt attempt = new CallEvent.Attempt();
      attempt.number = i;
      attempt.jobs.add(10 + i);
      attempt.stage = 20 + i;
      attempt.ranks = 4;
      attempt.came = 3;
      attempt.state = CallEvent.FAILED;
      attempt.cause = "executor " + i + " was lost";
      event.attempts.add(attempt);
    }
    String page = call("3");
    assertTrue(page.contains("executor 0 was lost") && page.contains("executor 1 was lost"), page);
    assertTrue(page.contains("../../jobs/job/?id=10\"") && page.contains("3 of 4"), page);
    assertTrue(page.contains("../../stages/stage/?id=21&amp;attempt=0\""), page);
    String list = list(Map.of());
    assertTrue(list.contains("1 call, 1 of them failed"), list);
    assertTrue(list.contains("allReduce failed at each of 2 attempts"), list);
    assertTrue(list.contains("../jobs/job/?id=11\""), list);
  }

  @Test
  void aTrainingIsAChart() {
    add(9);
    TrainingEvent training = new TrainingEvent();
    training.name = "logistic regression";
    training.call = 9;
    training.iterations = 4;
    training.resumedAt = 1;
    training.iterationsMillis = 36;
    training.coefficients = 1597;
    training.objective(new double[] {4, 2, Double.NaN, 1, 0});
    CallStore.add(store, 1, training);
    String page = new TrainingPage(calls).page(Map.of("id", "1")::get).text();
    assertTrue(page.contains("<svg class=\"objective\""), page);
    assertTrue(page.contains("4.00000 to 0.00000"), page);
    assertTrue(page.contains("An iteration, on average:</strong> 12 ms"), page);
    assertTrue(page.contains("Coefficients that ranks sum:</strong> 1597"), page);
    assertTrue(page.contains("../call/?id=9\""), page);
    assertTrue(call("9").contains("<svg class=\"objective\""));
    assertTrue(list(Map.of()).contains("training/?id=1\""));
    training.objective(new double[] {Double.NaN});
    assertFalse(call("9").contains("<svg class=\"objective\""));
  }
}
