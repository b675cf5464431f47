package org.sparkcollectives.spark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.Serial;
import java.io.Serializable;
import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.Function;
import org.apache.spark.util.SparkExitCode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sparkcollectives.error.CollectiveException;
import org.sparkcollectives.spark.internal.job.LostException;
import org.sparkcollectives.testing.SharedCluster;
import org.sparkcollectives.vector.ReduceOp;

/** Jobs that fail however often they are submitted. */
@Timeout(300)
class AttemptsIT {
  private static JavaSparkContext context;

  @BeforeAll
  static void start() {
    SparkConf conf =
        SharedCluster.get().conf("attempts", 2, 1, "512m").set("spark.collectives.retries", "1");
    context = new JavaSparkContext(conf);
  }

  @AfterAll
  static void stop() {
    context.stop();
  }

  @Test
  void theLastErrorSaysWhatEndedEachAttempt() {
    CollectiveException e = whereAnExecutorHalts(7);
    String text = e.getMessage();
    String each = "(ExecutorLostFailure \\(executor [^;]*|twoTreeReduce lost rank [^;]*)";
    assertTrue(
        text.matches("twoTreeReduce failed at each of 2 attempts: 1\\) " + each + "; 2\\) " + each),
        text);
    assertTrue(text.endsWith("or raise spark.collectives.retries."), text);
    assertTrue(text.lines().count() == 1 && text.length() < 1000, text);
    assertTrue(LostException.isBehind(e), e::toString);
    assertFalse(LostException.lackedMemory(e), e::toString);
    assertEquals(1, JavaCollectives.of(context.parallelize(List.of(0, 1), 2)).reduce(ReduceOp.SUM));
  }

  /** The code with which Spark ends an executor that has no memory, before a rank can say so. */
  @Test
  void whereExecutorsHaveNoMemoryTheErrorAdvisesMore() {
    CollectiveException e = whereAnExecutorHalts(SparkExitCode.OOM());
    assertTrue(e.getMessage().contains("failed at each of 2 attempts"), e.getMessage());
    assertTrue(e.getMessage().contains("had no memory left: raise spark.executor.memory"));
    assertTrue(LostException.lackedMemory(e), e::toString);
  }

  private static CollectiveException whereAnExecutorHalts(int code) {
    JavaRDD<Integer> deadly =
        context
            .parallelize(List.of(0, 1), 2)
            .map(
                i -> {
                  if (i == 1) {
                    Runtime.getRuntime().halt(code);
                  }
                  return i;
                });
    return assertThrows(
        CollectiveException.class, () -> JavaCollectives.of(deadly).twoTreeReduce(ReduceOp.SUM));
  }

  @Test
  void aFunctionThatTasksCannotRead() {
    JavaRDD<Integer> unreadable = context.parallelize(List.of(0, 1), 2).map(new Unreadable());
    CollectiveException e =
        assertThrows(
            CollectiveException.class,
            () -> JavaCollectives.of(unreadable).twoTreeReduce(ReduceOp.SUM));
    assertTrue(e.getMessage().contains("Spark ended its job at attempt 1"), e.getMessage());
    assertTrue(e.getMessage().contains("not on an executor"), e.getMessage());
    assertFalse(LostException.isBehind(e), e::toString);
  }

  /** A function that exists at the driver only. */
  private static final class Unreadable implements Function<Integer, Integer>, Serializable {
    @Serial private static final long serialVersionUID = 1L;

    @Override
    public Integer call(Integer number) {
      return number;
    }

    @Serial
    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      if (!SparkEnv.get().executorId().equals("driver")) {
        throw new InvalidObjectException("not on an executor");
      }
    }
  }
}
