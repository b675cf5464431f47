/**
 * Barrier jobs: what is refused before one is submitted, and what is done until it has succeeded.
 */
@NullMarked
package org.sparkcollectives.spark.internal.job;

import org.jspecify.annotations.NullMarked;
