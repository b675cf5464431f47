package org.sparkcollectives.benchmarks.chaos;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** The kinds of faults. */
enum Kind implements FaultKind {
  /** A process is killed. */
  KILL("a process is killed", true, true),
  /** A process is stopped, and goes on before the deadline. */
  STOP_SHORT("a process is stopped for less than the deadline", false, false),
  /** A process is stopped until the others have given up. */
  STOP_LONG("a process is stopped for longer than the deadline", true, true),
  /** A connection is reset. */
  RESET("a connection is reset", true, true),
  /** One direction of a connection ends. */
  HALF_CLOSE("one direction of a connection ends", true, true),
  /** Two ranks hear nothing of each other for a while. */
  STALL_SHORT("the bytes between two ranks wait for less than the deadline", false, false),
  /** Two ranks hear nothing of each other until they have given up. */
  STALL_LONG("the bytes between two ranks wait for longer than the deadline", true, true),
  /** Bytes between two ranks arrive late. */
  DELAY("the bytes between two ranks are late", false, false),
  /** One rank does not hear another, which hears it. */
  PARTITION("the bytes from one rank to another are lost, the others not", true, true),
  /** A connection ends in its handshake. */
  HANDSHAKE("a connection is cut in its handshake", true, false),
  /** A connection ends when its lease is returned. */
  RETURN("a connection is cut when its lease is returned", false, false),
  /** A second process claims to be a rank. */
  DUPLICATE("a second process claims to be a rank", true, false),
  /** A process of an earlier attempt calls. */
  OLD_EPOCH("a process of an earlier epoch calls", false, false),
  /** The folder of shared memory takes no file. */
  MEMORY_FULL("the folder of shared memory takes no more", false, false),
  /** A process can open no more files. */
  NO_DESCRIPTORS("a process has no file descriptors left", true, false),
  /** A process's heap is full. */
  OUT_OF_MEMORY("a process's heap is full", true, false),
  /** A host's cable is out, and in again before the deadline. */
  CABLE_SHORT("a host's cable is out for less than the deadline", false, false),
  /** A host's cable is out until the others have given up. */
  CABLE_LONG("a host's cable is out for longer than the deadline", true, true),
  /** A host's cable has a bad contact. */
  CABLE_FLAPS("a host's cable is out and in again, many times", false, false),
  /** A host is not heard by another one, which it hears. */
  ONE_WAY("the packets from one host to another are lost, the others not", true, true),
  /** A host's network card is slower for a while. */
  SLOW_CARD("a host's network card has a twentieth of its rate", false, false),
  /** A host ends without a word. */
  HOST_LOST("a host is lost: its cable is out, and its process is killed", true, true);

  /** What happens to hosts, at any time; what else there is needs proxies. */
  private static final Set<Kind> OF_HOSTS =
      EnumSet.of(
          KILL,
          STOP_SHORT,
          STOP_LONG,
          OUT_OF_MEMORY,
          CABLE_SHORT,
          CABLE_LONG,
          CABLE_FLAPS,
          ONE_WAY,
          SLOW_CARD,
          HOST_LOST);

  /** What happens between processes of one host, at a byte that passes the proxies. */
  private static final Set<Kind> OF_PROCESSES = EnumSet.range(KILL, OUT_OF_MEMORY);

  private final String text;
  private final boolean mayFail;
  private final boolean named;

  Kind(String text, boolean mayFail, boolean named) {
    this.text = text;
    this.mayFail = mayFail;
    this.named = named;
  }

  /** Those that can happen, in their order. */
  static List<Kind> of(boolean hosts) {
    Set<Kind> possible = hosts ? OF_HOSTS : OF_PROCESSES;
    return Arrays.stream(values()).filter(possible::contains).toList();
  }

  @Override
  public String text() {
    return text;
  }

  /** Whether the collectives that run may fail; otherwise they are to be right nevertheless. */
  boolean mayFail() {
    return mayFail;
  }

  /** Whether somebody is to name a rank that was hit. */
  boolean named() {
    return named;
  }
}
