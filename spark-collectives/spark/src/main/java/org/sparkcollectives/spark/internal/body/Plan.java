package org.sparkcollectives.spark.internal.body;

import org.apache.spark.api.java.JavaRDD;

/**
 * One attempt's work.
 *
 * @param rdd the input, one partition per rank
 * @param size the number of ranks
 * @param body what each rank does
 */
public record Plan(JavaRDD<?> rdd, int size, RankBody body) {}
