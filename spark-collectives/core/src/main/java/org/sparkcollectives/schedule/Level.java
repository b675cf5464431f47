package org.sparkcollectives.schedule;

/** How far apart two ranks are. */
public enum Level {
  /** In one process: values pass through memory. */
  PROCESS("process"),
  /** In two processes of one host. */
  HOST("host"),
  /** On two hosts. */
  NETWORK("network");

  private final String slug;

  Level(String slug) {
    this.slug = slug;
  }

  /**
   * The name of the level in settings, profiles and the JSON form.
   *
   * @return a lower-case word
   */
  public String slug() {
    return slug;
  }

  @Override
  public String toString() {
    return slug;
  }
}
