package org.sparkcollectives.spark.internal.events;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;

/**
 * What is written to event logs: public fields of numbers, texts and lists of these, so that every
 * version reads what another wrote. A field that is not there keeps its default; one that is not
 * known is passed over.
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public abstract class Plain {
  Plain() {}
}
