package org.sparkcollectives.spark.internal.conf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sparkcollectives.cost.CostModel;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.testing.FailingDisk;

/** Profiles as files of Hadoop's local file system. */
final class ProfileFilesTest {
  private final Configuration hadoop = new Configuration();

  @TempDir private Path folder = Path.of("unset");

  @Test
  void whatCannotBeWrittenIsNamedBeforeAndAfter() throws Exception {
    Path file = Files.writeString(folder.resolve("file"), "text");
    List<String> paths =
        List.of(
            folder.toUri().toString(),
            file.toUri() + "/profile.json",
            "",
            "nowhere://a/b",
            "s3a://bucket/profile.json"); // without its connector
    for (String path : paths) {
      for (Runnable use :
          List.<Runnable>of(
              () -> ProfileFiles.requireWritable(path, hadoop),
              () -> ProfileFiles.write("{}", path, hadoop))) {
        String message = assertThrows(InvalidInputException.class, use::run).getMessage();
        assertTrue(
            message.startsWith("the cost profile " + path + " cannot be written: "), message);
      }
    }
  }

  @Test
  void whatCannotBeReadIsNamed() throws Exception {
    Path large = Files.write(folder.resolve("large"), new byte[(1 << 20) + 1]);
    Map<String, String> reasons =
        Map.of(
            large.toUri().toString(),
            "it is 1048577 bytes long.",
            folder.resolve("none").toUri().toString(),
            "FileNotFoundException",
            "",
            "IllegalArgumentException",
            "s3a://bucket/profile.json",
            "S3AFileSystem not found");
    reasons.forEach(
        (path, reason) -> {
          String message =
              assertThrows(InvalidInputException.class, () -> ProfileFiles.read(path, hadoop))
                  .getMessage();
          assertTrue(message.startsWith("the cost profile " + path + " cannot be read"), message);
          assertTrue(message.contains(reason), message);
        });
  }

  @Test
  void aDiskThatFailsIsNamed() throws Exception {
    String path = Files.writeString(folder.resolve("profile.json"), "text").toUri().toString();
    Configuration failing = FailingDisk.configuration();
    for (Runnable use :
        List.<Runnable>of(
            () -> ProfileFiles.read(path, failing),
            () -> ProfileFiles.write("{}", path, failing))) {
      String message = assertThrows(InvalidInputException.class, use::run).getMessage();
      assertTrue(message.startsWith("the cost profile " + path + " cannot be "), message);
      assertTrue(message.contains("FSError: java.io.IOException: Stream Closed"), message);
    }
  }

  @Test
  void askingLeavesEverythingAsItWas() throws Exception {
    Path file = folder.resolve("profile.json");
    String path = file.toUri().toString();
    ProfileFiles.requireWritable(path, hadoop);
    assertEquals(List.of(), files());
    String profile = CostProfile.write(CostModel.DEFAULT, 1);
    ProfileFiles.write(profile, path, hadoop);
    ProfileFiles.requireWritable(path, hadoop);
    assertEquals(profile, Files.readString(file));
    assertEquals(List.of(file), files());
  }

  @Test
  void whatWasWrittenMayBeEdited() throws Exception {
    Path file = folder.resolve("profile.json");
    String path = file.toUri().toString();
    ProfileFiles.write(CostProfile.write(CostModel.DEFAULT, 1), path, hadoop);
    String edited = CostProfile.write(CostModel.DEFAULT, 3);
    Files.writeString(file, edited);
    assertEquals(edited, textOf(path, "edited"));
    assertEquals(CostProfile.read(edited, path), ProfileFiles.read(path, hadoop));
  }

  /** As {@code hadoop fs} leaves them beside a local file. */
  @Test
  void checksumsOfAnotherFileDoNotCountAndGoWithIt() throws Exception {
    Path file = folder.resolve("profile.json");
    String path = file.toUri().toString();
    try (OutputStream out =
        FileSystem.getLocal(hadoop).create(new org.apache.hadoop.fs.Path(path))) {
      out.write("before".getBytes(StandardCharsets.UTF_8));
    }
    assertEquals(2, files().size());
    Files.writeString(file, "after");
    assertEquals("after", textOf(path, "beside checksums"));
    ProfileFiles.write("again", path, hadoop);
    assertEquals(List.of(file), files());
    assertEquals("again", textOf(path, "without checksums"));
  }

  private String textOf(String path, String application) {
    return ProfileFiles.textOnce(application, path, () -> hadoop);
  }

  private List<Path> files() throws Exception {
    try (Stream<Path> files = Files.list(folder)) {
      return files.toList();
    }
  }

  @Test
  void anApplicationReadsOnceAndTheNextOneAgain() throws IOException {
    Path file = Files.writeString(folder.resolve("profile.json"), "once");
    AtomicInteger made = new AtomicInteger();
    Supplier<Configuration> asked =
        () -> {
          made.incrementAndGet();
          return new Configuration();
        };
    for (int call = 0; call < 3; call++) {
      assertEquals("once", ProfileFiles.textOnce("first", file.toString(), asked));
      Files.writeString(file, "again");
    }
    assertEquals(1, made.get());
    assertEquals("again", ProfileFiles.textOnce("second", file.toString(), asked));
  }
}
