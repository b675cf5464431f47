package org.sparkcollectives.docs;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.sparkcollectives.testing.Documents;
import org.sparkcollectives.tools.internal.cli.CollectivesCommand;
import picocli.CommandLine;

/** The commands in the documents: scripts, options, profiles and settings that there are. */
final class DocumentCommandsTest {
  private static final Path ROOT = Path.of("../..");

  /** What users have from elsewhere. */
  private static final Set<String> PROGRAMS =
      Set.of(
          "export", "java", "jcmd", "jfr", "mvn", "openssl", "pyspark", "source", "spark-submit");

  /** What is checked here or in the test of code, and what is neither code nor command. */
  private static final Set<String> LANGUAGES =
      Set.of("bash", "java", "json", "python", "scala", "sh", "yaml", "");

  /** A link to a file of the repository. */
  private static final Pattern LINK =
      Pattern.compile("\\]\\(([\\w./-]+[./][\\w-]+)(?:#([\\w-]*))?\\)");

  private static final Pattern HEADING = Pattern.compile("(?m)^#+ +(.*)$");

  private static List<List<String>> commands() throws IOException {
    List<List<String>> commands = new ArrayList<>();
    for (Documents.Block block : Documents.blocks(ROOT)) {
      assertTrue(
          LANGUAGES.contains(block.language()), () -> block.place() + " is in " + block.language());
      if (Set.of("bash", "sh").contains(block.language())) {
        commands.addAll(block.commands());
      }
    }
    return commands;
  }

  /** The commands that begin with some words, without these. */
  private static List<List<String>> commands(String... beginning) throws IOException {
    return commands().stream()
        .filter(command -> command.size() >= beginning.length)
        .filter(command -> command.subList(0, beginning.length).equals(List.of(beginning)))
        .map(command -> command.subList(beginning.length, command.size()))
        .toList();
  }

  @Test
  void programsAreKnownAndScriptsAreThere() throws IOException {
    Set<String> unknown = new TreeSet<>();
    for (List<String> command : commands()) {
      String program = command.get(0);
      boolean script = program.contains("/") && Files.isExecutable(ROOT.resolve(program));
      boolean ofSpark = program.startsWith("$SPARK_HOME/");
      if (!script && !ofSpark && !PROGRAMS.contains(program)) {
        unknown.add(program);
      }
    }
    assertEquals(Set.of(), unknown);
  }

  @Test
  void theCommandLineTakesItsOptions() throws IOException {
    List<List<String>> lines = new ArrayList<>(commands("spark-collectives/collectives"));
    for (List<String> line : commands("java", "-jar", "spark-collectives-tools_2.13-VERSION.jar")) {
      lines.add(line);
    }
    assertTrue(lines.size() > 12, lines.toString());
    for (List<String> line : lines) {
      List<String> words =
          line.stream().takeWhile(word -> !word.equals(">")).collect(Collectors.toList());
      assertDoesNotThrow(
          () -> new CommandLine(new CollectivesCommand()).parseArgs(words.toArray(String[]::new)),
          line::toString);
      StringWriter out = new StringWriter();
      words.add("--help");
      assertEquals(
          0,
          CollectivesCommand.execute(
              new PrintWriter(out), new PrintWriter(out), words.toArray(String[]::new)),
          out::toString);
    }
  }

  @Test
  void profilesOfMavenAreThere() throws IOException {
    StringBuilder poms = new StringBuilder(Files.readString(ROOT.resolve("pom.xml")));
    for (String module : List.of("core", "spark", "ml", "tools")) {
      poms.append(Files.readString(ROOT.resolve("spark-collectives/" + module + "/pom.xml")));
    }
    int profiles = 0;
    for (List<String> line : commands("mvn")) {
      for (int at = line.indexOf("-P"); at >= 0 && at + 1 < line.size(); at = -1) {
        for (String profile : line.get(at + 1).split(",", -1)) {
          profiles++;
          assertTrue(poms.indexOf("<id>" + profile + "</id>") > 0, () -> line + ": " + profile);
        }
      }
    }
    assertTrue(profiles >= 4, "profiles are named in another way");
  }

  @Test
  void settingsAndExamplesAreThere() throws IOException {
    String settings = Files.readString(ROOT.resolve("docs/settings.md"));
    String examples = Files.readString(ROOT.resolve("examples/run"));
    int checked = 0;
    for (List<String> line : commands()) {
      for (String word : line) {
        if (word.startsWith("spark.collectives.")) {
          checked++;
          assertTrue(settings.contains("| `" + word.replaceFirst("=.*", "") + "` |"), word);
        }
      }
      if (line.get(0).equals("examples/run") && line.size() > 1) {
        checked++;
        assertTrue(examples.contains("\"" + line.get(1) + " "), line::toString);
      }
    }
    assertTrue(checked > 8, "settings and examples are named in another way");
  }

  @Test
  void linksBetweenDocumentsLeadSomewhere() throws IOException {
    Set<String> broken = new TreeSet<>();
    List<Path> files = new ArrayList<>(List.of(ROOT.resolve("README.md")));
    files.add(ROOT.resolve("CONTRIBUTING.md"));
    for (String folder : List.of("docs", "docs/decisions")) {
      try (Stream<Path> some = Files.list(ROOT.resolve(folder))) {
        some.filter(file -> file.toString().endsWith(".md")).forEach(files::add);
      }
    }
    for (Path file : files) {
      for (MatchResult link : LINK.matcher(Files.readString(file)).results().toList()) {
        Path to = file.resolveSibling(link.group(1));
        String place = link.group(2);
        if (!Files.exists(to) || (place != null && !places(to).contains(place))) {
          broken.add(file + " -> " + link.group());
        }
      }
    }
    assertEquals(Set.of(), broken);
  }

  /** What links call the headings of a document. */
  private static Set<String> places(Path document) throws IOException {
    return HEADING
        .matcher(Files.readString(document))
        .results()
        .map(heading -> heading.group(1).toLowerCase(Locale.ROOT))
        .map(heading -> heading.replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-'))
        .collect(Collectors.toSet());
  }

  @Test
  void everyDocumentIsInTheMenuOfTheSite() throws IOException {
    String menu = Files.readString(ROOT.resolve("docs/site/site.xml"));
    try (Stream<Path> some = Files.list(ROOT.resolve("docs"))) {
      for (Path file : some.filter(each -> each.toString().endsWith(".md")).toList()) {
        String page = file.getFileName().toString().replaceFirst("md$", "html");
        assertTrue(menu.contains("href=\"" + page + "\""), page);
      }
    }
  }
}
