package org.sparkcollectives.testing;

import java.io.BufferedReader;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.List;
import org.sparkcollectives.Group;
import org.sparkcollectives.GroupOptions;

/**
 * How the processes that a process has started open a group: it tells rank 0 a secret, reads where
 * rank 0 listens, and tells the others both.
 */
public final class Introductions {
  private static final String GROUP = "GROUP ";
  private static final String LISTENS = "LISTENS ";
  private static final int SECRET_BYTES = 32;

  private Introductions() {}

  /**
   * Introduces processes to each other, each of which is in {@link #open} or will be; lines that
   * rank 0 has written before are skipped.
   *
   * @param ranks the processes, in rank order
   * @throws IOException if one has ended
   */
  public static void introduce(List<JavaProcess> ranks) throws IOException {
    byte[] random = new byte[SECRET_BYTES];
    new SecureRandom().nextBytes(random);
    String secret = HexFormat.of().formatHex(random);
    ranks.get(0).tell(GROUP + secret);
    String address = ranks.get(0).expect(LISTENS);
    for (JavaProcess other : ranks.subList(1, ranks.size())) {
      other.tell(GROUP + secret + " " + address);
    }
  }

  /**
   * Opens the group that the starting process introduces.
   *
   * @param input this process's input
   * @param rank this process's rank
   * @param size the number of ranks
   * @param host this process's host, where rank 0 listens on any port
   * @param options what else there is to say
   * @return the group
   * @throws IOException if the input ends
   */
  public static Group open(
      BufferedReader input, int rank, int size, String host, GroupOptions.Builder options)
      throws IOException {
    String line = input.readLine();
    if (line == null || !line.startsWith(GROUP)) {
      throw new IOException("there is no introduction, but: " + line);
    }
    String[] words = line.split(" ", -1);
    return Group.open(
        options
            .size(size)
            .rank(rank)
            .secret(words[1])
            .first(rank == 0 ? host + ":0" : words[2])
            .hosts(host, "")
            .listening(address -> System.out.println(LISTENS + address))
            .build());
  }
}
