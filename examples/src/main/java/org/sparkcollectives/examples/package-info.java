/** Small programs, each showing one use of the public interface. */
@NullMarked
package org.sparkcollectives.examples;

import org.jspecify.annotations.NullMarked;
