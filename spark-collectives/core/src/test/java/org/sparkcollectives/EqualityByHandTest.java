package org.sparkcollectives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.lang.reflect.Constructor;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.sparkcollectives.internal.transport.CommunicatorEpoch;
import org.sparkcollectives.internal.transport.tcp.handshake.Lease;
import org.sparkcollectives.schedule.BlockRange;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Topology;
import org.sparkcollectives.select.Request;

/** Records with an equality of their own, which a new component must not be left out of. */
class EqualityByHandTest {
  private static final Topology PAIRS = Topology.ofHosts(List.of(0, 0, 1, 1));

  private static Problem problem(int blocks) {
    return new Problem(Collective.REDUCE, 4, 1, blocks, false, Topology.FLAT, List.of());
  }

  private static Request request(int units) {
    return new Request(Collective.REDUCE, 4, 1, false, units, 64, "sum", Topology.FLAT);
  }

  /** A record, its components, and for each of them another value. */
  static Stream<Arguments> records() {
    return Stream.of(
        of(BlockRange.class.getName(), List.of(1, 3), List.of(0, 4)),
        of(
            Problem.class.getName(),
            List.of(Collective.REDUCE, 4, 1, 4, false, Topology.FLAT, List.of()),
            List.of(Collective.BROADCAST, 5, 2, 5, true, PAIRS, List.of(1, 2, 1, 0))),
        of(
            Request.class.getName(),
            List.of(
                Collective.REDUCE_SCATTER, 4, 1, false, 8, 64L, "sum", Topology.FLAT, List.of()),
            List.of(Collective.ALLREDUCE, 5, 2, true, 9, 72L, "max", PAIRS, List.of(1, 2, 3, 2))),
        of("org.sparkcollectives.Runner$Key", List.of("ring", problem(4)), List.of("", problem(5))),
        of(
            "org.sparkcollectives.internal.select.Selector$Key",
            List.of(request(8), "ring"),
            List.of(request(9), "")),
        of(
            "org.sparkcollectives.internal.engine.Agreement$Place",
            List.of(1L, 2L),
            List.of(3L, 4L)),
        of(CommunicatorEpoch.class.getName(), List.of(1L, 2), List.of(3L, 4)),
        of(Lease.class.getName(), List.of(1L, 2, 3, 4, 5), List.of(6L, 7, 8, 9, 10)));
  }

  private static Arguments of(String record, List<?> components, List<?> others) {
    return Arguments.of(record, components, others);
  }

  @ParameterizedTest
  @MethodSource("records")
  void eachComponentCounts(String record, List<Object> components, List<Object> others)
      throws ReflectiveOperationException {
    Class<?> type = Class.forName(record);
    assertEquals(type.getRecordComponents().length, components.size());
    Object one = make(type, components.toArray());
    assertEquals(one, make(type, components.toArray()));
    assertEquals(one.hashCode(), make(type, components.toArray()).hashCode());
    assertNotEquals(one, record);
    for (int i = 0; i < components.size(); i++) {
      Object[] changed = components.toArray();
      changed[i] = others.get(i);
      assertNotEquals(one, make(type, changed), type.getRecordComponents()[i].getName());
    }
  }

  private static Object make(Class<?> type, Object[] components)
      throws ReflectiveOperationException {
    Constructor<?> canonical =
        Arrays.stream(type.getDeclaredConstructors())
            .filter(each -> each.getParameterCount() == components.length)
            .findFirst()
            .orElseThrow();
    canonical.setAccessible(true);
    return canonical.newInstance(components);
  }
}
