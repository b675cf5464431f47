package org.sparkcollectives.tools.internal.cli;

import java.util.regex.Pattern;

/** A command line as a shell takes it: words that a shell would change stand between quotes. */
final class ShellWords {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_@%+=:,./-]+");

  private final StringBuilder line = new StringBuilder();

  /** Adds words at the end. */
  ShellWords add(String... words) {
    for (String word : words) {
      boolean plain = PLAIN.matcher(word).matches();
      line.append(line.length() == 0 ? "" : " ");
      line.append(plain ? word : "'" + word.replace("'", "'\\''") + "'");
    }
    return this;
  }

  /** The line. */
  @Override
  public String toString() {
    return line.toString();
  }
}
