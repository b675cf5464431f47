/** Statistics, tables and result files of measurements. */
@NullMarked
package org.sparkcollectives.benchmarks.report;

import org.jspecify.annotations.NullMarked;
