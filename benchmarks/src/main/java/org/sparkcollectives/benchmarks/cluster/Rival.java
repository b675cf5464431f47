package org.sparkcollectives.benchmarks.cluster;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.sparkcollectives.schedule.Collective;

/** Other software that does the same collectives on the same hosts. */
interface Rival extends AutoCloseable {

  /** Its name in the tables. */
  String name();

  /** Its version and settings. */
  String description();

  /**
   * Does operations.
   *
   * @param collective which
   * @param bytes the vector's size
   * @param warmUp how many operations come first
   * @param counted how many count
   * @param limit how long all of them may take
   * @return microseconds of those that count
   * @throws IOException if they fail, or take longer
   */
  List<Double> run(Collective collective, long bytes, int warmUp, int counted, Duration limit)
      throws IOException;

  @Override
  void close() throws IOException;
}
