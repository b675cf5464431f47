/**
 * The vocabulary of collective schedules: pure, immutable values that say which rank sends what to
 * whom in which round. Knows no algorithm, no socket, no thread and no clock.
 */
@NullMarked
package org.sparkcollectives.schedule;

import org.jspecify.annotations.NullMarked;
