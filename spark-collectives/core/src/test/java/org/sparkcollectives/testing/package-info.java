/**
 * What tests, examples and benchmarks share: processes, groups of them, and rules for all tests.
 */
@NullMarked
package org.sparkcollectives.testing;

import org.jspecify.annotations.NullMarked;
