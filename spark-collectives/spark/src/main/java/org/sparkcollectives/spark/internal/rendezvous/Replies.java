package org.sparkcollectives.spark.internal.rendezvous;

import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.spark.internal.conf.Encryption;

/**
 * What ranks that have come are told: to begin to listen, all operands, or who takes part. Of each
 * process that does not know the members one rank is told them, the others their version. Where
 * that were too many bytes, they are handed out instead. For whoever holds the attempt's lock.
 */
final class Replies {
  private final byte[] salt;
  private final Encryption encryption;
  private final Handout handout;
  private Handout.@Nullable Handed handed;
  private int toldRanks;

  /**
   * For one attempt.
   *
   * @param salt what the application's secret is made of
   * @param encryption how connections are to be sealed
   * @param handout how members are handed out
   */
  Replies(byte[] salt, Encryption encryption, Handout handout) {
    this.salt = salt;
    this.encryption = encryption;
    this.handout = handout;
  }

  /** So many ranks, the first, have been told of the others. */
  int toldRanks() {
    return toldRanks;
  }

  /** What was handed out, or null; who ends the attempt ends it, too. */
  Handout.@Nullable Handed handed() {
    return handed;
  }

  /** Tells those that take part and do not listen to do so; gives them. */
  static List<Integer> summon(Participants participants) {
    byte[] listen = Wire.encode(new Wire.Listen());
    List<Integer> silent =
        participants
            .ranks()
            .filter(rank -> !participants.of(rank).member().listens())
            .boxed()
            .toList();
    silent.forEach(rank -> participants.of(rank).reply(listen));
    return silent;
  }

  /**
   * Gives all operands to a rank, where all who take part have sent theirs, and wait or have all
   * left: then the driver has them with the tasks' results. False if not.
   *
   * @param participants who has come, and takes part
   * @param attendance is told so before any rank is
   */
  static boolean gather(Participants participants, Attendance attendance) {
    List<byte[]> operands = participants.operands();
    List<Integer> waiting =
        participants.ranks().filter(rank -> participants.of(rank).waits()).boxed().toList();
    if (operands.isEmpty() || (!waiting.isEmpty() && waiting.size() < operands.size())) {
      return false;
    }
    attendance.gather();
    int combines = waiting.isEmpty() ? -1 : waiting.get(0);
    for (int rank = 0; rank < participants.arrived(); rank++) {
      Wire.Reply reply = rank == combines ? new Wire.Gathered(operands) : new Wire.Idle();
      participants.of(rank).reply(Wire.encode(reply));
    }
    return true;
  }

  /**
   * Tells every rank who takes part.
   *
   * @param participants who has come, and takes part
   * @param members who takes part
   * @param mostBytes members take so many bytes of all replies together at most
   */
  void tell(Participants participants, Members members, long mostBytes) {
    BitSet firsts = firstOfProcesses(participants, members.version());
    Wire.Told all = firsts.isEmpty() ? null : news(members, firsts.cardinality(), mostBytes);
    boolean sparse = Shapes.sparse(participants.shapes());
    byte[] idle = Wire.encode(new Wire.Idle());
    int number = 0;
    while (toldRanks < participants.arrived()) {
      byte[] reply = idle;
      if (participants.takesPart(toldRanks)) {
        Wire.Told news = firsts.get(toldRanks) ? all : null;
        reply =
            Wire.encode(
                new Wire.Joined(salt, number++, members.version(), news, sparse, encryption));
      }
      participants.of(toldRanks).reply(reply);
      toldRanks++;
    }
  }

  /** One rank of each process that does not know the members, the lowest of those that do not. */
  private static BitSet firstOfProcesses(Participants participants, long version) {
    BitSet firsts = new BitSet();
    Set<String> processes = new HashSet<>();
    participants
        .ranks()
        .filter(rank -> participants.of(rank).join().knows() != version)
        .filter(rank -> processes.add(participants.of(rank).member().endpoint()))
        .forEach(firsts::set);
    return firsts;
  }

  /** What one rank of each process is told of the members. */
  private Wire.Told news(Members members, int processes, long mostBytes) {
    byte[] encoded = members.encode();
    if (encoded.length <= mostBytes / processes) {
      return new Wire.Told(encoded, false);
    }
    Handout.Handed out = handout.give(encoded);
    handed = out;
    return new Wire.Told(out.reference(), true);
  }
}
