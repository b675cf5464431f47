/** Between the collections of Scala and Java, with what Scala 2.12 and 2.13 have in common. */
@NullMarked
package org.sparkcollectives.spark.internal.bridge;

import org.jspecify.annotations.NullMarked;
