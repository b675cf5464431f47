/**
 * Collectives on what MLlib has: its vectors as elements of RDDs. Of this module the only package
 * that uses MLlib's classes: without them on the class path all others work.
 */
@NullMarked
package org.sparkcollectives.spark.internal.ml;

import org.jspecify.annotations.NullMarked;
