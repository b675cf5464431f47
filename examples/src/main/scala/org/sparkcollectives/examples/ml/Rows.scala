package org.sparkcollectives.examples.ml

import org.apache.spark.ml.linalg.Vectors
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.{DataFrame, SparkSession}

/** Samples as MLlib's estimators take them: a row each, with its class and its features. */
object Rows {

  /** The class's column. */
  val Label = "label"

  /** The features' column. */
  val Features = "features"

  /** A data frame of samples with `width` features each. */
  def frame(samples: RDD[Samples], width: Int): DataFrame =
    SparkSession
      .builder()
      .getOrCreate()
      .createDataFrame(samples.flatMap(rows(_, width)))
      .toDF(Label, Features)

  /** Label and features of each sample, without the constant that stands for the intercept. */
  private def rows(samples: Samples, width: Int) = {
    val all = samples.transposed
    samples.classes.iterator.zipWithIndex.map { case (label, i) =>
      val places = all.colPtrs(i) until all.colPtrs(i + 1)
      val (indices, values) =
        places.map(place => (all.rowIndices(place), all.data(place))).filter(_._1 < width).unzip
      (label.toDouble, Vectors.sparse(width, indices.toArray, values.toArray))
    }
  }
}
