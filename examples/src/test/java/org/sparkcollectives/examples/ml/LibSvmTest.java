package org.sparkcollectives.examples.ml;

import static java.util.stream.Collectors.joining;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.rdd.RDD;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sparkcollectives.examples.UserError;
import scala.Option;

@Timeout(120)
class LibSvmTest {

  private static SparkContext sc;

  @TempDir Path folder;

  @BeforeAll
  static void start() {
    sc =
        new SparkContext(
            new SparkConf()
                .setMaster("local[2]")
                .setAppName("libsvm")
                .set("spark.ui.enabled", "false"));
  }

  @AfterAll
  static void stop() {
    sc.stop();
  }

  @Test
  void readsLabelsIndicesAndValues() throws IOException {
    LibSvm.Data data =
        LibSvm.read(sc, write("good", "+1 1:0.5 7:-2e3 # note\n\n# only a comment\n-1\n2.5 3:1\n"));
    LibSvm.Sample[] samples = (LibSvm.Sample[]) data.samples().collect();

    assertEquals(3, data.count());
    assertEquals(7, data.features());
    assertEquals("List(-1.0, 1.0, 2.5)", data.labels().toList().toString());
    assertEquals(1.0, samples[0].label());
    assertArrayEquals(new int[] {0, 6}, samples[0].indices());
    assertArrayEquals(new double[] {0.5, -2000.0}, samples[0].values());
    assertEquals(0, samples[1].indices().length);
  }

  @Test
  void samplesThatAreHeldOutAndTheOthersAreSpreadEvenly() throws IOException {
    String lines =
        IntStream.range(0, 40).mapToObj(i -> i / 4 % 2 + " 1:" + i + "\n").collect(joining());
    DataSplit split = DataSplit.read(sc, Option.apply(write("even", lines)), Option.empty(), true);
    assertArrayEquals(new int[] {15, 15}, sizes(split.train()));
    assertArrayEquals(new int[] {5, 5}, sizes(split.test()));
  }

  private static int[] sizes(RDD<Samples> samples) {
    return Arrays.stream((Samples[]) samples.collect()).mapToInt(Samples::size).toArray();
  }

  @Test
  void readsGzipFoldersAndGlobs() throws IOException {
    for (int part = 0; part < 3; part++) {
      Path file = folder.resolve("part-" + part + ".gz");
      try (GZIPOutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
        out.write(
            (part + " " + (part + 1) + ":1\n").getBytes(java.nio.charset.StandardCharsets.UTF_8));
      }
    }
    assertEquals(3, LibSvm.read(sc, folder.toUri().toString()).count());
    assertEquals(3, LibSvm.read(sc, folder + "/part-*.gz").count());
    assertEquals(3, LibSvm.read(sc, folder.toString()).features());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          yes 1:1       | the label is 'yes'
          1 1:1 2       | '2' is not of the form index:value
          1 0:1         | '0' is not an index
          1 1:1 x:1     | 'x' is not an index
          1 2:1 2:3     | index 2 follows index 2
          1 5:1 4:3     | index 4 follows index 5
          1 1:one       | the value of index 1 is 'one'
          1 1:NaN       | the value of index 1 is 'NaN'
          Infinity 1:1  | the label is 'Infinity'
          1,2,3         | the label is '1,2,3'
          """)
  void namesFileAndLineOfBadText(String line, String problem) throws IOException {
    String path = write("bad", "1 1:1\n0 2:1\n" + line + "\n1 1:1\n");
    UserError error = assertThrows(UserError.class, () -> LibSvm.read(sc, path));
    assertSays("bad, line 3, is not LIBSVM text", error);
    assertSays(problem, error);
  }

  @Test
  void namesTheLineInACompressedFileToo() throws IOException {
    Path file = folder.resolve("bad.gz");
    try (GZIPOutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write("1 1:1\nno\n".getBytes(java.nio.charset.StandardCharsets.UTF_8));
    }
    UserError error = assertThrows(UserError.class, () -> LibSvm.read(sc, file.toString()));
    assertSays("bad.gz, line 2", error);
  }

  @Test
  void aByteOrderMarkIsNoPartOfTheFirstLine() throws IOException {
    assertEquals(2, LibSvm.read(sc, write("good", "\ufeff1 1:1\n0 2:1\n")).count());
    String path = write("bad", "\ufeff1 1:1\n0 2:1\n1 2:x\n");
    UserError error = assertThrows(UserError.class, () -> LibSvm.read(sc, path));
    assertSays("bad, line 3, is not LIBSVM text: the value of index 2 is 'x'", error);
  }

  @Test
  void refusesAFolderWithFoldersInIt() throws IOException {
    write("part-0", "1 1:1\n0 2:1\n");
    Files.createDirectory(folder.resolve("_temporary"));
    assertEquals(2, LibSvm.read(sc, folder.toString()).count());
    Files.createDirectory(folder.resolve("inner"));
    UserError error = assertThrows(UserError.class, () -> LibSvm.read(sc, folder.toString()));
    assertSays("has a folder in it", error);
    assertSays("/inner, which is no LIBSVM text", error);
  }

  @Test
  void saysThatThereIsNoSuchFile() {
    UserError error = assertThrows(UserError.class, () -> LibSvm.read(sc, folder + "/absent"));
    assertSays("There is no file", error);
    assertSays("file:", error);
  }

  @Test
  void saysThatAFileSystemIsUnknown() {
    UserError error = assertThrows(UserError.class, () -> LibSvm.read(sc, "nosuch://host/file"));
    assertSays("nosuch", error);
  }

  @Test
  void refusesAFileWithoutSamples() throws IOException {
    String path = write("empty", "\n# nothing\n");
    UserError error = assertThrows(UserError.class, () -> LibSvm.read(sc, path));
    assertSays("holds no sample", error);
  }

  private static void assertSays(String part, UserError error) {
    String message = String.valueOf(error.getMessage());
    assertTrue(message.contains(part), message);
  }

  private String write(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text).toString();
  }
}
