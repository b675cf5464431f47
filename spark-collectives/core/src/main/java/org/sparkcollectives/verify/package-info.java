/**
 * Proof by symbolic execution that all ranks' schedules together do what a collective promises.
 * Knows schedules and no algorithm, so that it can excuse none.
 */
@NullMarked
package org.sparkcollectives.verify;

import org.jspecify.annotations.NullMarked;
