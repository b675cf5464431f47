/**
 * Estimators of Spark's MLlib that train in one stage: import one in place of MLlib's.
 *
 * <p>They have MLlib's parameters, stand in pipelines and cross validation, are saved and loaded,
 * and return MLlib's own models. Rows are read, standardised and made blocks of as MLlib does it;
 * then all iterations run in one barrier stage, with MLlib's own objective and Breeze's own
 * optimiser on every rank.
 */
@NullMarked
package org.sparkcollectives.ml;

import org.jspecify.annotations.NullMarked;
