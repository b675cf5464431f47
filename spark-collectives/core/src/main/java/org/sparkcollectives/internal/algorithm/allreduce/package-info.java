/** All-reduce algorithms: the combination of all vectors reaches every rank. */
@NullMarked
package org.sparkcollectives.internal.algorithm.allreduce;

import org.jspecify.annotations.NullMarked;
