/** Tests of what all kinds of links have in common. */
@NullMarked
package org.sparkcollectives.internal.transport;

import org.jspecify.annotations.NullMarked;
