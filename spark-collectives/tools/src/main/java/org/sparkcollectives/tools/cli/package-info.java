/** The command line: lists algorithms, prints schedules, verifies them. */
@NullMarked
package org.sparkcollectives.tools.cli;

import org.jspecify.annotations.NullMarked;
