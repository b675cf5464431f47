/**
 * Collectives on what MLlib has: its vectors as elements of RDDs. The only package that names it.
 */
@NullMarked
package org.sparkcollectives.spark.internal.ml;

import org.jspecify.annotations.NullMarked;
