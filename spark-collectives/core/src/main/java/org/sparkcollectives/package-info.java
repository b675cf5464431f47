/**
 * Collective operations between Java processes or threads: communicators, and groups of ranks
 * without Spark.
 *
 * <p>The map of the house, from the inside out: {@code error} has the exceptions, {@code schedule}
 * is the vocabulary; of {@code internal}, {@code shape} has the trees and rings and {@code
 * algorithm} one class per algorithm. {@code verify} proves schedules right, {@code cost} is what
 * they cost and {@code select} how one is chosen. {@code vector} holds operators, {@code transport}
 * what a network must offer, {@code internal.transport} rings, memory and TCP, {@code
 * internal.engine} runs a schedule. By {@code internal.group} processes become a group without
 * Spark. This package puts them together.
 *
 * <p>In other modules: {@code spark} brings it into Spark jobs, with {@code rdd} for Scala, {@code
 * sql} for columns of Spark SQL and {@code python} for PySpark; {@code ml} trains MLlib's models
 * with it; {@code tools} brings it to the command line.
 */
@NullMarked
package org.sparkcollectives;

import org.jspecify.annotations.NullMarked;
