package org.sparkcollectives.benchmarks.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultFilesTest {
  @Test
  void writesEverythingIntoAFolderOfDateAndMachine(@TempDir Path results) throws IOException {
    Path folder = ResultFiles.folder(results, Reports.example().environment());
    Reports.example().write(folder);
    assertEquals(results.resolve("2026-11-21-linux-2core"), folder);

    JsonNode json = new ObjectMapper().readTree(folder.resolve("example.json").toFile());
    assertEquals("A processor", json.at("/environment/processor").asText());
    assertEquals(2000, json.at("/measurements/1/summary/median").asDouble());
    assertEquals(4000, json.at("/measurements/1/samples/0").asDouble());
    assertTrue(json.at("/targets/0/met").asBoolean());

    assertEquals(
        """
        contender,ranks,partitions,bytes,quantity,round,microseconds
        mine,4,4,8388608,part,0,500.0
        mine,4,4,8388608,part,1,600.0
        mine,4,4,8388608,part,2,700.0
        mine,4,4,8388608,"end to end",0,4000.0
        mine,4,4,8388608,"end to end",1,1000.0
        mine,4,4,8388608,"end to end",2,2000.0
        """,
        Files.readString(folder.resolve("example.csv")));
    assertEquals(Tables.of(Reports.example()), Files.readString(folder.resolve("example.md")));
    assertFalse(Files.exists(folder.resolve("example.html")), "pages are made on demand");
    assertEquals(Reports.example(), ResultFiles.read(json));
  }

  @Test
  void readsReportsWithoutListsThatAreNewer() throws IOException {
    JsonNode json =
        ResultFiles.reader()
            .readTree(
                """
                {"benchmark":"b","environment":null,"settings":{},"timed":{},"findings":{},
                 "measurements":[],"targets":[],"what":"ever"}
                """);
    assertEquals(List.of(), ResultFiles.read(json).volumes());
  }

  @Test
  void writesAPageWithTablesAndCharts(@TempDir Path results) throws IOException {
    Path file = results.resolve("pages/example.html");
    HtmlPage.write(List.of(Reports.example(), Reports.example()), file);
    String page = Files.readString(file);
    assertTrue(page.contains("<title>benchmarks/run example</title>"), page);
    assertEquals(3, page.split("<h1>benchmarks/run example</h1>", -1).length);
    assertTrue(page.contains("<td>60 MiB</td>"), page);
    assertTrue(page.endsWith("</html>\n"), page);
  }
}
