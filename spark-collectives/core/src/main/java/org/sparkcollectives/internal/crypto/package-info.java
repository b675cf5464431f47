/** Derivation of keys, and agreement on secrets; the primitives are the JDK's. */
@NullMarked
package org.sparkcollectives.internal.crypto;

import org.jspecify.annotations.NullMarked;
