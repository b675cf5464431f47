/**
 * Measurements of the collectives, alone and against what Spark brings. {@code report} holds what
 * all of them print and write; {@code spark} compares with {@code treeAggregate} and {@code
 * broadcast} on a cluster, {@code loopback} runs the engine alone over sockets, {@code jmh} times
 * kernels.
 */
@NullMarked
package org.sparkcollectives.benchmarks;

import org.jspecify.annotations.NullMarked;
