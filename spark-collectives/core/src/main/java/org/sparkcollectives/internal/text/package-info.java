/** Texts that people write in settings and on the command line, and read in sentences. */
@NullMarked
package org.sparkcollectives.internal.text;

import org.jspecify.annotations.NullMarked;
