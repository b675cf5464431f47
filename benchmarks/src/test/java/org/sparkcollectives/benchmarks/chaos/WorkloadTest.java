package org.sparkcollectives.benchmarks.chaos;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.sparkcollectives.CommunicatorOptions;
import org.sparkcollectives.Group;
import org.sparkcollectives.error.CollectiveException;

class WorkloadTest {

  @Test
  void everyRankFindsItsResultsRight() {
    List<String> last =
        Group.threads(
            5,
            CommunicatorOptions.DEFAULT,
            communicator -> {
              Workload work = new Workload(11, 40, 500);
              work.run(communicator);
              return work.what();
            });
    assertEquals(List.of("call 40, barrier"), last.stream().distinct().toList());
  }

  @Test
  void aRankWithOtherValuesIsFound() {
    CollectiveException failure =
        assertThrows(
            CollectiveException.class,
            () ->
                Group.threads(
                    3,
                    CommunicatorOptions.DEFAULT,
                    communicator -> {
                      new Workload(communicator.rank() == 1 ? 12 : 11, 1, 50).run(communicator);
                      return true;
                    }));
    assertInstanceOf(Workload.WrongResult.class, failure.getCause());
  }
}
