/**
 * Measures what communication costs between ranks that are there, by operations as they are used.
 */
@NullMarked
package org.sparkcollectives.internal.calibrate;

import org.jspecify.annotations.NullMarked;
