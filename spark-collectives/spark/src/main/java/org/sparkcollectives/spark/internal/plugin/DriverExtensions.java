package org.sparkcollectives.spark.internal.plugin;

import com.codahale.metrics.Gauge;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.apache.spark.SparkContext;
import org.apache.spark.api.plugin.DriverPlugin;
import org.apache.spark.api.plugin.PluginContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkcollectives.error.CollectiveException;
import org.sparkcollectives.internal.error.ErrorText;
import org.sparkcollectives.spark.internal.conf.MadeFor;
import org.sparkcollectives.spark.internal.ui.Publisher;
import scala.util.Properties;

/**
 * The driver's plugin: switches on each {@link DriverExtension} that it finds, and says so in one
 * line. What cannot be switched on is said too, and never ends the application.
 */
public final class DriverExtensions implements DriverPlugin {
  private static final Logger LOG = LoggerFactory.getLogger(DriverExtensions.class);

  private final List<DriverExtension> started = new ArrayList<>();
  private @Nullable SparkContext application;

  /** The lines of Spark that there are extensions for. */
  private static final List<String> WITH_EXTENSIONS = List.of("3.5.", "4.1.");

  /** Makes the plugin, with everything off. */
  public DriverExtensions() {}

  @Override
  public Map<String, String> init(SparkContext context, PluginContext plugin) {
    application = context;
    MadeFor.compare(context, MadeFor.class);
    Publisher unusedButThere = Publisher.early(context); // the tab is there before the first call
    start(context, found(context));
    return Map.of();
  }

  /** Says that there is the tab alone, which may be all that is wanted, or not even that. */
  private static void nothing(SparkContext context) {
    String version = context.version();
    boolean tab = Publisher.early(context).hasTab();
    boolean offered =
        Properties.versionNumberString().startsWith("2.13")
            && WITH_EXTENSIONS.stream().anyMatch(version::startsWith);
    if (offered) {
      LOG.warn(
          ErrorText.of(
              (tab
                      ? "spark-collectives has a tab in Spark's UI"
                      : "spark-collectives has switched nothing on")
                  + ", and MLlib stays as it is",
              "no jar with an extension, such as spark-collectives-ml_2.13, is on the driver's"
                  + " class path",
              "name it beside spark-collectives_2.13 in --jars or spark.jars"
                  + (tab ? ", or do nothing where the tab is all that is wanted" : "")));
    } else {
      LOG.info(
          "spark-collectives has {} tab in Spark's UI; there are no extensions for {}",
          tab ? "a" : "no",
          version);
    }
  }

  /** Starts extensions. */
  void start(SparkContext context, List<DriverExtension> extensions) {
    if (extensions.isEmpty()) {
      nothing(context);
      return;
    }
    List<String> on = new ArrayList<>();
    for (DriverExtension extension : extensions) {
      MadeFor.compare(context, extension.getClass());
      try {
        on.add(extension.start(context));
        started.add(extension);
      } catch (CollectiveException e) {
        LOG.warn(e.getMessage());
      } catch (RuntimeException | LinkageError e) {
        LOG.warn("{}", failed(context, extension.getClass().getName(), extension.getClass(), e), e);
      }
    }
    if (!on.isEmpty()) {
      LOG.info("spark-collectives switched on: {}", String.join("; ", on));
    }
  }

  @Override
  public void registerMetrics(String unused, PluginContext plugin) {
    if (application != null) {
      Publisher unusedButThere = Publisher.of(application); // with the source of its metrics
    }
    for (DriverExtension extension : started) {
      extension
          .metrics()
          .forEach(
              (name, number) ->
                  plugin.metricRegistry().register(name, (Gauge<Long>) number::getAsLong));
    }
  }

  @Override
  public void shutdown() {
    for (DriverExtension extension : started) {
      String done = extension.stop();
      if (!done.isEmpty()) {
        LOG.info("spark-collectives: {}", done);
      }
    }
    started.clear();
    application = null;
  }

  /** The extensions on the class path of the application, which may be more than Spark's own. */
  private static List<DriverExtension> found(SparkContext context) {
    @Nullable ClassLoader application = Thread.currentThread().getContextClassLoader();
    ClassLoader loader =
        application == null ? DriverExtensions.class.getClassLoader() : application;
    List<DriverExtension> found = new ArrayList<>();
    Iterator<DriverExtension> all = ServiceLoader.load(DriverExtension.class, loader).iterator();
    while (true) {
      try {
        if (!all.hasNext()) {
          return found;
        }
        found.add(all.next());
      } catch (ServiceConfigurationError | LinkageError e) {
        LOG.warn("{}", failed(context, "an extension", MadeFor.class, e), e);
      }
    }
  }

  /** What is said of an extension that fails, in a jar that has such a class. */
  private static String failed(
      SparkContext context, String extension, Class<?> type, Throwable reason) {
    String remedy =
        MadeFor.remedy(
            context,
            MadeFor.of(type).isPresent() ? type : MadeFor.class,
            "check that all jars of spark-collectives are of one version and on one class path");
    return ErrorText.of(
        "spark-collectives goes on without " + extension, ErrorText.reason(reason), remedy);
  }
}
