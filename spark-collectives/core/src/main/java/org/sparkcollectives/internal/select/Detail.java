package org.sparkcollectives.internal.select;

/** How closely a {@link PlacedPrice} is simulated. */
enum Detail {
  /** Of few ranks, few blocks, and the nearest size of a block: to find what is out of question. */
  ROUGH,
  /** Of all ranks of the sample, as roughly in blocks: to choose by. */
  CLOSER,
  /** As exactly as prices are told. */
  EXACT
}
