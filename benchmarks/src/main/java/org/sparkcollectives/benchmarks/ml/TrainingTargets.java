package org.sparkcollectives.benchmarks.ml;

import java.util.ArrayList;
import java.util.List;
import org.sparkcollectives.benchmarks.report.Target;

/** The bounds that trainings are to keep: against MLlib's own in the same turns, and alone. */
final class TrainingTargets {
  private static final String ADULTS = "a9a";
  private static final long LONG = 100_000;
  private static final long LONGER = 1_000_000;
  private static final long LONGEST = 10_000_000;
  private static final double DIFFERENCE = 1e-8;
  private static final double FASTER_THAN_LONG = 3;
  private static final double FASTER_THAN_ADULTS = 5;
  private static final double FASTER_K_MEANS = 3;
  private static final double OVER_LEAST = 1.15;
  private static final double MEMORY_SHARE = 0.25;
  private static final double DRIVER_SHARE = 0.02;
  private static final double VECTORS = 3;

  private TrainingTargets() {}

  /**
   * The bounds for what was trained in one setting, of all contenders but MLlib.
   *
   * @param all the trainings of each contender, of which MLlib's come first if it takes part
   */
  static List<Target> of(List<Trained> all) {
    List<Target> list = new ArrayList<>();
    Trained base = all.get(0);
    for (Trained ours : all) {
      if (ours.trainer() != Trainer.MLLIB) {
        if (base.trainer() == Trainer.MLLIB) {
          list.addAll(beside(base, ours));
        }
        list.addAll(alone(ours));
      }
    }
    return list;
  }

  private static String name(Trained ours) {
    return ours.name() + ", " + ours.setting().partitions() + " partitions: ";
  }

  private static List<Target> beside(Trained mllib, Trained ours) {
    Setting setting = ours.setting();
    String name = name(ours);
    long numbers = setting.numbers();
    boolean adults = setting.problem().name().equals(ADULTS);
    List<Target> list = new ArrayList<>();
    list.add(
        new Target(
            name + "coefficients differ",
            ours.last().coefficients().differenceTo(mllib.last().coefficients()) / DIFFERENCE,
            1,
            false,
            "times 1e-8"));
    list.add(
        new Target(
            name + "iterations more or fewer",
            Math.abs(ours.last().iterations() - mllib.last().iterations()),
            1,
            false,
            "iterations"));
    if (adults || numbers >= LONG) {
      list.add(
          Target.faster(
              name + "in all",
              mllib.median(Trained.Run::micros) / ours.median(Trained.Run::micros),
              adults ? FASTER_THAN_ADULTS : FASTER_THAN_LONG));
    }
    if (setting.model() == Model.KMEANS) {
      list.add(
          Target.faster(
              name + "per iteration",
              mllib.median(Trained::perIteration) / ours.median(Trained::perIteration),
              FASTER_K_MEANS));
    }
    if (numbers >= LONGER) {
      list.add(
          Target.lessShare(
              name + "driver's memory in use, of MLlib's",
              (double) ours.driverLive() / mllib.driverLive(),
              MEMORY_SHARE));
    }
    if (numbers >= LONGER && !Double.isNaN(setting.bytesPerSecond())) {
      list.add(
          Target.lessShare(
              name + "driver's bytes, of MLlib's",
              ours.median(Trained::driverBytes) / mllib.median(Trained::driverBytes),
              DRIVER_SHARE));
    }
    return list;
  }

  private static List<Target> alone(Trained ours) {
    String name = name(ours);
    long numbers = ours.setting().numbers();
    List<Target> list = new ArrayList<>();
    boolean many = ours.last().pace().iterations() >= Pace.FEW;
    if (numbers >= LONG && many && !Double.isNaN(ours.overLeast())) {
      list.add(
          Target.lessShare(
              name + "an iteration, of the bound of its allreduces and its rows",
              ours.overLeast(),
              OVER_LEAST));
    }
    if (numbers >= LONGEST) {
      list.add(
          fewerVectors(
              name + "driver's memory in use, above that before", ours.vectors(ours.driverLive())));
      list.add(
          fewerVectors(
              name + "the fullest executor's memory in use, above that before with cached rows",
              ours.vectors(ours.live().most().fullest())));
    }
    return list;
  }

  private static Target fewerVectors(String name, double vectors) {
    return new Target(name, vectors, VECTORS, false, "vectors");
  }
}
