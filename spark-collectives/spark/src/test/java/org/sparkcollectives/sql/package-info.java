/** Collectives on Spark SQL. */
@NullMarked
package org.sparkcollectives.sql;

import org.jspecify.annotations.NullMarked;
