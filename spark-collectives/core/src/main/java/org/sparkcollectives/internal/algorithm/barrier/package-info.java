/** Barrier algorithms: no rank leaves before every rank has entered. */
@NullMarked
package org.sparkcollectives.internal.algorithm.barrier;

import org.jspecify.annotations.NullMarked;
