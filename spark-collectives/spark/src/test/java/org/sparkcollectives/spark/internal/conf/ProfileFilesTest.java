package org.sparkcollectives.spark.internal.conf;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProfileFilesTest {

  @Test
  void aFileThatIsKnownTakesNoConfiguration(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("profile.json"), "once");
    AtomicInteger made = new AtomicInteger();
    Supplier<Configuration> hadoop =
        () -> {
          made.incrementAndGet();
          return new Configuration();
        };
    for (int call = 0; call < 3; call++) {
      assertEquals("once", ProfileFiles.textOnce(file.toString(), hadoop));
    }
    assertEquals(1, made.get());
  }
}
