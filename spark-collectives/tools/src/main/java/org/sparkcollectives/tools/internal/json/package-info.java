/** Schedules as JSON documents. */
@NullMarked
package org.sparkcollectives.tools.internal.json;

import org.jspecify.annotations.NullMarked;
