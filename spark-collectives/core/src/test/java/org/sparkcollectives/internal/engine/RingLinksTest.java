package org.sparkcollectives.internal.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.reflect.Array;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sparkcollectives.internal.algorithm.Algorithm;
import org.sparkcollectives.internal.algorithm.Algorithms;
import org.sparkcollectives.internal.transport.ring.MemoryMesh;
import org.sparkcollectives.internal.vector.FixedVector;
import org.sparkcollectives.internal.vector.JavaCodec;
import org.sparkcollectives.internal.vector.ObjectVector;
import org.sparkcollectives.internal.vector.Vector;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.transport.Cancellation;
import org.sparkcollectives.transport.Deadline;
import org.sparkcollectives.transport.Link;
import org.sparkcollectives.transport.Seed;
import org.sparkcollectives.transport.Transport;
import org.sparkcollectives.vector.ReduceOp;

/**
 * Elements that are made and used where the bytes of a ring lie, among them those across its end,
 * arrive as those that are copied through buffers do.
 */
class RingLinksTest {
  private static final List<Collective> COLLECTIVES =
      List.of(
          Collective.BROADCAST,
          Collective.REDUCE,
          Collective.ALLREDUCE,
          Collective.SCAN,
          Collective.EXSCAN);

  private static final ReduceOp<String> CONCATENATION =
      ReduceOp.ofObjects("concatenation", false, String::concat);

  /** The first element of the left, the others of both: associative, for any width. */
  private static ReduceOp<Object> tuples(int width) {
    return ReduceOp.ofDoubleTuples(
        "tuples of " + width,
        false,
        width,
        (l, i, r, j, out) -> {
          out[0] = l[i];
          for (int k = 1; k < width; k++) {
            out[k] = l[i + k] + r[j + k];
          }
        });
  }

  /** What to run: the same on all ranks. */
  private record Task(Algorithm algorithm, Problem problem, @Nullable ReduceOp<?> op, int type) {}

  private static Task task(SplittableRandom random) {
    Collective collective = COLLECTIVES.get(random.nextInt(COLLECTIVES.size()));
    int size = random.nextInt(2, 6);
    int type = random.nextInt(7);
    if (collective != Collective.BROADCAST && type == 0) {
      type = 1; // bytes cannot be combined
    }
    boolean ordered = collective.reducing() && type >= 5;
    ReduceOp<?> op =
        switch (type) {
          case 5 -> tuples(new int[] {2, 3, 33, 200}[random.nextInt(4)]);
          case 6 -> CONCATENATION;
          default -> ReduceOp.SUM;
        };
    int root = collective.rooted() ? random.nextInt(size) : 0;
    Problem problem = new Problem(collective, size, root, random.nextInt(1, 6), ordered);
    List<Algorithm> all =
        Algorithms.of(collective).stream()
            .filter(a -> a.refusal(problem) == null && (!ordered || a.traits().keepsOrder()))
            .toList();
    if (all.isEmpty()) {
      return task(random);
    }
    Algorithm algorithm = all.get(random.nextInt(all.size()));
    return new Task(algorithm, problem, collective.reducing() ? op : null, type);
  }

  private static Vector vector(Task task, int rank, int length) {
    SplittableRandom random = new SplittableRandom(rank);
    return switch (task.type()) {
      case 0 -> {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        yield Vector.of(bytes);
      }
      case 1 -> Vector.of(random.ints(length).toArray());
      case 2 -> Vector.of(random.longs(length).toArray());
      case 3 -> {
        float[] floats = new float[length];
        for (int i = 0; i < length; i++) {
          floats[i] = random.nextInt(1000);
        }
        yield Vector.of(floats);
      }
      case 6 -> {
        Object[] words =
            random.ints(Math.min(length, 200)).mapToObj(n -> "x".repeat(n & 127) + n).toArray();
        yield new ObjectVector(words, new JavaCodec());
      }
      default -> {
        int width = task.op() == null ? 1 : task.op().width();
        long elements = (length / width + 1L) * width;
        yield Vector.of(random.ints(elements, 0, 1000).asDoubleStream().toArray());
      }
    };
  }

  /** What two operations, the second wherever in the rings the first has ended, leave. */
  private static List<List<Object>> run(Task task, int length, List<Transport> ranks)
      throws Exception {
    return Ranks.run(
        ranks,
        transport -> {
          int rank = transport.rank();
          Program program = Program.compile(task.algorithm().executed(task.problem(), rank));
          Deadline deadline = Deadline.after(Duration.ofSeconds(30));
          Engine engine = Engines.plain();
          List<Object> results = new ArrayList<>();
          for (int number = 1; number <= 2; number++) {
            Vector vector = vector(task, rank, length);
            engine.run(
                new Operation(
                    program, vector, task.op(), number, transport, deadline, Cancellation.NONE));
            if (isDefined(task.problem(), rank)) {
              results.addAll(elements(vector));
            }
          }
          return results;
        });
  }

  private static boolean isDefined(Problem problem, int rank) {
    return switch (problem.collective()) {
      case REDUCE -> rank == problem.root();
      case EXSCAN -> rank > 0;
      default -> true;
    };
  }

  private static List<Object> elements(Vector vector) {
    if (vector instanceof ObjectVector objects) {
      return IntStream.range(0, objects.length()).mapToObj(objects::get).toList();
    }
    Object array = ((FixedVector) vector).array();
    return IntStream.range(0, vector.length()).mapToObj(i -> Array.get(array, i)).toList();
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 16, 64, 4096})
  void giveWhatPlainLinksGive(int ringBytes) {
    Seed.run(
        RingLinksTest.class,
        seed -> {
          SplittableRandom random = new SplittableRandom(seed);
          for (int i = 0; i < 40; i++) {
            Task task = task(random);
            int length = random.nextInt(1, ringBytes == 4096 ? 20_000 : 1_000);
            int size = task.problem().size();
            List<Transport> plain = PlainLinks.over(MemoryMesh.create(size));
            assertEquals(
                run(task, length, plain),
                run(task, length, MemoryMesh.create(size, ringBytes)),
                () -> task + " with " + length + " elements");
          }
        });
  }

  @Test
  void theLinksThatAreComparedAreWhatTheyShouldBe() throws IOException {
    Transport ring = MemoryMesh.create(2).get(0);
    Deadline deadline = Deadline.after(Duration.ofSeconds(30));
    assertTrue(ring.link(1, deadline, Cancellation.NONE).inPlace());
    Link plain = new PlainLinks(ring, new AtomicInteger()).link(1, deadline, Cancellation.NONE);
    assertFalse(plain.inPlace());
  }
}
