/** Schedules as JSON documents. */
@NullMarked
package org.sparkcollectives.tools.json;

import org.jspecify.annotations.NullMarked;
