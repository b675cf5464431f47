@NullMarked
package org.sparkcollectives.ml.internal.state;

import org.jspecify.annotations.NullMarked;
