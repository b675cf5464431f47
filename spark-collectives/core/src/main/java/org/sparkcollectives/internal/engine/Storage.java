package org.sparkcollectives.internal.engine;

/**
 * Where the blocks of a slot lie when a step is run: in the user's vector, in the staging buffer
 * that a message passes through, or in scratch cells, one cell per block.
 *
 * @param kind which of the three
 * @param from the block that {@code cells[0]} is for
 * @param cells cell numbers by block, empty unless the kind is {@code CELLS}
 */
@SuppressWarnings("ArrayRecordComponent") // never compared; read in the inner loop
record Storage(Kind kind, int from, int[] cells) {

  /** The user's vector. */
  static final Storage USER = new Storage(Kind.USER, 0, new int[0]);

  /** The staging buffer. */
  static final Storage STAGING = new Storage(Kind.STAGING, 0, new int[0]);

  /** The kinds of storage. */
  enum Kind {
    USER,
    STAGING,
    CELLS
  }

  static Storage cells(int from, int[] cells) {
    return new Storage(Kind.CELLS, from, cells);
  }

  boolean inCells() {
    return kind == Kind.CELLS;
  }

  int cell(int block) {
    return cells[block - from];
  }
}
