/**
 * Collectives on Spark SQL: {@link org.sparkcollectives.sql.DatasetCollectives} for Java, {@code
 * import org.sparkcollectives.sql.implicits._} for Scala. They need Spark SQL on the class path,
 * which nothing else does.
 */
@NullMarked
package org.sparkcollectives.sql;

import org.jspecify.annotations.NullMarked;
