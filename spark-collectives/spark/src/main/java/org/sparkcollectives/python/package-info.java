/** What Python programs call through the gateway of PySpark: plain types only. */
@NullMarked
package org.sparkcollectives.python;

import org.jspecify.annotations.NullMarked;
