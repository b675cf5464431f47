/** Charts of predicted times: which algorithm wins where, and by how much. */
@NullMarked
package org.sparkcollectives.benchmarks.charts;

import org.jspecify.annotations.NullMarked;
