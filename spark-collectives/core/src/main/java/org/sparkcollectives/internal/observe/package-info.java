/** What is counted and recorded of the operations of ranks: sums, and events of Flight Recorder. */
@NullMarked
package org.sparkcollectives.internal.observe;

import org.jspecify.annotations.NullMarked;
