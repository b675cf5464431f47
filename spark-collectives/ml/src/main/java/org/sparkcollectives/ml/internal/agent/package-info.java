/** How methods of Spark and of Breeze come to ask whether something else is to be done. */
@NullMarked
package org.sparkcollectives.ml.internal.agent;

import org.jspecify.annotations.NullMarked;
