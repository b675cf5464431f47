/** Collectives on hosts with network cards of their own, beside what network and model allow. */
@NullMarked
package org.sparkcollectives.benchmarks.cluster;

import org.jspecify.annotations.NullMarked;
