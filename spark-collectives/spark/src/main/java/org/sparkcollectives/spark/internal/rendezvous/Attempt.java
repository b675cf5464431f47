package org.sparkcollectives.spark.internal.rendezvous;

import org.sparkcollectives.spark.internal.conf.CollectiveConf;

/**
 * What every rank of an attempt at a job knows from its driver.
 *
 * @param operation its name, for messages
 * @param job the job
 * @param epoch the number of the attempt
 * @param conf the library's settings
 * @param results the number under which its ranks store results
 */
public record Attempt(String operation, long job, int epoch, CollectiveConf conf, long results) {}
