/**
 * Prices of schedules: closed forms over claimed rounds, and a simulator that plays every message.
 */
@NullMarked
package org.sparkcollectives.internal.cost;

import org.jspecify.annotations.NullMarked;
