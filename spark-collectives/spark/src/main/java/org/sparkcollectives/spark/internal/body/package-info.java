/**
 * What a rank does between rendezvous and end: one class for each collective, of those on the
 * vectors of an RDD and of those on what the driver has.
 */
@NullMarked
package org.sparkcollectives.spark.internal.body;

import org.jspecify.annotations.NullMarked;
