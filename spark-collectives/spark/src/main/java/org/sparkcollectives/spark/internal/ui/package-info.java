/**
 * The tab "Collectives" of Spark's UI, live and in the History Server, and what it shows: a list of
 * calls, a page for each call, a page for each training.
 */
@NullMarked
package org.sparkcollectives.spark.internal.ui;

import org.jspecify.annotations.NullMarked;
