package org.sparkcollectives.internal.draw;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.StringReader;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.internal.algorithm.Algorithm;
import org.sparkcollectives.internal.algorithm.Algorithms;
import org.sparkcollectives.internal.conformance.Conformance;
import org.sparkcollectives.internal.conformance.Sweep;
import org.sparkcollectives.schedule.BlockRange;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Combine;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Round;
import org.sparkcollectives.schedule.Schedule;
import org.sparkcollectives.schedule.Topology;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

final class PictureTest {

  static Stream<Algorithm> algorithms() {
    return Algorithms.all().stream();
  }

  private static Document parse(String svg) throws Exception {
    return DocumentBuilderFactory.newDefaultInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(svg)));
  }

  private static List<Element> elements(Document document, String name, String style) {
    NodeList nodes = document.getElementsByTagName(name);
    List<Element> found = new ArrayList<>();
    for (int i = 0; i < nodes.getLength(); i++) {
      Element element = (Element) nodes.item(i);
      if (element.getAttribute("class").matches(style)) {
        found.add(element);
      }
    }
    return found;
  }

  private static List<Schedule> schedules(Algorithm algorithm, int atLeast) {
    return Conformance.schedules(algorithm, Sweep.example(algorithm, atLeast));
  }

  /**
   * An arrow for every message, a box for every receive, a shaded one for every combining round.
   */
  @ParameterizedTest
  @MethodSource("algorithms")
  void everyMessageAndReductionIsDrawn(Algorithm algorithm) throws Exception {
    for (int size : List.of(2, 7, 9)) {
      List<Schedule> schedules = schedules(algorithm, size);
      Document document = parse(Picture.of(schedules, View.TIME).svg());
      List<Round> rounds = schedules.stream().flatMap(s -> s.rounds().stream()).toList();
      long messages = rounds.stream().filter(round -> round.receive() != null).count();
      long sums = rounds.stream().filter(PictureTest::combines).count();
      long alone = rounds.stream().filter(r -> combines(r) && r.receive() == null).count();
      long heads =
          elements(document, "path", "h[0-3]?").stream()
              .flatMap(path -> Pattern.compile("Z").matcher(path.getAttribute("d")).results())
              .count();
      assertEquals(messages, heads);
      assertEquals(sums, elements(document, "rect", "sum").size());
      assertEquals(messages + alone, elements(document, "rect", "sum|box").size());
    }
  }

  private static boolean combines(Round round) {
    return round.local().stream().anyMatch(Combine.class::isInstance);
  }

  @ParameterizedTest
  @MethodSource("algorithms")
  void everyAlgorithmHasAPictureWithinItsFrame(Algorithm algorithm) throws Exception {
    for (int size : List.of(1, 2, 8)) {
      List<Schedule> schedules = schedules(algorithm, size);
      for (View view : List.of(View.AUTO, View.TIME, View.ALL)) {
        String svg = Picture.of(schedules, view).svg();
        assertEquals(svg, Picture.of(schedules, view).svg());
        Document document = parse(svg);
        String[] frame = document.getDocumentElement().getAttribute("viewBox").split(" ", -1);
        double width = Double.parseDouble(frame[2]);
        double height = Double.parseDouble(frame[3]);
        for (Element path : elements(document, "path", ".*")) {
          Matcher point =
              Pattern.compile("[ML]([-\\d.]+) ([-\\d.]+)").matcher(path.getAttribute("d"));
          while (point.find()) {
            assertWithin(point.group(1), width);
            assertWithin(point.group(2), height);
          }
        }
        for (Element text : elements(document, "text", ".*")) {
          assertWithin(text.getAttribute("x"), width);
          assertWithin(text.getAttribute("y"), height);
        }
      }
    }
  }

  private static void assertWithin(String number, double bound) {
    double value = Double.parseDouble(number);
    assertTrue(value >= 0 && value <= bound, () -> number + " is not in 0 to " + bound);
  }

  @Test
  void twoTreesHaveColoursNodesAndNumbers() throws Exception {
    Algorithm algorithm = Algorithms.find(Collective.BROADCAST, "two-tree");
    Problem problem = new Problem(Collective.BROADCAST, 10, 3, 4, false);
    Document document =
        parse(Picture.of(Conformance.schedules(algorithm, problem), View.AUTO).svg());
    assertEquals(20, elements(document, "circle", "node.*").size());
    assertEquals(2, elements(document, "circle", "ring").size());
    assertEquals(18, elements(document, "path", "c[01]").size());
    assertEquals(18, elements(document, "text", "halo").size());
    assertEquals(9, elements(document, "path", "c0").size());
    List<Element> captions = elements(document, "text", "muted");
    assertEquals("tree 0: blocks 0, 1", captions.get(0).getTextContent());
  }

  @Test
  void blocksAreNamedOrCounted() throws Exception {
    Algorithm gather = Algorithms.find(Collective.GATHER, "binomial");
    Document document =
        parse(
            Picture.of(
                    Conformance.schedules(gather, new Problem(Collective.GATHER, 8, 0, 80, false)),
                    View.TIME)
                .svg());
    List<String> labels =
        elements(document, "text", "label").stream().map(Element::getTextContent).toList();
    assertTrue(labels.contains("10–19"), labels::toString);
    assertTrue(labels.contains("40–79"), labels::toString);
    assertEquals("0,1,3–5", Blocks.list(List.of(range(0, 2), range(3, 4), range(4, 6))));
    Problem problem = new Problem(Collective.GATHER, 8, 0, 800, false);
    assertEquals("×300", Blocks.label(problem, List.of(range(100, 300), range(400, 500))));
    Problem pairs = new Problem(Collective.ALLTOALL, 8, 0, 64, false);
    assertEquals("2→3", Blocks.label(pairs, List.of(range(19, 20))));
  }

  private static BlockRange range(int from, int to) {
    return new BlockRange(from, to);
  }

  @Test
  void hostsAreBands() throws Exception {
    Algorithm algorithm = Algorithms.find(Collective.REDUCE, "binomial");
    Problem problem =
        new Problem(Collective.REDUCE, 6, 0, 1, true)
            .on(Topology.ofHosts(List.of(0, 0, 1, 1, 2, 2)));
    Document document =
        parse(Picture.of(Conformance.schedules(algorithm, problem), View.TIME).svg());
    assertEquals(2, elements(document, "rect", "band").size());
  }

  @Test
  void whatCannotBeDrawnIsExplained() {
    assertRefused(
        "allreduce",
        "recursive-doubling",
        8,
        1,
        View.TREES,
        "allreduce by 'recursive-doubling' has no trees to draw: its blocks do not travel along");
    assertRefused("broadcast", "binomial", 300, 1, View.TREES, "at most 64 of 256 ranks are drawn");
    assertRefused(
        "allgather", "ring", 100, 100, View.TREES, "they are 100 of 100 ranks; at most 64");
    assertRefused(
        "allgather",
        "ring",
        200,
        200,
        View.TIME,
        "200 ranks over 199 rounds are too large to draw");
  }

  private static void assertRefused(
      String collective, String slug, int size, int blocks, View view, String message) {
    Algorithm algorithm = Algorithms.find(Collective.ofSlug(collective), slug);
    List<Schedule> schedules =
        Conformance.schedules(
            algorithm, new Problem(algorithm.collective(), size, 0, blocks, false));
    InvalidInputException e =
        assertThrows(InvalidInputException.class, () -> Picture.of(schedules, view));
    assertTrue(String.valueOf(e.getMessage()).contains(message), e::getMessage);
  }

  @Test
  void textIsEscaped() throws Exception {
    SvgDocument svg = new SvgDocument();
    svg.text("mid", 1, 2, "a < b & \"c\"");
    StringWriter out = new StringWriter();
    svg.write(out, 10, 10, "<title>", "&");
    assertEquals(
        "a < b & \"c\"", elements(parse(out.toString()), "text", "mid").get(0).getTextContent());
  }
}
