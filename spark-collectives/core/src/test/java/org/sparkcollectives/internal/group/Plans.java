package org.sparkcollectives.internal.group;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.sparkcollectives.internal.transport.EndpointOptions;

/** What processes are told that have nothing but rank 0's address and a secret. */
final class Plans {
  private static final Duration TIMEOUT = Duration.ofMinutes(1);

  private Plans() {}

  static GroupPlan of(
      int size, int rank, Address first, byte[] secret, Consumer<String> listening) {
    return new GroupPlan(
        size,
        rank,
        List.of(first),
        secret,
        TIMEOUT,
        "",
        "",
        0,
        0,
        "",
        "",
        "",
        listening,
        false,
        EndpointOptions.builder());
  }
}
