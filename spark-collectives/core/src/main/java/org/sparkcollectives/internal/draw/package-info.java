/**
 * Pictures of schedules as SVG: the trees along which blocks travel, and who sends to whom in which
 * round. Made from schedules alone.
 */
@NullMarked
package org.sparkcollectives.internal.draw;

import org.jspecify.annotations.NullMarked;
