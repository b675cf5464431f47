/**
 * How processes become a group without Spark: rank 0 listens, the others dial it, both prove that
 * they know the group's secret, and rank 0 tells everyone who takes part. The frames are in {@code
 * docs/wire-format.md}.
 */
@NullMarked
package org.sparkcollectives.internal.group;

import org.jspecify.annotations.NullMarked;
