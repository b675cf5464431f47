/** The form of the messages of exceptions, and what lies behind an exception. */
@NullMarked
package org.sparkcollectives.internal.error;

import org.jspecify.annotations.NullMarked;
