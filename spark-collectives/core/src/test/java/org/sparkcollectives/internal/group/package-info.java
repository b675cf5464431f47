/** Tests of how processes meet. */
@NullMarked
package org.sparkcollectives.internal.group;

import org.jspecify.annotations.NullMarked;
