/** What of Spark, MLlib, Breeze and the JVM Java sees in another way than they mean it. */
@NullMarked
package org.sparkcollectives.ml.internal.bridge;

import org.jspecify.annotations.NullMarked;
