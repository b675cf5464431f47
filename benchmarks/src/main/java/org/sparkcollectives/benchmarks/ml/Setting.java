package org.sparkcollectives.benchmarks.ml;

/**
 * What is trained, on what, where.
 *
 * @param model what is trained
 * @param problem what it learns from
 * @param partitions how many partitions the rows lie in
 * @param hosts how many hosts the executors are on
 * @param bytesPerSecond what each host's network card carries beside headers, each way; NaN where
 *     it has none
 */
record Setting(Model model, TrainingSet problem, int partitions, int hosts, double bytesPerSecond) {

  /** How many coefficients there are, which MLlib sums up all. */
  long numbers() {
    return model.numbers(problem);
  }

  /** The size of a vector of all coefficients. */
  long bytes() {
    return numbers() * Double.BYTES;
  }

  /**
   * The least time that allreduces take.
   *
   * @param allreduces how many
   * @param numbers how many numbers each carries
   * @return milliseconds; NaN without cards
   */
  double leastMillis(double allreduces, long numbers) {
    int cards = Math.min(hosts, partitions);
    return allreduces * 2e3 * (cards - 1) / cards * numbers * Double.BYTES / bytesPerSecond;
  }

  @Override
  public String toString() {
    return problem.name() + " in " + partitions + " partitions";
  }
}
