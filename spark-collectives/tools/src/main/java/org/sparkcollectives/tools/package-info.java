/** The runnable jar of the command line. */
@NullMarked
package org.sparkcollectives.tools;

import org.jspecify.annotations.NullMarked;
