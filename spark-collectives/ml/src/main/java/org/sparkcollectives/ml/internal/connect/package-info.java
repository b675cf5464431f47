/** What a server of Spark Connect gives its clients. */
@NullMarked
package org.sparkcollectives.ml.internal.connect;

import org.jspecify.annotations.NullMarked;
