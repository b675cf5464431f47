/** Operators that combine vectors, and serializers of objects. */
@NullMarked
package org.sparkcollectives.vector;

import org.jspecify.annotations.NullMarked;
