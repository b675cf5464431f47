package org.sparkcollectives.spark;

/**
 * One setting, as data for code and documents.
 *
 * @param key its name in Spark's configuration
 * @param unit what its value is: {@code time}, {@code bytes}, {@code boolean}, {@code count},
 *     {@code host}, {@code port}, {@code path}, {@code rules} or {@code nanoseconds}
 * @param defaultValue the value where none is given
 * @param doc what it does, for people
 */
public record Setting(String key, String unit, String defaultValue, String doc) {}
