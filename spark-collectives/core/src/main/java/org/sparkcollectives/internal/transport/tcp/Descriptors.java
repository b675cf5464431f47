package org.sparkcollectives.internal.transport.tcp;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** How many files and sockets this process may have open. */
final class Descriptors {
  private static final Path LIMITS = Path.of("/proc/self/limits");
  private static final String OPEN_FILES = "Max open files";

  /** What of the limit connections that nobody uses yet may take. */
  private static final int SHARE = 4;

  private Descriptors() {}

  /**
   * How many connections may wait.
   *
   * @param wanted how many should be able to
   * @return as many, or a part of the process's limit, where that is known and less
   */
  static int atMost(int wanted) {
    List<String> limits;
    try {
      limits = Files.readAllLines(LIMITS);
    } catch (IOException elsewhereThanOnLinux) {
      limits = List.of();
    }
    return atMost(wanted, limits);
  }

  static int atMost(int wanted, List<String> limits) {
    for (String line : limits) {
      if (line.startsWith(OPEN_FILES)) {
        String soft = line.substring(OPEN_FILES.length()).trim().split("\\s+", -1)[0];
        boolean number = !soft.isEmpty() && soft.chars().allMatch(Character::isDigit);
        return number ? (int) Math.max(1, Math.min(wanted, parse(soft) / SHARE)) : wanted;
      }
    }
    return wanted;
  }

  private static long parse(String digits) {
    return digits.length() > 18 ? Long.MAX_VALUE : Long.parseLong(digits);
  }
}
