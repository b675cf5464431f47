import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * Counts the test cases in the XML reports of surefire, failsafe and ScalaTest below a folder. Prints
 * what failed or was skipped and why, a line per report folder, and "N passed, N failed" as the last line. The
 * exit code is 1 when a test failed or was skipped, or when a kind of test that is to run has no report.
 */
final class TestReports {
  /** Report folders of which each must hold a test that passed; there may be more. */
  private static final List<String> REQUIRED =
      List.of(
          "spark-collectives/core/target/surefire-reports",
          "spark-collectives/core/target/plain-reports",
          "spark-collectives/core/target/failsafe-reports",
          "spark-collectives/spark/target/surefire-reports",
          "spark-collectives/spark/target/scalatest-reports",
          "spark-collectives/spark/target/failsafe-reports",
          "spark-collectives/spark/target/spark-3.5/surefire-reports",
          "spark-collectives/spark/target/spark-3.5/scalatest-reports",
          "spark-collectives/spark/target/spark-3.5/failsafe-reports",
          "spark-collectives/spark/target/spark-4.2/surefire-reports",
          "spark-collectives/spark/target/spark-4.2/scalatest-reports",
          "spark-collectives/spark/target/spark-4.2/failsafe-reports",
          "spark-collectives/ml/target/surefire-reports",
          "spark-collectives/ml/target/failsafe-reports",
          "spark-collectives/ml/target/spark-3.5/surefire-reports",
          "spark-collectives/ml/target/spark-3.5/failsafe-reports",
          "spark-collectives/tools/target/surefire-reports",
          "spark-collectives/tools/target/failsafe-reports",
          "examples/target/surefire-reports",
          "examples/target/failsafe-reports",
          "benchmarks/target/surefire-reports",
          "benchmarks/target/failsafe-reports");

  private enum Outcome {
    PASSED,
    FAILED,
    SKIPPED
  }

  /** A test case, and what it says of itself where it did not pass. */
  private record Case(String folder, String name, Outcome outcome, String reason) {}

  /** So many lines of what a test says lead to its own. */
  private static final int REASON_LINES = 12;

  public static void main(String[] arguments) throws Exception {
    Path root = Path.of(arguments[0]);
    List<Case> cases = new ArrayList<>();
    for (Path report : reports(root)) {
      read(root, report, cases);
    }

    Map<String, Map<Outcome, Integer>> folders = new TreeMap<>();
    for (Case one : cases) {
      folders.computeIfAbsent(one.folder(), f -> new TreeMap<>()).merge(one.outcome(), 1, Integer::sum);
      if (one.outcome() != Outcome.PASSED) {
        System.out.println(one.outcome() + " " + one.name() + " (" + one.folder() + ")");
        one.reason().lines().limit(REASON_LINES).forEach(line -> System.out.println("  " + line));
      }
    }
    folders.forEach((folder, counts) -> System.out.println(folder + ": " + counts));

    boolean complete = true;
    for (String folder : REQUIRED) {
      if (!folders.getOrDefault(folder, Map.of()).containsKey(Outcome.PASSED)) {
        System.out.println("no test ran in " + folder);
        complete = false;
      }
    }

    long passed = count(cases, Outcome.PASSED);
    long failed = count(cases, Outcome.FAILED);
    long skipped = count(cases, Outcome.SKIPPED);
    String end = skipped == 0 ? "" : ", " + skipped + " skipped";
    System.out.println(passed + " passed, " + failed + " failed" + end);
    System.exit(complete && failed == 0 && skipped == 0 ? 0 : 1);
  }

  private static long count(List<Case> cases, Outcome outcome) {
    return cases.stream().filter(one -> one.outcome() == outcome).count();
  }

  private static List<Path> reports(Path root) throws IOException {
    List<Path> found = new ArrayList<>();
    try (Stream<Path> files = Files.walk(root, 7)) {
      files
          .filter(file -> file.getFileName().toString().matches("TEST-.*\\.xml"))
          .filter(file -> file.getParent().toString().matches(".*/target/.*(surefire|plain|failsafe|scalatest)-reports"))
          .sorted()
          .forEach(found::add);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    return found;
  }

  private static void read(Path root, Path report, List<Case> cases)
      throws IOException, ParserConfigurationException {
    String folder = root.relativize(report.getParent()).toString();
    DocumentBuilder parser = DocumentBuilderFactory.newInstance().newDocumentBuilder();
    parser.setEntityResolver((id, uri) -> new org.xml.sax.InputSource(new java.io.StringReader("")));
    try {
      NodeList elements = parser.parse(report.toFile()).getElementsByTagName("testcase");
      for (int i = 0; i < elements.getLength(); i++) {
        Element test = (Element) elements.item(i);
        String name = test.getAttribute("classname") + "." + test.getAttribute("name");
        Outcome outcome = outcome(test);
        String reason = outcome == Outcome.PASSED ? "" : reason(test);
        cases.add(new Case(folder, name, outcome, reason));
      }
    } catch (SAXException e) {
      // A report that ends in the middle belongs to a test JVM that died.
      System.out.println("not readable: " + report);
      cases.add(new Case(folder, report.getFileName().toString(), Outcome.FAILED, e.toString()));
    }
  }

  private static Outcome outcome(Element test) {
    if (has(test, "failure") || has(test, "error")) {
      return Outcome.FAILED;
    }
    return has(test, "skipped") ? Outcome.SKIPPED : Outcome.PASSED;
  }

  /** The trace, or the message where there is none. */
  private static String reason(Element test) {
    for (String kind : List.of("failure", "error", "skipped")) {
      if (has(test, kind)) {
        Element said = (Element) test.getElementsByTagName(kind).item(0);
        String trace = said.getTextContent().strip();
        return trace.isEmpty() ? said.getAttribute("message") : trace;
      }
    }
    return "";
  }

  private static boolean has(Element test, String child) {
    return test.getElementsByTagName(child).getLength() > 0;
  }
}
