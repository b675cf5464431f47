/** Collectives on a cluster of processes. */
@NullMarked
package org.sparkcollectives.spark;

import org.jspecify.annotations.NullMarked;
