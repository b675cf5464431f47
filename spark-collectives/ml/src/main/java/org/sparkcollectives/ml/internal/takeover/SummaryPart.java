package org.sparkcollectives.ml.internal.takeover;

import java.io.Serial;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/** What a rank tells the driver of the summary of all rows. */
final class SummaryPart implements Serializable {
  @Serial private static final long serialVersionUID = 1L;

  /** The pair of the features' summary and the labels'; of rank 0 alone. */
  final @Nullable Object pair;

  /** How many features the pair's first summary lacks, which ranks have in parts. */
  final int features;

  /** Which features tuples are of, where others are 0 in all rows; of rank 0 alone. */
  final int @Nullable [] present;

  /** This rank's part of the features' {@linkplain Moments tuples}. */
  final double[] tuples;

  SummaryPart(@Nullable Object pair, int features, int @Nullable [] present, double[] tuples) {
    this.pair = pair;
    this.features = features;
    this.present = present;
    this.tuples = tuples;
  }
}
