package org.sparkcollectives.testing

import org.scalatest.Tag

/** Marks tests that run on every line of Spark, as JUnit's tag of the same name does. */
object CrossVersion extends Tag("cross-version")
