/** Many ranks: hundreds in processes of this machine, tens of thousands in the simulator. */
@NullMarked
package org.sparkcollectives.benchmarks.scale;

import org.jspecify.annotations.NullMarked;
