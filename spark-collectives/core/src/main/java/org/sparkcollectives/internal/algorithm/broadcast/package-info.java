/** Broadcast algorithms: the root's vector reaches every rank. */
@NullMarked
package org.sparkcollectives.internal.algorithm.broadcast;

import org.jspecify.annotations.NullMarked;
