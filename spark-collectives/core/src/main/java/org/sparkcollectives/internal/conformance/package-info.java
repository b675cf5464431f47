/**
 * The proof of algorithms, by tests and by hand: the problems that every one is verified on, and
 * the verification of its schedules and claims for one of them.
 */
@NullMarked
package org.sparkcollectives.internal.conformance;

import org.jspecify.annotations.NullMarked;
