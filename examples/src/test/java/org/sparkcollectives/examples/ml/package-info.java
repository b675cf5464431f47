/** Tests of the training examples. */
@NullMarked
package org.sparkcollectives.examples.ml;

import org.jspecify.annotations.NullMarked;
