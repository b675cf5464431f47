/** The form of the messages of exceptions. */
@NullMarked
package org.sparkcollectives.internal.error;

import org.jspecify.annotations.NullMarked;
