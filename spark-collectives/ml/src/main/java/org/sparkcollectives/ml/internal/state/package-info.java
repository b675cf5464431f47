/** States of trainings that are kept, in executors and in a folder, to go on from. */
@NullMarked
package org.sparkcollectives.ml.internal.state;

import org.jspecify.annotations.NullMarked;
