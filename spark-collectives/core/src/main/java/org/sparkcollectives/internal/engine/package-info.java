/**
 * Runs any schedule over any transport on any vector. A schedule is compiled once into a {@link
 * org.sparkcollectives.internal.engine.Program}: what each send and each receive depends on, and
 * where scratch blocks lie. Knows no algorithm.
 */
@NullMarked
package org.sparkcollectives.internal.engine;

import org.jspecify.annotations.NullMarked;
