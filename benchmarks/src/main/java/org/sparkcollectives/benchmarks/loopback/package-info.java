/** The engine alone, over sockets of this machine. */
@NullMarked
package org.sparkcollectives.benchmarks.loopback;

import org.jspecify.annotations.NullMarked;
