package org.sparkcollectives.internal.draw;

/** What a picture shows. */
public enum View {
  /** The trees where there are at most {@value Picture#FEW_TREES}, and else the rounds. */
  AUTO,
  /** The trees along which blocks travel. */
  TREES,
  /** Ranks over rounds: every message and every reduction. */
  TIME,
  /** The trees where there are at most {@value Picture#FEW_TREES}, and below them the rounds. */
  ALL
}
