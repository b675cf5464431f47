package org.sparkcollectives.testing;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Configurator;
import org.apache.logging.log4j.core.config.Property;

/** What a logger of this JVM and those below it are told at level INFO and above until closed. */
public final class LogLines implements AutoCloseable {
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final String name;
  private final Level before;
  private final AbstractAppender appender =
      new AbstractAppender("lines", null, null, true, Property.EMPTY_ARRAY) {
        @Override
        public void append(LogEvent event) {
          lines.add(event.getLevel() + " " + event.getMessage().getFormattedMessage());
        }
      };

  /**
   * Listens to loggers.
   *
   * @param name the logger's name, such as a package's
   */
  public LogLines(String name) {
    this.name = name;
    this.before = LogManager.getLogger(name).getLevel();
    Configurator.setLevel(name, Level.INFO);
    appender.start();
    logger().addAppender(appender);
  }

  /**
   * What has been told.
   *
   * @return a line for each event, which begins with its level
   */
  public List<String> lines() {
    return List.copyOf(lines);
  }

  @Override
  public void close() {
    logger().removeAppender(appender);
    Configurator.setLevel(name, before);
    appender.stop();
  }

  private Logger logger() {
    return (Logger) LogManager.getLogger(name);
  }
}
