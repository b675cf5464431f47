package org.sparkcollectives.ml;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sparkcollectives.testing.Documents;

/** The classes in Java that the documents show for trainers. */
class GuideTest {
  private static final Path ROOT = Path.of("..", "..");
  private static final Pattern NAME = Pattern.compile("public final class (\\w+)");

  @Test
  void theyCompile(@TempDir Path folder) throws IOException {
    List<Documents.Block> blocks =
        Documents.blocks(ROOT).stream()
            .filter(block -> block.language().equals("java"))
            .filter(block -> block.text().contains("import org.sparkcollectives.ml.Trainer;"))
            .toList();
    assertEquals(1, blocks.size(), "classes");
    JavaCompiler compiler = requireNonNull(ToolProvider.getSystemJavaCompiler());
    for (Documents.Block block : blocks) {
      Matcher name = NAME.matcher(block.text());
      assertEquals(true, name.find(), block.place());
      Path source = folder.resolve(name.group(1) + ".java");
      Files.writeString(source, block.text());
      DiagnosticCollector<JavaFileObject> said = new DiagnosticCollector<>();
      try (StandardJavaFileManager files = compiler.getStandardFileManager(said, null, null)) {
        compiler
            .getTask(
                null,
                files,
                said,
                List.of("-proc:none", "-d", folder.toString()),
                null,
                files.getJavaFileObjects(source))
            .call();
      }
      assertEquals(List.of(), said.getDiagnostics(), block.place());
    }
  }
}
