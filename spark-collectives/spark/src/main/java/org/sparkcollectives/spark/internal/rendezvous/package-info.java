/**
 * Where ranks meet: the place at the driver on Spark's own RPC, a rank's way to it and to the other
 * ranks, and what becomes of a failure.
 */
@NullMarked
package org.sparkcollectives.spark.internal.rendezvous;

import org.jspecify.annotations.NullMarked;
