package org.sparkcollectives.select;

import java.util.EnumMap;
import java.util.Map;
import org.sparkcollectives.cost.CostModel;
import org.sparkcollectives.schedule.Collective;

/**
 * How algorithms are chosen where a call names none: by rules first, then, if results are to be
 * reproducible, one that is the same for all sizes, else the cheapest. Immutable.
 *
 * @param model what communication costs
 * @param rules the rules, by collective
 * @param reproducible whether collectives that combine use one algorithm and blocks of one length
 *     whatever the vector's size, so that the bits of an element's result depend on nothing but the
 *     operands, their number, the root, and whether the operator is commutative
 */
public record Policy(CostModel model, Map<Collective, Rules> rules, boolean reproducible) {

  /** The cheapest algorithms by the built-in model. */
  public static final Policy DEFAULT = new Policy(CostModel.DEFAULT, Map.of(), false);

  /**
   * Copies the map.
   *
   * @param model what communication costs
   * @param rules the rules, by collective
   * @param reproducible whether collectives that combine use one algorithm whatever the size
   */
  public Policy {
    rules = Map.copyOf(rules);
  }

  /**
   * The same with another cost model.
   *
   * @param value what communication costs
   * @return the policy
   */
  public Policy withModel(CostModel value) {
    return new Policy(value, rules, reproducible);
  }

  /**
   * The same with other rules for a collective.
   *
   * @param collective the collective
   * @param value its rules
   * @return the policy
   */
  public Policy withRules(Collective collective, Rules value) {
    Map<Collective, Rules> map = new EnumMap<>(Collective.class);
    map.putAll(rules);
    map.put(collective, value);
    return new Policy(model, map, reproducible);
  }

  /**
   * The same with or without reproducible results.
   *
   * @param value whether one algorithm is used whatever the size
   * @return the policy
   */
  public Policy withReproducible(boolean value) {
    return new Policy(model, rules, value);
  }

  /**
   * The rules of a collective.
   *
   * @param collective the collective
   * @return its rules, {@link Rules#NONE} where there are none
   */
  public Rules rules(Collective collective) {
    return rules.getOrDefault(collective, Rules.NONE);
  }
}
