/** Tests of keys and agreements. */
@NullMarked
package org.sparkcollectives.internal.crypto;

import org.jspecify.annotations.NullMarked;
