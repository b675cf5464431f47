/**
 * Typed vectors, the operators that combine them, and their bytes on the wire. Knows no socket and
 * no algorithm.
 */
@NullMarked
package org.sparkcollectives.vector;

import org.jspecify.annotations.NullMarked;
