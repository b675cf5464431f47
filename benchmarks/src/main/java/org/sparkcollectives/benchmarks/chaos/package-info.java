/** Faults, strangers and endurance: what breaks in a group of processes, and what is left of it. */
@NullMarked
package org.sparkcollectives.benchmarks.chaos;

import org.jspecify.annotations.NullMarked;
