package org.sparkcollectives.ml.internal.estimator;

import java.util.function.Function;
import org.apache.spark.ml.param.ParamMap;
import org.apache.spark.ml.param.Params;
import org.sparkcollectives.error.InvalidInputException;

/** Estimators that were saved. */
public final class Saved {
  private Saved() {}

  /**
   * An estimator that was saved, by the library or by MLlib.
   *
   * @param type its class here
   * @param loaded what MLlib's reader has made: an object of the class that was saved
   * @param make makes an estimator of this class of a given name
   * @param <E> the estimator's class
   * @return the one that was loaded where it is of this class, else a new one with its name and
   *     parameters
   * @throws InvalidInputException if it is none of the class of MLlib that this class extends
   */
  public static <E extends Params> E as(Class<E> type, Params loaded, Function<String, E> make) {
    Class<?> mllibs = type.getSuperclass();
    if (!mllibs.isInstance(loaded)) {
      String found = loaded.getClass().getName();
      throw InvalidInputException.of(
          "No " + type.getName() + " can be loaded from this path",
          found + " was saved there, not " + mllibs.getName(),
          "give another path, or load this by " + found);
    }
    return type.isInstance(loaded)
        ? type.cast(loaded)
        : loaded.copyValues(make.apply(loaded.uid()), ParamMap.empty());
  }
}
