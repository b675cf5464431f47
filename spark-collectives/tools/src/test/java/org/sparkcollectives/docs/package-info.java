/** Documents against the code that they describe. */
@NullMarked
package org.sparkcollectives.docs;

import org.jspecify.annotations.NullMarked;
