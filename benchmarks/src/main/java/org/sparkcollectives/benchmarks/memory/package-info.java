/** What an operation allocates and holds. */
@NullMarked
package org.sparkcollectives.benchmarks.memory;

import org.jspecify.annotations.NullMarked;
