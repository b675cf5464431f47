/**
 * From the elements of an RDD to the operands of ranks, and from results back to what elements are.
 * Elements are turned into operands once, when their partition is folded.
 */
@NullMarked
package org.sparkcollectives.spark.internal.input;

import org.jspecify.annotations.NullMarked;
