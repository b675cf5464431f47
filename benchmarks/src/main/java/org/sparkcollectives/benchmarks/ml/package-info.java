/** Training of models: MLlib as it is, MLlib with the plugin, and the library's estimators. */
@NullMarked
package org.sparkcollectives.benchmarks.ml;

import org.jspecify.annotations.NullMarked;
