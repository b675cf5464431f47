package org.sparkcollectives.spark.internal.conf;

import java.io.IOException;
import java.io.InputStream;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.SparkContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkcollectives.internal.error.ErrorText;
import scala.util.Properties;

/**
 * The line of Spark and the version of Scala that a jar of the library is made for. The jars for
 * different lines have the same name, and one of another line fails where Spark has changed.
 *
 * @param jar the jar's name, without its version
 * @param spark the first two numbers of Spark's version, such as 4.1
 * @param scala the first two numbers of Scala's
 */
public record MadeFor(String jar, String spark, String scala) {
  private static final Logger LOG = LoggerFactory.getLogger(MadeFor.class);

  /** What the build leaves beside a class of each jar. */
  private static final String RESOURCE = "made-for.properties";

  private static final Pattern LINE = Pattern.compile("\\d+\\.\\d+");

  /** The lines that each application has been compared with, and warned of if it is another one. */
  private static final Map<SparkContext, Set<String>> COMPARED =
      Collections.synchronizedMap(new WeakHashMap<>());

  private static final ClassValue<Optional<MadeFor>> READ =
      new ClassValue<>() {
        @Override
        protected Optional<MadeFor> computeValue(Class<?> type) {
          return read(type);
        }
      };

  /**
   * Leaves out what follows the first two numbers.
   *
   * @param jar the jar's name, without its version
   * @param spark a version of Spark
   * @param scala a version of Scala
   */
  public MadeFor {
    spark = line(spark);
    scala = line(scala);
  }

  /**
   * What a jar is made for.
   *
   * @param type a class of a package that says so
   * @return it, or nothing if no such file is beside the class, as where somebody has packed anew
   */
  public static Optional<MadeFor> of(Class<?> type) {
    return READ.get(type);
  }

  private static Optional<MadeFor> read(Class<?> type) {
    try (InputStream in = type.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        return Optional.empty();
      }
      java.util.Properties found = new java.util.Properties();
      found.load(in);
      String jar = found.getProperty("jar", "");
      String spark = found.getProperty("spark", "");
      String scala = found.getProperty("scala", "");
      return LINE.matcher(spark).find() && LINE.matcher(scala).find()
          ? Optional.of(new MadeFor(jar, spark, scala))
          : Optional.empty();
    } catch (IOException | IllegalArgumentException e) {
      LOG.debug("what {} is made for cannot be read", type, e);
      return Optional.empty();
    }
  }

  private static String line(String version) {
    Matcher line = LINE.matcher(version);
    return line.find() ? line.group() : version;
  }

  /**
   * Warns of a jar that is made for another line than an application runs, once for each
   * application and not again for a second jar of the same line. It may work all the same.
   *
   * @param context the application
   * @param type a class of the jar
   */
  public static void compare(SparkContext context, Class<?> type) {
    Set<String> compared =
        COMPARED.computeIfAbsent(context, unused -> ConcurrentHashMap.newKeySet());
    of(type)
        .filter(made -> compared.add(made.spark + " " + made.scala))
        .flatMap(made -> made.difference(context.version(), Properties.versionNumberString()))
        .ifPresent(
            difference ->
                LOG.warn(
                    ErrorText.of(
                        "spark-collectives may fail here",
                        difference,
                        "take the jar of that line")));
  }

  /**
   * What to do about an error that may come of a jar for another line.
   *
   * @param context the application
   * @param type a class of the jar
   * @param otherwise what to do if the jar is for what runs
   * @return a remedy
   */
  public static String remedy(SparkContext context, Class<?> type, String otherwise) {
    return of(type)
        .flatMap(made -> made.difference(context.version(), Properties.versionNumberString()))
        .map(difference -> difference + ": take the jar of that line")
        .orElse(otherwise);
  }

  /**
   * How what runs differs from what the jar is made for.
   *
   * @param runningSpark the version of Spark that runs, such as 3.5.6
   * @param runningScala that of Scala
   * @return a clause that says both, or nothing if they are of the same line
   */
  Optional<String> difference(String runningSpark, String runningScala) {
    return line(runningSpark).equals(spark) && line(runningScala).equals(scala)
        ? Optional.empty()
        : Optional.of(
            String.format(
                "this jar (%s) is made for Spark %s and Scala %s, the application runs Spark %s"
                    + " (Scala %s)",
                jar, spark, scala, runningSpark, runningScala));
  }
}
