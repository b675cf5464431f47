/** What becomes of MLlib's calls of Spark and of Breeze, which are woven to ask here first. */
@NullMarked
package org.sparkcollectives.ml.internal.takeover;

import org.jspecify.annotations.NullMarked;
