/**
 * Typed vectors and their bytes on the wire. {@link ElementType} lists the types of elements; what
 * differs from one to another is in the vector of each. Knows no socket and no algorithm.
 */
@NullMarked
package org.sparkcollectives.internal.vector;

import org.jspecify.annotations.NullMarked;
