package org.sparkcollectives.ml.internal.takeover;

import static java.util.Objects.requireNonNull;

import java.lang.reflect.InvocationTargetException;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.spark.SparkContext;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.error.InvalidInputException;
import org.sparkcollectives.ml.internal.agent.Weaver;
import org.sparkcollectives.spark.internal.conf.CollectiveConf;
import org.sparkcollectives.spark.internal.conf.Settings;
import org.sparkcollectives.spark.internal.plugin.DriverExtension;

/** Takes over MLlib's trainings and aggregations, in the driver of one application at a time. */
public final class MllibExtension implements DriverExtension {
  /**
   * The Sparks that this is tested with, one of each line, between which MLlib's insides change.
   */
  private static final List<String> TESTED = List.of("3.5.6", "4.1.0");

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
    String trial = trial(context.version());
    Class<?> woven = Weaver.weave();
    TakeOver made = new TakeOver(context, conf);
    ask(woven, made.answers());
    seam = woven;
    takeOver = made;
    newest = made.counts();
    return "MLlib's trainings in one stage each, its large aggregations by reductions"
        + " (never for a thread whose local property "
        + Settings.MLLIB.key()
        + " is false"
        + trial
        + ")";
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
            "mllib.broadcasts", made.counts()::broadcasts,
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

  /**
   * What is to be said of the tests with a Spark: nothing where there were some.
   *
   * @throws InvalidInputException if the MLlib of its line is not known
   */
  static String trial(String version) {
    return TESTED.stream()
        .filter(tested -> version.startsWith(line(tested) + "."))
        .findFirst()
        .map(
            known ->
                version.equals(known) ? "" : "; tried with Spark " + known + ", not " + version)
        .orElseThrow(
            () ->
                InvalidInputException.of(
                    "MLlib stays as it is",
                    "this is Spark " + version + ", whose MLlib is not known here",
                    "use Spark "
                        + TESTED.stream()
                            .map(tested -> line(tested) + ".x")
                            .collect(Collectors.joining(" or "))
                        + ", or leave out the plugin"));
  }

  /** Its first two numbers. */
  private static String line(String version) {
    return version.substring(0, version.lastIndexOf('.'));
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
