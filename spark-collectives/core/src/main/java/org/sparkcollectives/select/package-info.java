/**
 * How algorithms are chosen: policies and rules, what is asked, and the explanation of a choice.
 */
@NullMarked
package org.sparkcollectives.select;

import org.jspecify.annotations.NullMarked;
