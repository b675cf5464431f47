/**
 * Results that stay on executors: values in Spark's block manager, broadcasts of them, and RDDs
 * that are made of them.
 */
@NullMarked
package org.sparkcollectives.spark.internal.result;

import org.jspecify.annotations.NullMarked;
