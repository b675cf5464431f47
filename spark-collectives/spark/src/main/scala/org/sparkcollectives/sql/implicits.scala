package org.sparkcollectives.sql

import org.apache.spark.sql.Dataset

import scala.language.implicitConversions

/**
 * Collectives as methods of datasets and data frames:
 * `import org.sparkcollectives.sql.implicits._`.
 */
object implicits {

  /** Adds collectives to a dataset. */
  implicit def datasetToCollectives[T](dataset: Dataset[T]): DatasetFunctions[T] =
    new DatasetFunctions(dataset)
}
