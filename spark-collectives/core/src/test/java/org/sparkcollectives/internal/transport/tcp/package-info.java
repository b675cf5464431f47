/** Tests of single parts of links over TCP. */
@NullMarked
package org.sparkcollectives.internal.transport.tcp;

import org.jspecify.annotations.NullMarked;
