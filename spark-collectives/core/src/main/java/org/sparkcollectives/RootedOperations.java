package org.sparkcollectives;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.error.Errors;
import org.sparkcollectives.error.PartErrors;
import org.sparkcollectives.internal.engine.Layout;
import org.sparkcollectives.schedule.Collective;
import org.sparkcollectives.vector.FixedVector;
import org.sparkcollectives.vector.ObjectVector;
import org.sparkcollectives.vector.Vector;

/**
 * The operations of a {@link Communicator} in which one rank, the root, has a whole vector and each
 * rank a part of it. What {@link DividedOperations} says of parts and of errors holds for them too.
 */
public abstract sealed class RootedOperations permits DividedOperations {
  final Runner runner;
  final PartExchange parts;

  RootedOperations(Runner runner) {
    this.runner = runner;
    this.parts = new PartExchange(runner);
  }

  /**
   * Gives each rank its part of the root's vector; the other ranks need not know what it is.
   *
   * @param vector the vector on the root, ignored elsewhere
   * @param root the sender's rank
   * @param <V> the array's class
   * @return this rank's part
   */
  public <V> V scatter(@Nullable V vector, int root) {
    return scatter(vector, null, root, null);
  }

  /**
   * As {@link #scatter(Object, int)}, with parts of given lengths.
   *
   * @param vector the vector on the root, ignored elsewhere
   * @param counts the length of each rank's part on the root, ignored elsewhere
   * @param root the sender's rank
   * @param <V> the array's class
   * @return this rank's part
   */
  public <V> V scatter(@Nullable V vector, int @Nullable [] counts, int root) {
    return scatter(vector, counts, root, null);
  }

  /**
   * As {@link #scatter(Object, int)}, by a given algorithm.
   *
   * @param vector the vector on the root, ignored elsewhere
   * @param counts the length of each rank's part on the root, null there for equal ones
   * @param root the sender's rank
   * @param algorithm its slug, or null for the cheapest
   * @param <V> the array's class
   * @return this rank's part
   */
  public <V> V scatter(
      @Nullable V vector, int @Nullable [] counts, int root, @Nullable String algorithm) {
    Vector own = runner.rank() == root && vector != null ? vector(vector) : null;
    return array(parts.scatter(own, counts, root, algorithm));
  }

  /**
   * Gives each rank the root's object for it.
   *
   * @param values an object for each rank on the root, ignored elsewhere
   * @param root the sender's rank
   * @param <T> the objects' class
   * @return the root's object for this rank
   */
  public <T> T scatterObjects(@Nullable List<T> values, int root) {
    return scatterObjects(values, root, null);
  }

  /**
   * As {@link #scatterObjects(List, int)}, by a given algorithm.
   *
   * @param values an object for each rank on the root, ignored elsewhere
   * @param root the sender's rank
   * @param algorithm its slug, or null for the cheapest
   * @param <T> the objects' class
   * @return the root's object for this rank
   */
  public <T> T scatterObjects(@Nullable List<T> values, int root, @Nullable String algorithm) {
    boolean sends = runner.rank() == root;
    if (sends) {
      Errors.requireValue(values, () -> "the list that root " + root + " scatters");
    }
    Vector own = sends && values != null ? objects(Collective.SCATTER, values) : null;
    Layout layout = Layout.even(runner.size(), 1, runner.size());
    return object(
        parts.scatter(
            own, new ObjectVector(new Object[0], runner.codec()), layout, root, algorithm),
        0);
  }

  /**
   * Gives the root the concatenation of all ranks' parts.
   *
   * @param part this rank's part, of one length on all ranks
   * @param root the receiver's rank
   * @param <V> the array's class
   * @return the concatenation of all parts on the root, null elsewhere
   */
  public <V> @Nullable V gather(V part, int root) {
    return gather(part, root, null);
  }

  /**
   * As {@link #gather(Object, int)}, by a given algorithm.
   *
   * @param part this rank's part, of one length on all ranks
   * @param root the receiver's rank
   * @param algorithm its slug, or null for the cheapest
   * @param <V> the array's class
   * @return the concatenation of all parts on the root, null elsewhere
   */
  public <V> @Nullable V gather(V part, int root, @Nullable String algorithm) {
    return arrayOrNull(parts.gather(vector(part), null, root, algorithm));
  }

  /**
   * As {@link #gather(Object, int)}, with parts of given lengths, which the root tells the others.
   *
   * @param part this rank's part, of the length given for it
   * @param counts the length of each rank's part on the root, ignored elsewhere
   * @param root the receiver's rank
   * @param <V> the array's class
   * @return the concatenation of all parts on the root, null elsewhere
   */
  public <V> @Nullable V gather(V part, int @Nullable [] counts, int root) {
    return gather(part, counts, root, null);
  }

  /**
   * As {@link #gather(Object, int[], int)}, by a given algorithm.
   *
   * @param part this rank's part, of the length given for it
   * @param counts the length of each rank's part on the root, ignored elsewhere
   * @param root the receiver's rank
   * @param algorithm its slug, or null for the cheapest
   * @param <V> the array's class
   * @return the concatenation of all parts on the root, null elsewhere
   */
  public <V> @Nullable V gather(
      V part, int @Nullable [] counts, int root, @Nullable String algorithm) {
    return arrayOrNull(parts.gatherByRoot(vector(part), counts, root, algorithm));
  }

  /**
   * Gives the root all ranks' objects.
   *
   * @param value this rank's object
   * @param root the receiver's rank
   * @param <T> the objects' class
   * @return all ranks' objects in rank order on the root, null elsewhere
   */
  public <T> @Nullable List<T> gatherObjects(T value, int root) {
    return gatherObjects(value, root, null);
  }

  /**
   * As {@link #gatherObjects(Object, int)}, by a given algorithm.
   *
   * @param value this rank's object
   * @param root the receiver's rank
   * @param algorithm its slug, or null for the cheapest
   * @param <T> the objects' class
   * @return all ranks' objects in rank order on the root, null elsewhere
   */
  public <T> @Nullable List<T> gatherObjects(T value, int root, @Nullable String algorithm) {
    Vector all = parts.gather(one(value), null, root, algorithm);
    return all == null ? null : list(all);
  }

  // ---- what the user gives and gets -------------------------------------------------------------

  final FixedVector vector(Object array) {
    Errors.requireValue(array, () -> "the vector of rank " + runner.rank());
    return Vector.of(array);
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // the class is the argument's
  static <V> V array(Vector vector) {
    return (V) PartExchange.array(vector);
  }

  @SuppressWarnings("TypeParameterUnusedInFormals") // the class is the argument's
  private static <V> @Nullable V arrayOrNull(@Nullable Vector vector) {
    return vector == null ? null : RootedOperations.<V>array(vector);
  }

  final ObjectVector one(Object value) {
    Errors.requireValue(value, () -> "the object of rank " + runner.rank());
    return new ObjectVector(new Object[] {value}, runner.codec());
  }

  final ObjectVector objects(Collective collective, List<?> values) {
    if (values.size() != runner.size()) {
      throw PartErrors.numberOfObjects(collective.slug(), values.size(), runner.size());
    }
    Object[] objects = values.toArray();
    for (int r = 0; r < objects.length; r++) {
      int receiver = r;
      Errors.requireValue(objects[r], () -> "the object for rank " + receiver);
    }
    return new ObjectVector(objects, runner.codec());
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // the class is the argument's
  static <T> T object(Vector vector, int index) {
    return (T) ((ObjectVector) vector).get(index);
  }

  static <T> List<T> list(Vector vector) {
    List<T> list = new ArrayList<>(vector.length());
    for (int i = 0; i < vector.length(); i++) {
      list.add(object(vector, i));
    }
    return list;
  }
}
