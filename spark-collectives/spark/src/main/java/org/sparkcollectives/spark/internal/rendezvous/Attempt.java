package org.sparkcollectives.spark;

import java.io.Serializable;

/**
 * What every rank of an attempt knows from its driver.
 *
 * @param operation its name, for messages
 * @param job the job
 * @param epoch the attempt
 * @param conf the library's settings
 */
record JobSpec(String operation, long job, int epoch, CollectiveConf conf)
    implements Serializable {}
