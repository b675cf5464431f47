/** The command line: lists algorithms, prints schedules, verifies them. */
@NullMarked
package org.sparkcollectives.tools.internal.cli;

import org.jspecify.annotations.NullMarked;
