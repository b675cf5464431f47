/** Traffic that the tests of all transports share. */
@NullMarked
package org.sparkcollectives.transport;

import org.jspecify.annotations.NullMarked;
