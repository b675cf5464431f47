package org.sparkcollectives.internal.error;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class ErrorTextTest {

  @Test
  void aMessageIsAProblemACauseAndARemedy() {
    assertEquals(
        "it broke: it was cold. Warm it.", ErrorText.of("it broke", "it was cold", "warm it"));
  }

  @Test
  void aMessageThatIsTheCauseOfAnotherEndsOnce() {
    String inner = ErrorText.of("no link", "the rank has left", "look at its log");
    assertEquals(
        "it broke: no link: the rank has left. Look at its log. Try again.",
        ErrorText.of("it broke", inner, "try again"));
  }

  @Test
  void theRemedyFollowsACauseThatEndsWithANewLine() {
    assertEquals(
        "it broke: ValueError: a mistake. Mend that.",
        ErrorText.of("it broke", "ValueError: a mistake\n", "mend that"));
  }
}
