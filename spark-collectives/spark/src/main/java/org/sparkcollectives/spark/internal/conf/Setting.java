package org.sparkcollectives.spark.internal.conf;

import org.jspecify.annotations.Nullable;
import org.sparkcollectives.error.InvalidInputException;

/**
 * One setting: its name, what its values are, and what it does. {@link Settings} declares them all.
 *
 * @param <T> what a value is read as
 */
public final class Setting<T> {
  private final String key;
  private final Format<T> format;
  private final String defaultValue;
  private final String doc;

  Setting(String key, Format<T> format, String defaultValue, String doc) {
    this.key = key;
    this.format = format;
    this.defaultValue = defaultValue;
    this.doc = doc;
  }

  /**
   * The name in Spark's configuration.
   *
   * @return the whole key
   */
  public String key() {
    return key;
  }

  /** What a value is, in words. */
  String unit() {
    return format.unit();
  }

  /** The value where none is given, as text. */
  String defaultValue() {
    return defaultValue;
  }

  /** What the setting does, for people. */
  String doc() {
    return doc;
  }

  /**
   * Reads and checks a value.
   *
   * @param given the text that was set, or null for the default
   * @return the value
   * @throws InvalidInputException if it cannot be used
   */
  public T read(@Nullable String given) {
    String text = (given == null ? defaultValue : given).trim();
    try {
      return format.parser().parse(text);
    } catch (InvalidInputException e) {
      throw ConfErrors.badRules(key, text, e);
    } catch (IllegalArgumentException e) {
      throw ConfErrors.badSetting(key, text, unit(), defaultValue, e);
    }
  }
}
