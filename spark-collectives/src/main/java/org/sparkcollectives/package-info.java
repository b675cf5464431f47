/**
 * MPI-style collectives between the executors of an Apache Spark application.
 *
 * <p>A collective algorithm is a pure function that yields a schedule: for each rank, a list of
 * rounds with at most one send and at most one receive each. Everything else reads schedules.
 *
 * <ul>
 *   <li>{@code schedule}: the vocabulary, and its JSON form
 *   <li>{@code shape}: rank arithmetic of trees, rings and hypercubes
 *   <li>{@code algorithm}: one class per algorithm, and the registry
 *   <li>{@code verify}: proves a schedule; does not know the algorithms
 *   <li>{@code cost}: prices a schedule under the α-β-γ model; does not know the algorithms
 *   <li>{@code select}: chooses an algorithm for a problem and says why
 *   <li>{@code vector}: typed vectors, operators, and their bytes
 *   <li>{@code transport}: links between ranks, with deadlines
 *   <li>{@code engine}: runs a schedule over a transport; does not know the algorithms
 *   <li>{@code error}: the exceptions and their messages
 *   <li>{@code cli}: the command line
 *   <li>{@code spark}: barrier jobs, rendezvous, retry, broadcast results, settings
 *   <li>{@code ml}: gradient aggregation and training; the only package that needs MLlib
 *   <li>{@code rdd}: the Scala façade, compiled after all Java
 * </ul>
 *
 * <p>Which package may use which is a table in {@code ArchitectureTest}.
 */
@NullMarked
package org.sparkcollectives;

import org.jspecify.annotations.NullMarked;
