/** Tests of events. */
@NullMarked
package org.sparkcollectives.spark.internal.events;

import org.jspecify.annotations.NullMarked;
