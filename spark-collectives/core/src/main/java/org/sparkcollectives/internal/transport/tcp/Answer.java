package org.sparkcollectives.internal.transport.tcp;

/** What an acceptor says to a handshake or to a lease. The codes are part of the protocol. */
enum Answer {
  ACCEPTED(0, "accepted"),
  VERSION(1, "it speaks another version of the protocol"),
  BYTE_ORDER(2, "its machine has another byte order"),
  ENDPOINT(3, "another process listens there than the one that is meant"),
  TOKEN(4, "it holds another token, so it belongs to another application"),
  STALE_EPOCH(5, "it works on a later epoch of the communicator"),
  ENDED(6, "the rank has left the communicator"),
  NO_SUCH_RANK(7, "it does not run that rank of the communicator"),
  IN_USE(8, "the two ranks have a link already"),
  CROWDED(9, "too many leases wait there for their ranks"),
  UNKNOWN(-1, "it gave a reason that this version does not know");

  private final int code;
  private final String reason;

  Answer(int code, String reason) {
    this.code = code;
    this.reason = reason;
  }

  int code() {
    return code;
  }

  String reason() {
    return reason;
  }

  /** Whether the two processes understand each other, and only the lease is refused. */
  boolean isAboutLease() {
    return switch (this) {
      case STALE_EPOCH, ENDED, NO_SUCH_RANK, IN_USE, CROWDED -> true;
      default -> false;
    };
  }

  static Answer of(int code) {
    for (Answer answer : values()) {
      if (answer.code == code) {
        return answer;
      }
    }
    return UNKNOWN;
  }
}
