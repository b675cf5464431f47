package org.sparkcollectives;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.sparkcollectives.vector.ReduceOp;

/** The example of {@code docs/groups.md}: a rank that is a process. */
final class GroupExample {
  private GroupExample() {}

  // begin
  public static void main(String[] args) throws IOException {
    GroupOptions options =
        GroupOptions.builder()
            .size(3)
            .rank(Integer.parseInt(args[0]))
            .first(args[1]) // where rank 0 listens, such as 10.0.0.1:7400
            .secret(Files.readString(Path.of(args[2])).strip()) // 64 hexadecimal digits
            .build();
    try (Group group = Group.open(options);
        Communicator communicator = group.communicator()) {
      double[] sum = communicator.allReduce(new double[] {group.rank(), 1}, ReduceOp.SUM);
      System.out.println(Arrays.toString(sum));
    }
  }
  // end
}
