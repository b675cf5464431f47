package org.sparkcollectives.tools.internal.cli;

import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The version of this jar, and the line of Spark and Scala that it is made for. */
final class JarVersion implements IVersionProvider {
  /** Of the library in this jar; its own reader needs Spark's logging. */
  private static final String MADE_FOR =
      "/org/sparkcollectives/spark/internal/conf/made-for.properties";

  @Override
  public String[] getVersion() throws IOException {
    Optional<String> version =
        Optional.ofNullable(JarVersion.class.getPackage().getImplementationVersion());
    return new String[] {
      "spark-collectives " + version.orElse("outside its jar") + madeFor(),
    };
  }

  private static String madeFor() throws IOException {
    try (InputStream in = JarVersion.class.getResourceAsStream(MADE_FOR)) {
      if (in == null) {
        return "";
      }
      Properties found = new Properties();
      found.load(in);
      return ", for Spark %s and Scala %s"
          .formatted(found.getProperty("spark"), found.getProperty("scala"));
    }
  }
}
