/** Training of models on real data with collectives. */
@NullMarked
package org.sparkcollectives.examples.ml;

import org.jspecify.annotations.NullMarked;
