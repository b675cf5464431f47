package org.sparkcollectives.spark;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.internal.vector.FixedVector;

/** Puts the elements end to end. */
record ConcatenationFold() implements LocalFold {
  @Override
  public @Nullable Object fold(int partition, Iterator<?> elements) {
    String where = "partition " + partition;
    Concatenator concatenator = new Concatenator();
    List<FixedVector> vectors = new ArrayList<>();
    while (elements.hasNext()) {
      vectors.add(concatenator.vector(elements.next(), "an element of " + where));
    }
    return vectors.isEmpty()
        ? null
        : concatenator.restore(concatenator.concatenate(vectors, where).array());
  }
}
