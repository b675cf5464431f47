/**
 * From an estimator of MLlib and its data to its model, in one class for each kind of model; and
 * what these have in common.
 */
@NullMarked
package org.sparkcollectives.ml.internal.estimator;

import org.jspecify.annotations.NullMarked;
