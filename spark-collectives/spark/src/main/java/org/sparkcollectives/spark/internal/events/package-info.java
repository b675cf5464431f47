/** What the driver tells of a call: an event for listeners and Spark's event log, a log line. */
@NullMarked
package org.sparkcollectives.spark.internal.events;

import org.jspecify.annotations.NullMarked;
