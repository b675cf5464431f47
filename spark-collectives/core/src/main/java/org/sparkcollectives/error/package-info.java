/**
 * The exceptions of the library, and the form of their messages. Messages lie with the packages
 * that need them; those that several need are here.
 */
@NullMarked
package org.sparkcollectives.error;

import org.jspecify.annotations.NullMarked;
