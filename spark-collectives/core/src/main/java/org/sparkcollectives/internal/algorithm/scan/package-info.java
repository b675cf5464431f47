/**
 * Scan and exscan algorithms: every rank gets the combination of the vectors up to, or before, its
 * own.
 */
@NullMarked
package org.sparkcollectives.internal.algorithm.scan;

import org.jspecify.annotations.NullMarked;
