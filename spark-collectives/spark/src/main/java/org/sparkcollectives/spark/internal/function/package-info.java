/** Functions of Scala as those that the Java API takes, made fit for other processes. */
@NullMarked
package org.sparkcollectives.spark.internal.function;

import org.jspecify.annotations.NullMarked;
