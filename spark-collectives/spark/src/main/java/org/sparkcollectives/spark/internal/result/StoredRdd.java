package org.sparkcollectives.spark.internal.result;

import java.io.Serial;
import java.util.List;
import org.apache.spark.Partition;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.rdd.RDD;
import org.apache.spark.storage.StorageLevel;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.spark.internal.bridge.Scala;
import scala.collection.Iterator;
import scala.collection.immutable.Seq;
import scala.reflect.ClassTag;

/**
 * An RDD that reads what ranks have stored, best where that lies if there is no other input, and
 * removes it when it is unpersisted. Where somebody has persisted it as an RDD, that is undone
 * first, as by any function that persists what it is given.
 *
 * @param <R> the elements' class
 */
public final class StoredRdd<R> extends RDD<R> {
  @Serial private static final long serialVersionUID = 1L;

  private final transient @Nullable ExecutorBroadcast<?> stored; // at the driver
  private final transient @Nullable PartPlaces places; // at the driver

  private StoredRdd(
      RDD<R> reading,
      ClassTag<R> elements,
      @Nullable ExecutorBroadcast<?> stored,
      @Nullable PartPlaces places) {
    super(reading, elements);
    this.stored = stored;
    this.places = places;
  }

  /**
   * An RDD that knows what it reads.
   *
   * @param reading reads what ranks have stored
   * @param stored that
   * @param <R> the elements' class
   * @return an RDD of the same elements
   */
  static <R> JavaRDD<R> of(JavaRDD<R> reading, ExecutorBroadcast<?> stored) {
    int parts = reading.getNumPartitions();
    return of(
        reading,
        stored,
        new PartPlaces(() -> BlockStore.places(stored.id(), parts), System::nanoTime));
  }

  /**
   * An RDD that knows what it reads beside the elements of another one, where its tasks run.
   *
   * @param reading reads both
   * @param stored what ranks have stored
   * @param <R> the elements' class
   * @return an RDD of the same elements
   */
  public static <R> JavaRDD<R> besideInput(JavaRDD<R> reading, ExecutorBroadcast<?> stored) {
    return of(reading, stored, null);
  }

  private static <R> JavaRDD<R> of(
      JavaRDD<R> reading, ExecutorBroadcast<?> stored, @Nullable PartPlaces places) {
    ClassTag<R> elements = reading.classTag();
    return new JavaRDD<>(new StoredRdd<>(reading.rdd(), elements, stored, places), elements);
  }

  /**
   * The same RDD for Scala, which makes arrays of its elements' class.
   *
   * @param elements the class
   * @return the RDD
   */
  public RDD<R> typed(ClassTag<R> elements) {
    return new StoredRdd<>(parent(), elements, stored, places);
  }

  @Override
  public Partition[] getPartitions() {
    return parent().partitions();
  }

  /**
   * {@inheritDoc} The executors that hold a part, as Spark does for what is cached; or none, and
   * Spark asks for the places of the input.
   */
  @Override
  public Seq<String> getPreferredLocations(Partition split) {
    List<String> holders =
        places == null || stored == null || !stored.isValid()
            ? List.of()
            : places.of(split.index());
    return Scala.asScala(holders.iterator()).toList();
  }

  @Override
  public Iterator<R> compute(Partition split, TaskContext context) {
    return parent().iterator(split, context);
  }

  @Override
  public RDD<R> unpersist(boolean blocking) {
    boolean persisted = !getStorageLevel().equals(StorageLevel.NONE());
    if (!persisted && stored != null && stored.isValid()) {
      stored.destroy(blocking);
    }
    return super.unpersist(blocking);
  }

  private RDD<R> parent() {
    return firstParent(elementClassTag());
  }
}
