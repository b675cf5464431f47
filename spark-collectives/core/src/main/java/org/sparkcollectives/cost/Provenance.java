package org.sparkcollectives.cost;

/**
 * Where the numbers of a cost model come from.
 *
 * @param machine what was measured, or {@code nominal} where nothing was
 * @param date the day, as in 2026-11-21
 * @param command how the numbers can be had again
 */
public record Provenance(String machine, String date, String command) {}
