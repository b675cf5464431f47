/** The cost model of a running cluster, measured by an application of its own. */
@NullMarked
package org.sparkcollectives.spark.internal.calibrate;

import org.jspecify.annotations.NullMarked;
