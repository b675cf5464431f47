package org.sparkcollectives.spark.internal.ui;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.apache.spark.SparkConf;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.deploy.history.FsHistoryProvider;
import org.apache.spark.deploy.history.HistoryServer;
import org.apache.spark.deploy.history.HistoryServer$;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sparkcollectives.error.CollectiveException;
import org.sparkcollectives.spark.JavaCollectives;
import org.sparkcollectives.spark.Progress;
import org.sparkcollectives.spark.internal.events.CallEvent;
import org.sparkcollectives.spark.internal.events.TrainingEvent;
import org.sparkcollectives.testing.Await;
import org.sparkcollectives.testing.HeadlessBrowser;
import org.sparkcollectives.vector.ReduceOp;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.xml.sax.SAXException;

/** The tab as a browser gets it from a live application, and then from the History Server. */
@Timeout(300)
@Tag("cross-version")
class CollectivesTabIT {
  private static final int RANKS = 4;
  private static final int LENGTH = 4096;
  private static final String PROMETHEUS = "org.apache.spark.metrics.sink.PrometheusServlet";
  private static final AtomicReference<CountDownLatch> COMPUTED = new AtomicReference<>();
  private static final String EVIL = "<script>alert('row')</script>";

  /** Holds all listeners of the shared queue up until it is released. */
  private static final class Slow extends SparkListener {
    final CountDownLatch released = new CountDownLatch(1);
    final List<CallEvent> calls = new CopyOnWriteArrayList<>();

    @Override
    public void onOtherEvent(SparkListenerEvent event) {
      try {
        assertTrue(released.await(5, TimeUnit.MINUTES));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      if (event instanceof CallEvent call) {
        calls.add(call);
      }
    }
  }

  private final HttpClient browser =
      HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NORMAL).build();

  private String get(String address) throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(address)).timeout(Duration.ofMinutes(1)).build();
    HttpResponse<String> response = browser.send(request, HttpResponse.BodyHandlers.ofString());
    assertEquals(200, response.statusCode(), () -> address + ": " + response.body());
    return response.body();
  }

  private static JavaRDD<double[]> vectors(JavaSparkContext context) {
    List<Integer> numbers = IntStream.range(0, RANKS).boxed().toList();
    return context.parallelize(numbers, RANKS).map(i -> new double[LENGTH]);
  }

  /** Prices may come after the first call of a kind, and are known to the next. */
  private void awaitPrices(String tab) {
    Await.until("prices", () -> get(tab + "/call/?id=1").contains("<h4>Candidates</h4>"));
  }

  private void calls(JavaSparkContext context, String tab) {
    context.setCallSite("sum at App.java:1");
    JavaCollectives.of(vectors(context)).allReduce(ReduceOp.SUM).destroy();
    awaitPrices(tab);
    JavaCollectives.of(vectors(context)).allReduce(ReduceOp.SUM).destroy();
    context.setCallSite("program at App.java:2");
    assertEquals(
        RANKS,
        JavaCollectives.of(vectors(context))
            .collectively(
                (communicator, elements) -> {
                  for (int i = 0; i < 10; i++) {
                    communicator.allReduce(new double[i + 1], ReduceOp.SUM);
                  }
                  communicator.barrier();
                  return List.of(communicator.rank()).iterator();
                })
            .count());
    JavaRDD<double[]> bad =
        vectors(context)
            .map(
                v -> {
                  throw new IllegalStateException(EVIL);
                });
    context.setCallSite("bad sum at App.java:3");
    assertThrows(
        CollectiveException.class, () -> JavaCollectives.of(bad).twoTreeReduce(ReduceOp.SUM));
    context.clearCallSite();
    TrainingEvent training = new TrainingEvent();
    training.name = "a training";
    training.iterations = 3;
    training.objective(new double[] {8, 4, 2, 1});
    Publisher.of(context.sc()).publish(training);
  }

  /** A call is in the list while a rank computes, with the rank that the others wait for. */
  private void readRunning(JavaSparkContext context, String tab) throws Exception {
    CountDownLatch computed = new CountDownLatch(1);
    COMPUTED.set(computed);
    JavaRDD<double[]> slow =
        vectors(context)
            .map(
                vector -> {
                  if (TaskContext.getPartitionId() == 2) {
                    COMPUTED.get().await();
                  }
                  return vector;
                });
    Thread caller =
        new Thread(
            () -> {
              context.setCallSite("slow sum at App.java:4");
              JavaCollectives.of(slow).twoTreeReduce(ReduceOp.SUM);
            });
    caller.start();
    try {
      Await.until("three ranks of four", () -> get(tab + "/").contains("3 of 4, not 2"));
      String list = get(tab + "/");
      assertTrue(list.contains("<h4>Running</h4>"), list);
      assertTrue(list.contains("<td>slow sum at App.java:4</td>"), list);
      assertTrue(list.contains("No call of the library has ended yet."), list);
    } finally {
      computed.countDown();
      caller.join();
    }
    String list = get(tab + "/");
    assertFalse(list.contains("<h4>Running</h4>"), list);
    assertTrue(list.contains("1 call<"), list);
  }

  /** A program is in the list with what its rank 0 has told last. */
  private void readProgress(JavaSparkContext context, String tab) throws Exception {
    CountDownLatch read = new CountDownLatch(1);
    COMPUTED.set(read);
    Thread caller =
        new Thread(
            () ->
                JavaCollectives.of(vectors(context))
                    .collectively(
                        (communicator, elements) -> {
                          int rank = communicator.rank();
                          Progress.tell("an epoch before of rank " + rank);
                          Progress.tell("epoch 3 of rank " + rank + EVIL);
                          COMPUTED.get().await();
                          return List.of(rank).iterator();
                        }));
    caller.start();
    String expected = "<td>epoch 3 of rank 0&lt;script&gt;";
    try {
      Await.until("the progress of rank 0", () -> get(tab + "/").contains(expected));
    } finally {
      read.countDown();
      caller.join();
    }
    assertFalse(get(tab + "/").contains("epoch"));
  }

  @Test
  void aCallIsInTheListWhileItRuns() throws Exception {
    SparkConf conf =
        new SparkConf(false)
            .setMaster("local[" + RANKS + "]")
            .setAppName("running")
            .set("spark.driver.host", "127.0.0.1")
            .set("spark.driver.bindAddress", "127.0.0.1")
            .set("spark.ui.port", "0")
            .set("spark.collectives.combineInExecutors", "false");
    try (JavaSparkContext context = new JavaSparkContext(conf)) {
      Publisher.of(context.sc());
      readRunning(context, context.sc().uiWebUrl().get() + "/collectives");
      readProgress(context, context.sc().uiWebUrl().get() + "/collectives");
    }
  }

  private void readTab(String tab) throws IOException, InterruptedException {
    String list = get(tab + "/");
    assertTrue(list.contains("4 calls, 1 of them failed"), list);
    for (String expected :
        new String[] {
          ">sum at App.java:1<",
          ">program at App.java:2<",
          ">bad sum at App.java:3<",
          "4 on 1 host (1 executor)",
          "32.0 KiB",
          "training/?id=1",
          "&lt;script&gt;"
        }) {
      assertTrue(list.contains(expected), () -> expected + " is missing in " + list);
    }
    assertFalse(list.contains(EVIL));
    String job = list.replaceFirst("(?s).*?\"\\.\\./jobs/job/\\?id=(\\d+)\".*", "$1");
    assertTrue(get(tab + "/../jobs/job/?id=" + job).contains("bad sum at App.java:3"), job);

    String call = get(tab + "/call/?id=2");
    for (String expected :
        new String[] {
          "Call 2: allReduce",
          "it is the cheapest",
          "<h4>Candidates</h4>",
          "<td>two-tree</td>",
          "class=\"straggler\"",
          "</td><td>driver on ",
          "SUCCEEDED"
        }) {
      assertTrue(call.contains(expected), () -> expected + " is missing in " + call);
    }
    readPicture(call);
    String program = get(tab + "/call/?id=3");
    assertTrue(program.contains("<h4>Operations between ranks</h4>"), program);
    assertTrue(program.contains("<td>barrier</td>") && program.contains("<td>10</td>"), program);
    assertFalse(program.contains("<h4>Candidates</h4>"), program);

    String failed = get(tab + "/call/?id=4");
    assertTrue(failed.contains("FAILED") && failed.contains("&lt;script&gt;"), failed);
    assertFalse(failed.contains(EVIL));
    assertTrue(get(tab + "/call/?id=17").contains("There is no such call"));
    assertTrue(get(tab + "/training/?id=1").contains("<svg class=\"objective\""));
  }

  /**
   * The picture of a schedule: XML with a size, in which the ranks and their messages are drawn.
   */
  private static void readPicture(String call) throws IOException {
    Matcher image = Pattern.compile("src=\"data:image/svg\\+xml;base64,([^\"]+)\"").matcher(call);
    assertTrue(image.find(), call);
    byte[] bytes = Base64.getDecoder().decode(image.group(1));
    String svg = new String(bytes, StandardCharsets.UTF_8);
    Document document;
    try {
      document =
          DocumentBuilderFactory.newDefaultInstance()
              .newDocumentBuilder()
              .parse(new ByteArrayInputStream(bytes));
    } catch (SAXException | ParserConfigurationException e) {
      throw new AssertionError(svg, e);
    }
    Element root = document.getDocumentElement();
    assertEquals("svg", root.getTagName(), svg);
    String[] frame = root.getAttribute("viewBox").split(" ", -1);
    assertEquals(4, frame.length, svg);
    assertTrue(Double.parseDouble(frame[2]) > 0 && Double.parseDouble(frame[3]) > 0, svg);
    assertTrue(document.getElementsByTagName("text").getLength() >= RANKS, svg);
    assertTrue(document.getElementsByTagName("path").getLength() > 0, svg);
  }

  /** In a browser the pages have pictures with a size, and no script of the data has run. */
  private static void browse(String tab, Path folder) throws IOException, InterruptedException {
    Optional<HeadlessBrowser> browser = HeadlessBrowser.find();
    if (browser.isEmpty()) {
      return; // what the pages are made of has been read already
    }
    for (String page : new String[] {"/", "/call/?id=2", "/call/?id=4"}) {
      Path picture = folder.resolve("picture.png");
      String shown = browser.get().open(tab + page, picture, 1000, 800);
      assertTrue(shown.contains("<h4>") && shown.contains("Collectives"), shown);
      assertFalse(shown.contains(EVIL), shown);
      BufferedImage image = ImageIO.read(picture.toFile());
      assertEquals(1000, image.getWidth());
      assertTrue(colours(image) > 10, "the page is empty: " + page);
    }
  }

  private static long colours(BufferedImage image) {
    return IntStream.range(0, image.getWidth() * image.getHeight())
        .map(i -> image.getRGB(i % image.getWidth(), i / image.getWidth()))
        .distinct()
        .count();
  }

  private void readMetrics(String metrics) throws IOException, InterruptedException {
    String json = get(metrics + "json/");
    String barrier = "\\.driver\\.spark-collectives\\.barrier\\.dissemination\\.operations\"";
    for (String expected :
        new String[] {
          barrier + ":\\{\"value\":" + RANKS + "\\}",
          "spark-collectives\\.allreduce\\.recursive-doubling\\.bytes\":\\{\"value\":[1-9]",
          "spark-collectives\\.allreduce\\.recursive-doubling\\.nanos\":\\{\"value\":[1-9]",
          "spark-collectives\\.calls\\.succeeded\":\\{\"value\":3\\}",
          "spark-collectives\\.calls\\.failed\\.rank-failed\":\\{\"value\":1\\}",
          "spark-collectives\\.operations\\.sentBytes\":\\{\"value\":[1-9]",
          "spark-collectives\\.connections\\.rejected\":\\{\"value\":0\\}"
        }) {
      assertTrue(
          Pattern.compile(expected).matcher(json).find(), () -> expected + " not in " + json);
    }
    String prometheus = get(metrics + "prometheus/");
    assertTrue(
        prometheus.contains("spark_collectives_barrier_dissemination_operations_Value"),
        prometheus);
  }

  @Test
  void callsAreSeenWhileTheApplicationRunsAndAfterItsEnd(@TempDir Path folder)
      throws IOException, InterruptedException {
    Path logs = Files.createDirectory(folder.resolve("logs"));
    SparkConf conf =
        new SparkConf(false)
            .setMaster("local[" + RANKS + "]")
            .setAppName("tab")
            .set("spark.driver.host", "127.0.0.1")
            .set("spark.driver.bindAddress", "127.0.0.1")
            .set("spark.ui.port", "0")
            .set("spark.eventLog.enabled", "true")
            .set("spark.eventLog.dir", logs.toUri().toString())
            .set("spark.eventLog.compress", "false")
            .set("spark.eventLog.rolling.enabled", "false")
            .set("spark.metrics.conf.*.sink.prometheusServlet.class", PROMETHEUS)
            .set("spark.metrics.conf.*.sink.prometheusServlet.path", "/metrics/prometheus")
            .set("spark.collectives.small.maxBytes", "0")
            .set("spark.collectives.combineInExecutors", "false");
    Slow slow = new Slow();
    String id;
    try (JavaSparkContext context = new JavaSparkContext(conf)) {
      id = context.sc().applicationId();
      String tab = context.sc().uiWebUrl().get() + "/collectives";
      Publisher.of(context.sc());
      assertTrue(get(tab + "/").contains("No call of the library has ended yet."));
      context.sc().addSparkListener(slow);
      try {
        calls(context, tab);
        readTab(tab); // although a listener stands still
        browse(tab, folder);
        readMetrics(context.sc().uiWebUrl().get() + "/metrics/");
        assertEquals(List.of(), slow.calls);
      } finally {
        slow.released.countDown();
      }
    }
    assertEquals(List.of(1L, 2L, 3L, 4L), slow.calls.stream().map(call -> call.call).toList());
    readFromHistoryServer(logs, id);
  }

  private void readFromHistoryServer(Path logs, String application)
      throws IOException, InterruptedException {
    SparkConf conf =
        new SparkConf(false)
            .set("spark.history.fs.logDirectory", logs.toUri().toString())
            .set("spark.history.fs.update.interval", "1s")
            .set("spark.history.ui.port", "0");
    FsHistoryProvider provider = new FsHistoryProvider(conf);
    HistoryServer server =
        new HistoryServer(conf, provider, HistoryServer$.MODULE$.createSecurityManager(conf), 0);
    try {
      server.bind();
      provider.start();
      String root = "http://127.0.0.1:" + server.boundPort();
      Await.until(
          "the application", () -> get(root + "/api/v1/applications").contains(application));
      readTab(root + "/history/" + application + "/collectives");
    } finally {
      server.stop();
    }
  }

  @Test
  void theTabIsNotThereWhereItIsSwitchedOff() throws IOException, InterruptedException {
    SparkConf conf =
        new SparkConf(false)
            .setMaster("local[2]")
            .setAppName("no tab")
            .set("spark.driver.host", "127.0.0.1")
            .set("spark.driver.bindAddress", "127.0.0.1")
            .set("spark.ui.port", "0")
            .set("spark.serializer", "org.apache.spark.serializer.KryoSerializer")
            .set("spark.kryo.registrationRequired", "true") // of what ranks tell, too
            .set("spark.collectives.ui.enabled", "false");
    Slow slow = new Slow();
    slow.released.countDown();
    try (JavaSparkContext context = new JavaSparkContext(conf)) {
      context.sc().addSparkListener(slow);
      JavaRDD<double[]> ones =
          context.sc().range(0, RANKS, 1, 2).toJavaRDD().map(i -> new double[] {1});
      assertEquals(RANKS, JavaCollectives.of(ones).twoTreeReduce(ReduceOp.SUM)[0]);
      String jobs = get(context.sc().uiWebUrl().get() + "/jobs/");
      assertFalse(jobs.contains("/collectives/"), jobs);
      assertTrue(
          Stream.of("Jobs", "Stages", "Executors").allMatch(jobs::contains), "no page of Spark's");
    }
    assertEquals(List.of(), slow.calls);
  }
}
