package org.sparkcollectives.internal.algorithm;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.schedule.Phase;
import org.sparkcollectives.schedule.Problem;
import org.sparkcollectives.schedule.Schedule;

/**
 * An algorithm that plans its rounds on a {@link ScheduleBuilder}. One rank alone has nothing to
 * do, so {@link #plan} is asked for two ranks and more only. An algorithm that goes {@link
 * Traits.Feature#BY_HOST}, or whose distances are {@link Traits.Feature#HALVED_DISTANCES} or {@link
 * Traits.Feature#DOUBLED_DISTANCES}, is asked for places instead of ranks where hosts have several
 * ranks or racks several hosts, with root 0; what it claims must not depend on the root.
 */
public abstract class ScheduledAlgorithm implements Algorithm {
  private final Collective collective;
  private final String slug;
  private final Traits traits;

  /**
   * Names the algorithm.
   *
   * @param collective the collective that it performs
   * @param slug its name
   * @param traits what it can do
   */
  protected ScheduledAlgorithm(Collective collective, String slug, Traits traits) {
    this.collective = collective;
    this.slug = slug;
    this.traits = traits;
  }

  @Override
  public final Collective collective() {
    return collective;
  }

  @Override
  public final String slug() {
    return slug;
  }

  @Override
  public final Traits traits() {
    return traits;
  }

  /**
   * {@inheritDoc} By default one for each pair of ranks in an alltoall, one for each part in
   * collectives whose vector is divided, and 0 in others.
   */
  @Override
  public int naturalBlocks(int size) {
    if (collective == Collective.ALLTOALL) {
      return Math.multiplyExact(size, size); // an int, so that p is at most 46340
    }
    return collective.divided() ? size : 0;
  }

  @Override
  public final Schedule schedule(Problem problem, int rank) {
    return schedule(problem, rank, this::plan);
  }

  @Override
  public final Schedule executed(Problem problem, int rank) {
    return schedule(problem, rank, this::planExecuted);
  }

  private Schedule schedule(Problem problem, int rank, Plan plan) {
    if (problem.collective() != collective) {
      throw new IllegalArgumentException(this + " cannot do a " + problem.collective());
    }
    if (problem.ordered() && !traits.keepsOrder()) {
      throw new IllegalArgumentException(this + " does not keep the order of operands");
    }
    String cause = unplannable(problem);
    if (cause != null) {
      throw new IllegalArgumentException(this + " cannot solve " + problem + ": " + cause);
    }
    Renumbering renumbering = renumbering(problem);
    if (renumbering == null) {
      return planned(problem, rank, plan);
    }
    int place = renumbering.order().placeOf(rank);
    return renumbering.outward(planned(renumbering.inner(), place, plan));
  }

  /**
   * Why there is no schedule of a problem: what the algorithm refuses, unless others only suit it
   * better. Few hosts that stand for many in prices may have another number of ranks than it takes.
   *
   * @param problem what is to be solved
   * @return the cause, or null
   */
  protected @Nullable String unplannable(Problem problem) {
    return refusal(problem);
  }

  private Schedule planned(Problem problem, int rank, Plan plan) {
    ScheduleBuilder builder = new ScheduleBuilder(problem, slug, rank);
    if (problem.size() > 1) {
      plan.enter(problem, rank, builder);
    }
    return builder.build();
  }

  private @Nullable Renumbering renumbering(Problem problem) {
    return Renumbering.of(problem, traits.features());
  }

  /**
   * Enters what one rank does.
   *
   * @param problem what is to be solved, with two ranks or more
   * @param rank the rank
   * @param builder takes the rounds
   */
  protected abstract void plan(Problem problem, int rank, ScheduleBuilder builder);

  /**
   * Enters what one rank {@linkplain #executed executes}, where that is not what is planned.
   *
   * @param problem what is to be solved, with two ranks or more
   * @param rank the rank
   * @param builder takes the rounds
   */
  protected void planExecuted(Problem problem, int rank, ScheduleBuilder builder) {
    plan(problem, rank, builder);
  }

  /** Enters a rank's rounds. */
  private interface Plan {
    void enter(Problem problem, int rank, ScheduleBuilder builder);
  }

  @Override
  public final List<Phase> phases(Problem problem) {
    if (problem.size() == 1) {
      return List.of();
    }
    List<Phase> planned = plannedPhases(problem);
    for (Phase phase : planned) { // seldom, and choices ask for phases thousands of times
      if (phase.rounds() <= 0) {
        return planned.stream().filter(each -> each.rounds() > 0).toList();
      }
    }
    return planned;
  }

  /** {@inheritDoc} No more rounds than the longest chain has messages. */
  @Override
  public List<Phase> path(Problem problem, boolean fullDuplex) {
    List<Phase> all = Algorithm.super.path(problem, fullDuplex);
    int left = all.isEmpty() ? 0 : longestChain(problem);
    if (left >= Phase.rounds(all)) {
      return all; // as for most, and choices ask for paths thousands of times
    }
    List<Phase> path = new ArrayList<>();
    for (Phase phase : all) {
      int rounds = Math.min(phase.rounds(), left);
      if (rounds > 0) {
        path.add(phase.withRounds(rounds));
        left -= rounds;
      }
    }
    return path;
  }

  /**
   * The most messages of which each needs what the one before has brought, where rounds beyond them
   * are left out of {@link #path}: in these, some ranks send what others have had for longer.
   *
   * @param problem what is to be solved, with two ranks or more
   * @return a number of rounds; by default all
   */
  protected int longestChain(Problem problem) {
    return Integer.MAX_VALUE;
  }

  /**
   * The problem whose hosts are in the sequence in which schedules take them, for claims that
   * depend on it: among places where hosts are counted rack by rack.
   *
   * @param problem what is to be solved
   * @return the same, or one whose hosts have other numbers
   */
  protected final Problem amongPlaces(Problem problem) {
    Renumbering renumbering = problem.topology().hasRacks() ? renumbering(problem) : null;
    return renumbering == null ? problem : renumbering.inner();
  }

  /**
   * The rounds that {@link #plan} enters.
   *
   * @param problem what is to be solved, with two ranks or more
   * @return phases; those without rounds are left out
   */
  protected abstract List<Phase> plannedPhases(Problem problem);

  @Override
  public final String toString() {
    return collective + "/" + slug;
  }
}
