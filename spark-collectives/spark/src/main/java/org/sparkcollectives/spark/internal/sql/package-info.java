/**
 * Columns of Spark SQL as RDDs of vectors. With the package {@code org.sparkcollectives.sql}, which
 * it stands behind, the only one that names Spark SQL: without it on the class path all others
 * work.
 */
@NullMarked
package org.sparkcollectives.spark.internal.sql;

import org.jspecify.annotations.NullMarked;
