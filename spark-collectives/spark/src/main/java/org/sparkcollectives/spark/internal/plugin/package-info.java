/** What an application's driver switches on when it starts, and how its parts are found. */
@NullMarked
package org.sparkcollectives.spark.internal.plugin;

import org.jspecify.annotations.NullMarked;
