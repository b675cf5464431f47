package org.sparkcollectives.spark.internal.conf;

import java.util.Collection;
import org.sparkcollectives.error.ErrorText;
import org.sparkcollectives.error.InvalidInputException;

/** The messages about settings. */
final class ConfErrors {
  private ConfErrors() {}

  /**
   * A key that is no setting.
   *
   * @param key the key
   * @param known all settings
   * @return the exception
   */
  static InvalidInputException unknownSetting(String key, Collection<String> known) {
    return new InvalidInputException(
        ErrorText.of(
            "unknown setting " + key,
            "the settings are " + String.join(", ", known),
            "correct the name"),
        null);
  }

  /**
   * A setting whose value cannot be read.
   *
   * @param key the setting
   * @param value its value
   * @param unit what a value is
   * @param defaultValue its default
   * @param original why it cannot be read
   * @return the exception
   */
  static InvalidInputException badSetting(
      String key, String value, String unit, String defaultValue, Throwable original) {
    return new InvalidInputException(
        ErrorText.of(
            "the value '" + value + "' of " + key + " cannot be used",
            String.valueOf(original.getMessage()),
            "give a " + unit + ", or leave it at '" + defaultValue + "'"),
        original);
  }
}
