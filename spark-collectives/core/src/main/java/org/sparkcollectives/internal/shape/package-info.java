/**
 * Rank arithmetic: who is whose parent, child, partner or neighbour. Pure functions of small
 * integers; knows no schedule, no socket, no thread and no clock.
 */
@NullMarked
package org.sparkcollectives.internal.shape;

import org.jspecify.annotations.NullMarked;
