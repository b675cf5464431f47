package org.sparkcollectives.ml.internal.objective;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import breeze.linalg.DenseVector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.spark.ml.feature.Instance;
import org.apache.spark.ml.feature.InstanceBlock;
import org.apache.spark.ml.feature.InstanceBlock$;
import org.apache.spark.ml.linalg.Vectors;
import org.apache.spark.ml.optim.aggregator.MultinomialLogisticBlockAggregator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sparkcollectives.CommunicatorOptions;
import org.sparkcollectives.Group;
import org.sparkcollectives.ml.internal.bridge.HereBroadcast;
import scala.Option;
import scala.Tuple2;
import scala.jdk.javaapi.CollectionConverters;

/** An objective does not depend on how a rank's rows lie in blocks. */
@Timeout(60)
@Tag("cross-version")
class MllibObjectiveTest {
  private static final CommunicatorOptions OPTIONS =
      CommunicatorOptions.DEFAULT.withTimeout(Duration.ofSeconds(30));
  private static final int FEATURES = 2;
  private static final int CLASSES = 3;
  private static final int ROWS = 20;

  @Test
  void equalClassesAreTheLogarithmOfTheirNumberAtFirst() {
    double[] zeros = new double[CLASSES * (FEATURES + 1)];
    for (int block : new int[] {ROWS, 7, 1}) {
      assertEquals(Math.log(CLASSES), at(zeros, block, true)._1, 1e-14, block + " rows in a block");
    }
  }

  @Test
  void anInterceptOfZeroIsAsAnyOther() {
    double[] x = new Random(3).doubles(CLASSES * (FEATURES + 1), -1, 1).toArray();
    x[CLASSES * FEATURES + 1] = 0;
    for (boolean centred : new boolean[] {false, true}) {
      Tuple2<Double, double[]> expected = at(x, ROWS, centred);
      for (int block : new int[] {7, 1}) {
        String what = block + " rows in a block, centred " + centred;
        Tuple2<Double, double[]> actual = at(x, block, centred);
        assertEquals(expected._1, actual._1, 1e-14, what);
        assertArrayEquals(expected._2, actual._2, 1e-14, what);
      }
    }
  }

  /** Value and gradient of one rank's rows. */
  private static Tuple2<Double, double[]> at(double[] x, int block, boolean centred) {
    HereBroadcast<double[]> scales = new HereBroadcast<>(new double[] {1, 1});
    HereBroadcast<double[]> means = new HereBroadcast<>(new double[] {0, 0});
    return Group.threads(
            1,
            OPTIONS,
            communicator -> {
              Tuple2<Object, DenseVector<Object>> found =
                  new MllibObjective<InstanceBlock, MultinomialLogisticBlockAggregator>(
                          communicator,
                          blocks(block),
                          coefficients ->
                              new MultinomialLogisticBlockAggregator(
                                  scales, means, true, centred, coefficients),
                          Penalty.of(Option.empty()).orElseThrow())
                      .at(new DenseVector<Object>(x.clone()));
              return new Tuple2<>((Double) found._1, (double[]) found._2.data());
            })
        .get(0);
  }

  private static List<InstanceBlock> blocks(int size) {
    Random random = new Random(1);
    List<Instance> rows = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      double[] features = {random.nextGaussian(), random.nextGaussian()};
      rows.add(new Instance(i % CLASSES, 1, Vectors.dense(features)));
    }
    List<InstanceBlock> blocks = new ArrayList<>();
    for (int i = 0; i < ROWS; i += size) {
      List<Instance> some = rows.subList(i, Math.min(ROWS, i + size));
      blocks.add(InstanceBlock$.MODULE$.fromInstances(CollectionConverters.asScala(some).toSeq()));
    }
    return blocks;
  }
}
