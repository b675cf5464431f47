package org.sparkcollectives.tools.internal.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

final class ShellWordsTest {
  @Test
  void wordsThatAShellWouldChangeAreQuoted() {
    assertEquals(
        "run --master spark://host:7077 'local[2]' --conf 'a=-X -Y' 'it'\\''s' '' k=...",
        new ShellWords()
            .add("run", "--master", "spark://host:7077")
            .add("local[2]", "--conf", "a=-X -Y", "it's", "", "k=...")
            .toString());
  }
}
