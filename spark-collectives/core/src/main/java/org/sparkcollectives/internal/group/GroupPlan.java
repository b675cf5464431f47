package org.sparkcollectives.internal.group;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.sparkcollectives.internal.transport.EndpointOptions;

/**
 * What a process is told of the group that it becomes a member of.
 *
 * @param size the number of ranks
 * @param rank this process's rank, {@link #ANY_RANK} if any other than 0 will do
 * @param addresses rank 0's alone, or those of all ranks
 * @param secret what all members know and nobody else
 * @param timeout how long they may take to meet
 * @param bindHost what listening sockets are bound to; empty for the address that rank 0 has, or
 *     that rank 0 is reached from
 * @param advertisedHost what the others are told; empty for the bound address
 * @param firstPort first port tried for links, where no list of addresses tells it
 * @param lastPort last port tried
 * @param node name of this machine; empty for its address
 * @param label how to name the process to people
 * @param rack name of this machine's rack; empty where it is not known
 * @param listening told where rank 0 listens
 * @param encrypted whether links are sealed
 * @param transport the other settings of the endpoint
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record GroupPlan(
    int size,
    int rank,
    List<Address> addresses,
    byte[] secret,
    Duration timeout,
    String bindHost,
    String advertisedHost,
    int firstPort,
    int lastPort,
    String node,
    String label,
    String rack,
    Consumer<String> listening,
    boolean encrypted,
    EndpointOptions.Builder transport) {

  /** The rank of a process that takes whatever is left. */
  public static final int ANY_RANK = -1;

  /** Where rank 0 is. */
  Address first() {
    return addresses.get(0);
  }

  /** The hash of the list of addresses; of no list where rank 0's is the only one. */
  byte[] addressesDigest() {
    return MeetingKey.digest(hasList() ? addresses : List.of());
  }

  /** Whether all ranks' addresses are known. */
  boolean hasList() {
    return addresses.size() == size && size > 1;
  }
}
