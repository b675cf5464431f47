package org.sparkcollectives.spark;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;

/** What a logger of this JVM is told at level WARN and above until it is closed. */
final class Warnings implements AutoCloseable {
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final Logger logger;
  private final AbstractAppender appender =
      new AbstractAppender("warnings", null, null, true, Property.EMPTY_ARRAY) {
        @Override
        public void append(LogEvent event) {
          if (event.getLevel().isMoreSpecificThan(Level.WARN)) {
            lines.add(event.getMessage().getFormattedMessage());
          }
        }
      };

  private Warnings(String name) {
    logger = (Logger) LogManager.getLogger(name);
    appender.start();
    logger.addAppender(appender);
  }

  /** Listens to the logger of a class. */
  static Warnings of(String className) {
    return new Warnings(className);
  }

  List<String> lines() {
    return List.copyOf(lines);
  }

  @Override
  public void close() {
    logger.removeAppender(appender);
    appender.stop();
  }
}
