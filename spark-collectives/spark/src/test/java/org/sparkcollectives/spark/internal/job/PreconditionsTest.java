package org.sparkcollectives.spark.internal.job;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.spark.SparkConf;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sparkcollectives.error.InvalidInputException;

/** What is refused for the settings alone. */
class PreconditionsTest {
  private static final String FILTER = "spark.collectives.objects.filter";

  private static SparkConf conf(String serializer, boolean registered) {
    return new SparkConf(false)
        .set("spark.serializer", serializer)
        .set("spark.kryo.registrationRequired", String.valueOf(registered));
  }

  @ParameterizedTest
  @CsvSource({
    "org.apache.spark.serializer.KryoSerializer, false",
    "com.example.MySerializer, false",
    "com.example.MySerializer, true"
  })
  void aFilterThatNobodyAsksIsRefused(String serializer, boolean registered) {
    SparkConf conf = conf(serializer, registered);
    assertDoesNotThrow(() -> Preconditions.check(conf, true, "reduce"));
    conf.set(FILTER, "java.base/*;!*");
    InvalidInputException refusal =
        assertThrows(InvalidInputException.class, () -> Preconditions.check(conf, true, "reduce"));
    assertTrue(String.valueOf(refusal.getMessage()).contains(FILTER), refusal::toString);
  }

  @ParameterizedTest
  @CsvSource({
    "org.apache.spark.serializer.JavaSerializer, false",
    "org.apache.spark.serializer.KryoSerializer, true"
  })
  void aFilterStandsWhereClassesAreLimited(String serializer, boolean registered) {
    SparkConf conf = conf(serializer, registered).set(FILTER, "java.base/*;!*");
    assertDoesNotThrow(() -> Preconditions.check(conf, true, "reduce"));
  }

  @Test
  void javaIsTheSerializerWhereNoneIsGiven() {
    SparkConf conf = new SparkConf(false).set(FILTER, "java.base/*;!*");
    assertDoesNotThrow(() -> Preconditions.check(conf, true, "reduce"));
  }
}
