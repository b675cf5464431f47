/** What is kept for later, and how much of it. */
@NullMarked
package org.sparkcollectives.internal.cache;

import org.jspecify.annotations.NullMarked;
