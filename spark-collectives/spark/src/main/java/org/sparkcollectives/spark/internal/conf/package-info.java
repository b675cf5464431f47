/**
 * What users can set: the {@linkplain org.sparkcollectives.spark.internal.conf.Settings settings},
 * their values in an application, and files with cost models.
 */
@NullMarked
package org.sparkcollectives.spark.internal.conf;

import org.jspecify.annotations.NullMarked;
