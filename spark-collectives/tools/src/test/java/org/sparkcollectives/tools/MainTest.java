package org.sparkcollectives.tools;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** How a command line ends. */
final class MainTest {
  private final StringWriter said = new StringWriter();
  private final PrintWriter err = new PrintWriter(said);

  /** Standard output where the disk is full. */
  private static PrintWriter full() {
    OutputStream disk =
        new OutputStream() {
          @Override
          public void write(int value) throws IOException {
            throw new IOException("No space left on device");
          }
        };
    PrintStream stream = new PrintStream(disk, false, StandardCharsets.UTF_8);
    return new PrintWriter(stream, true, StandardCharsets.UTF_8);
  }

  @Test
  void outputThatIsNotWrittenIsNoSuccess() {
    PrintWriter out = full();
    out.print("[]");
    assertEquals(2, Main.ended(out, err, 0));
    assertTrue(
        said.toString().startsWith("the output is not complete: standard output takes no more"),
        said::toString);
    assertEquals(2, Main.ended(new PrintWriter(new StringWriter()), full("progress"), 0));
  }

  private static PrintWriter full(String text) {
    PrintWriter writer = full();
    writer.println(text);
    return writer;
  }

  @Test
  void otherwiseItIsWhatTheCommandSays() {
    PrintWriter out = new PrintWriter(new StringWriter());
    for (int status = 0; status <= 2; status++) {
      assertEquals(status, Main.ended(out, err, status));
    }
    assertEquals("", said.toString());
  }
}
