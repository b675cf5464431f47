/**
 * Schedules for people: as text, and as pictures (SVG) of the trees along which blocks travel and
 * of who sends to whom in which round. Made from schedules alone.
 */
@NullMarked
package org.sparkcollectives.internal.draw;

import org.jspecify.annotations.NullMarked;
