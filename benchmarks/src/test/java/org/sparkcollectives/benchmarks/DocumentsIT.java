package org.sparkcollectives.benchmarks;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sparkcollectives.python.PythonGateway;
import org.sparkcollectives.testing.Documents;

/**
 * The code in the documents: it compiles with the imports that a reader has seen in the document by
 * then, against what {@code Known} says of the names that it leaves open; and benchmarks take the
 * options that it gives them.
 */
@Timeout(240)
final class DocumentsIT {
  private static final Path ROOT = Path.of("..");
  private static final Path KNOWN = Path.of("src/test/resources/documents");
  private static final Pattern IMPORT = Pattern.compile("(?m)^(import .*?)(?: *//.*)?$");
  private static final Pattern CALL = Pattern.compile("gateway\\.(\\w+)\\((.*)$");

  private static List<Documents.Block> blocks(String language) throws IOException {
    List<Documents.Block> blocks =
        Documents.blocks(ROOT).stream().filter(block -> block.language().equals(language)).toList();
    assertTrue(blocks.size() > 1, "no " + language + " was found");
    return blocks;
  }

  /** The imports of a block, and of those before it in its document: of a name the last one. */
  private static String imports(List<Documents.Block> blocks, int index) {
    String document = document(blocks.get(index));
    Map<String, String> imports = new LinkedHashMap<>();
    for (Documents.Block block : blocks.subList(0, index + 1)) {
      if (document(block).equals(document)) {
        IMPORT
            .matcher(block.text())
            .results()
            .map(found -> found.group(1))
            .forEach(text -> imports.put(name(text), text));
      }
    }
    return String.join("\n", imports.values());
  }

  /** The name that an import of one name brings; of several all of its text. */
  private static String name(String text) {
    return text.matches(".*[\\w;]") && !text.endsWith("_")
        ? text.substring(text.lastIndexOf('.'))
        : text;
  }

  private static String document(Documents.Block block) {
    return block.place().replaceFirst(":.*", "");
  }

  @Test
  void scalaCompiles(@TempDir Path folder) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), "-Xss4m"));
    command.addAll(List.of("scala.tools.nsc.Main", "-usejavacp", "-d", folder.toString()));
    Path known = folder.resolve("Known.scala");
    command.add(Files.copy(KNOWN.resolve("Known.scala.txt"), known).toString());
    List<Documents.Block> blocks = blocks("scala");
    for (int i = 0; i < blocks.size(); i++) {
      Documents.Block block = blocks.get(i);
      String text =
          """
          package documents
          %s
          object Block%d {
            def run(): Unit = {
              import Known._
              locally {
          %s
              }
            }
          }
          """
              .formatted(
                  imports(blocks, i),
                  i,
                  IMPORT.matcher(block.text()).replaceAll("").replace("= ...", "= ???"));
      command.add(Files.writeString(folder.resolve("Block" + i + ".scala"), text).toString());
    }
    Process compiler = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(compiler.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, compiler.waitFor(), () -> places(blocks) + output);
  }

  @Test
  void javaCompiles(@TempDir Path folder) throws Exception {
    List<String> arguments = new ArrayList<>(List.of("-proc:none", "-d", folder.toString()));
    arguments.addAll(List.of("-cp", System.getProperty("java.class.path")));
    String known = Files.readString(KNOWN.resolve("Known.java.txt"));
    List<Documents.Block> blocks = blocks("java");
    for (int i = 0; i < blocks.size(); i++) {
      String code = IMPORT.matcher(blocks.get(i).text()).replaceAll("").strip();
      String member =
          code.startsWith("public ") ? code : "void run() throws Exception {" + code + "}";
      Path file = folder.resolve("Block" + i + ".java");
      Files.writeString(
          file,
          known
              .replace("/* imports */", imports(blocks, i))
              .replace("class Known", "class Block" + i)
              .replace("/* block */", member));
      arguments.add(file.toString());
    }
    var output = new java.io.ByteArrayOutputStream();
    int status =
        ToolProvider.getSystemJavaCompiler()
            .run(null, output, output, arguments.toArray(String[]::new));
    assertEquals(0, status, () -> places(blocks) + output.toString(StandardCharsets.UTF_8));
  }

  private static String places(List<Documents.Block> blocks) {
    StringBuilder places = new StringBuilder();
    for (int i = 0; i < blocks.size(); i++) {
      places.append("Block").append(i).append(" is at ").append(blocks.get(i).place()).append('\n');
    }
    return places.toString();
  }

  @Test
  void pythonCallsMethodsThatThereAre() throws IOException {
    List<String> names = new ArrayList<>();
    for (Documents.Block block : blocks("python")) {
      for (String line : block.text().split("\n", -1)) {
        CALL.matcher(line)
            .results()
            .forEach(
                call -> {
                  names.add(call.group(1));
                  int given = arguments(call.group(2));
                  assertTrue(
                      Arrays.stream(PythonGateway.class.getMethods())
                          .filter(method -> method.getName().equals(call.group(1)))
                          .map(Method::getParameterCount)
                          .anyMatch(count -> count == given),
                      () -> block.place() + ": " + line);
                });
      }
    }
    assertTrue(names.contains("allReduce") && names.size() >= 6, names.toString());
  }

  /** How many arguments there are up to the closing parenthesis. */
  private static int arguments(String rest) {
    int depth = 1;
    int commas = 0;
    for (int i = 0; i < rest.length() && depth > 0; i++) {
      char next = rest.charAt(i);
      depth += next == '(' ? 1 : next == ')' ? -1 : 0;
      commas += next == ',' && depth == 1 ? 1 : 0;
    }
    return commas + 1;
  }

  @Test
  void jsonIsJson() throws IOException {
    for (Documents.Block block : Documents.blocks(ROOT)) {
      if (block.language().equals("json")) {
        assertDoesNotThrow(() -> new ObjectMapper().readTree(block.text()), block::place);
      }
    }
  }

  @Test
  void benchmarksTakeTheirOptions() throws IOException {
    int lines = 0;
    List<Documents.Block> shell = new ArrayList<>(blocks("bash"));
    for (Documents.Block block : shell) {
      for (List<String> command : block.commands()) {
        if (command.get(0).equals("benchmarks/run") && command.size() > 1) {
          lines++;
          String[] words = command.subList(1, command.size()).toArray(String[]::new);
          assertDoesNotThrow(
              () -> Main.commandLine().parseArgs(words), () -> block.place() + " " + command);
        }
      }
    }
    assertTrue(lines > 15, lines + " commands were found");
  }
}
