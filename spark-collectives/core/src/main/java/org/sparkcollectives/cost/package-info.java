/** What communication costs: the linear model with α and β, and what follows from it. */
@NullMarked
package org.sparkcollectives.cost;

import org.jspecify.annotations.NullMarked;
