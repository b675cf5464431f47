package org.sparkcollectives.internal.transport.tcp.handshake;

/** What an acceptor says to a handshake or to a lease. The codes are part of the protocol. */
public enum AnswerCode {
  /** The lease is accepted. */
  ACCEPTED(0, "accepted"),
  /** The versions of the protocol differ. */
  VERSION(1, "it speaks another version of the protocol"),
  /** The byte orders of the machines differ. */
  BYTE_ORDER(2, "its machine has another byte order"),
  /** Another process was meant. */
  ENDPOINT(3, "another process listens there than the one that is meant"),
  /** The tokens differ. */
  TOKEN(4, "it holds another token, so it belongs to another application"),
  /** A later epoch has begun. */
  STALE_EPOCH(5, "it works on a later epoch of the communicator"),
  /** The rank has left. */
  ENDED(6, "the rank has left the communicator"),
  /** The rank lives elsewhere. */
  NO_SUCH_RANK(7, "it does not run that rank of the communicator"),
  /** There is such a lease already. */
  IN_USE(8, "the two ranks have a link already"),
  /** There is no room for another lease. */
  CROWDED(9, "too many leases wait there for their ranks"),
  /** The seals differ. */
  SEALING(10, "its settings of encryption differ from those of this process"),
  /** A code that this version does not know. */
  UNKNOWN(-1, "it gave a reason that this version does not know");

  private final int code;
  private final String reason;

  AnswerCode(int code, String reason) {
    this.code = code;
    this.reason = reason;
  }

  /**
   * The code.
   *
   * @return what the frame holds
   */
  public int code() {
    return code;
  }

  /**
   * The reason.
   *
   * @return what it means, for people
   */
  public String reason() {
    return reason;
  }

  /**
   * Whether the two processes understand each other, and only the lease is refused.
   *
   * @return true for reasons that say so
   */
  public boolean isAboutLease() {
    return switch (this) {
      case STALE_EPOCH, ENDED, NO_SUCH_RANK, IN_USE, CROWDED -> true;
      default -> false;
    };
  }

  /**
   * The answer that has a code.
   *
   * @param code the code
   * @return the answer, {@link #UNKNOWN} where none has it
   */
  public static AnswerCode of(int code) {
    for (AnswerCode answer : values()) {
      if (answer.code == code) {
        return answer;
      }
    }
    return UNKNOWN;
  }
}
