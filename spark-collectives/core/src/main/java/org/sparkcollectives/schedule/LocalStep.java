package org.sparkcollectives.schedule;

/** A step that a rank does on its own slots after the communication of a round. */
public sealed interface LocalStep permits Combine, Copy {

  /**
   * The slot written.
   *
   * @return the slot's number
   */
  int dst();

  /**
   * The blocks worked on, the same in all slots named.
   *
   * @return the range of blocks, at least one
   */
  BlockRange blocks();
}
