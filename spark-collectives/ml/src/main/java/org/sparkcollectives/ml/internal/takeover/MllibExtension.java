package org.sparkcollectives.ml.internal.takeover;

import static java.util.Objects.requireNonNull;

import java.lang.reflect.InvocationTargetException;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;
import org.apache.spark.SparkContext;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.ml.internal.agent.Weaver;
import org.sparkcollectives.spark.internal.conf.CollectiveConf;
import org.sparkcollectives.spark.internal.conf.Settings;
import org.sparkcollectives.spark.internal.plugin.DriverExtension;

/** Takes over MLlib's trainings and aggregations, in the driver of one application at a time. */
public final class MllibExtension implements DriverExtension {
  /** The lines of Spark that this is tested with; MLlib's insides change between lines. */
  private static final List<String> LINES = List.of("3.5", "4.1");

  private static volatile @Nullable Counts newest;

  private @Nullable Class<?> seam;
  private @Nullable TakeOver takeOver;

  /** Made by the service loader. */
  public MllibExtension() {}

  @Override
  public String start(SparkContext context) {
    CollectiveConf conf = CollectiveConf.of(context.getConf());
    if (!conf.get(Settings.MLLIB)) {
      return "nothing of MLlib, as " + Settings.MLLIB.key() + " is false";
    }
    requireKnown(context.version());
    Class<?> woven = Weaver.weave();
    TakeOver made = new TakeOver(context, conf);
    ask(woven, made.answers());
    seam = woven;
    takeOver = made;
    newest = made.counts();
    return "MLlib's trainings in one stage each, its large aggregations by reductions"
        + " (never for a thread whose local property "
        + Settings.MLLIB.key()
        + " is false)";
  }

  /** What has been counted in the application that has started last. */
  static Counts counts() {
    return requireNonNull(newest);
  }

  @Override
  public Map<String, LongSupplier> metrics() {
    TakeOver made = takeOver;
    return made == null
        ? Map.of()
        : Map.of(
            "mllib.trainings", made.counts()::trainings,
            "mllib.sums", made.counts()::sums,
            "mllib.objects", made.counts()::objects,
            "mllib.leftToSpark", made.counts()::leftToSpark);
  }

  @Override
  public String stop() {
    Class<?> woven = seam;
    TakeOver made = takeOver;
    if (woven == null || made == null) {
      return "";
    }
    ask(woven, Map.of());
    return made.counts().toString();
  }

  /** Refuses lines of Spark whose MLlib is not known. */
  static void requireKnown(String version) {
    if (LINES.stream().noneMatch(line -> version.startsWith(line + "."))) {
      throw InvalidInputException.of(
          "MLlib stays as it is",
          "this is Spark " + version + ", whose MLlib is not known here",
          "use Spark " + String.join(".x or ", LINES) + ".x, or leave out the plugin");
    }
  }

  /** Sets who is asked, in the seam that the woven methods see; which another loader may have. */
  private static void ask(
      Class<?> seam, Map<String, BiFunction<Object, Object[], Object[]>> answers) {
    try {
      seam.getMethod("ask", Map.class).invoke(null, answers);
    } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException e) {
      throw new LinkageError("the seam is of another version", e);
    }
  }
}
