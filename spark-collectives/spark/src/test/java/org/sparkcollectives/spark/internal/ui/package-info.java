/** Tests of ui. */
@NullMarked
package org.sparkcollectives.spark.internal.ui;

import org.jspecify.annotations.NullMarked;
