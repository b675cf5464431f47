package org.sparkcollectives.spark.internal.input;

import java.io.Serial;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.Dependency;
import org.apache.spark.OneToOneDependency;
import org.apache.spark.Partition;
import org.apache.spark.TaskContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.resource.ResourceProfile;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.spark.internal.bridge.Scala;
import scala.collection.immutable.Seq;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/**
 * Another RDD's partitions, dealt to ranks: a partition for each rank, whose elements are {@link
 * RankInput}s. It depends on the shuffles behind the other RDD, which Spark so makes first, and
 * hides everything in between, which it computes itself: a barrier stage may have no ancestors with
 * other numbers of partitions. Shuffles of barrier RDDs stand behind an RDD each, since no RDD in a
 * barrier stage may depend on two of those. And it says in which executor each rank is to run.
 */
public final class RankRdd extends RDD<Object> {
  @Serial private static final long serialVersionUID = 1L;

  private static final ClassTag<Object> ANY = ClassTag$.MODULE$.apply(Object.class);

  private final RDD<Object> hidden;
  private final boolean barrier; // whether it has barrier tasks of the user's
  private final transient @Nullable Placement placement; // at the driver
  private final transient @Nullable Lineage lineage; // at the driver
  private final transient Parcel.@Nullable Sender sender; // at the driver

  private RankRdd(Lineage lineage, RDD<Object> hidden, Placement placement) {
    super(hidden.context(), dependencies(lineage, placement.size()), ANY);
    this.hidden = hidden;
    this.barrier = hidden.isBarrier();
    this.placement = placement;
    this.lineage = lineage;
    this.sender = new Parcel.Sender(hidden.context());
  }

  /**
   * Deals an RDD's partitions to ranks.
   *
   * @param lineage what lies behind the RDD
   * @param placement who gets what
   * @return the RDD of the ranks
   */
  @SuppressWarnings("unchecked")
  public static RDD<Object> of(Lineage lineage, Placement placement) {
    RDD<Object> made = new RankRdd(lineage, (RDD<Object>) lineage.rdd(), placement);
    ResourceProfile resources = lineage.resources();
    return resources == null ? made : made.withResources(resources);
  }

  @Override
  public Partition[] getPartitions() {
    Partition[] all = hidden.partitions();
    Parcel.Sender parcels = known(sender);
    List<Placement.Rank> ranks = known(placement).ranks();
    Partition[] made = new Partition[ranks.size()];
    for (int rank = 0; rank < made.length; rank++) {
      List<Partition> own =
          Arrays.stream(ranks.get(rank).partitions()).mapToObj(i -> all[i]).toList();
      made[rank] = new RankPartition(rank, parcels.of(own), all.length);
    }
    return made;
  }

  @Override
  public Seq<String> getPreferredLocations(Partition split) {
    String place = known(placement).ranks().get(split.index()).place();
    List<String> places = place.isEmpty() ? List.of() : List.of(ExecutorSlots.readable(place));
    return Scala.asScala(places.iterator()).toList();
  }

  @Override
  public scala.collection.Iterator<Object> compute(Partition split, TaskContext context) {
    RankPartition ofRank = (RankPartition) split;
    Iterator<Partition> own = ofRank.own().partitions();
    PartitionContext.Computer computer =
        new PartitionContext.Computer(hidden, ofRank.all(), context);
    return Scala.asScala(
        new Iterator<Object>() {
          @Override
          public boolean hasNext() {
            return own.hasNext();
          }

          @Override
          public Object next() {
            Partition next = own.next();
            return new RankInput(
                next.index(),
                barrier // then the task's partition is the only one
                    ? PartitionElements.of(hidden, next, context, () -> {})
                    : computer.elements(next));
          }
        });
  }

  /** The RDDs that it hides; for the driver. */
  List<RDD<?>> hides() {
    return lineage == null ? List.of() : lineage.narrow();
  }

  /** Frees at the driver, and on executors, what ranks needed; they compute no more. */
  public void end() {
    known(sender).end();
  }

  private static <T> T known(@Nullable T atDriver) {
    if (atDriver == null) {
      throw new IllegalStateException("ranks are placed by the driver");
    }
    return atDriver;
  }

  private static Seq<Dependency<?>> dependencies(Lineage lineage, int ranks) {
    List<Dependency<?>> all = new ArrayList<>();
    for (Dependency<?> shuffle : lineage.shuffles()) {
      all.add(
          shuffle.rdd().isBarrier()
              ? new OneToOneDependency<>(new OfBarrier(shuffle, ranks))
              : shuffle);
    }
    return sequence(all);
  }

  @SuppressWarnings({"unchecked", "rawtypes"}) // Scala's Seq of wildcards is not Java's
  private static Seq<Dependency<?>> sequence(List<Dependency<?>> dependencies) {
    return (Seq) Scala.asScala(dependencies.iterator()).toList();
  }

  /** Depends on the shuffle of a barrier RDD, and is never computed. */
  private static final class OfBarrier extends RDD<Object> {
    @Serial private static final long serialVersionUID = 1L;

    private final int ranks;

    OfBarrier(Dependency<?> shuffle, int ranks) {
      super(shuffle.rdd().context(), sequence(List.of(shuffle)), ANY);
      this.ranks = ranks;
    }

    @Override
    public Partition[] getPartitions() {
      Partition[] made = new Partition[ranks];
      Arrays.setAll(made, rank -> new RankPartition(rank, Parcel.empty(), 0));
      return made;
    }

    @Override
    public scala.collection.Iterator<Object> compute(Partition split, TaskContext context) {
      throw new IllegalStateException("ranks read the shuffle themselves");
    }
  }

  /** A rank's partitions. No record, of which a process takes longer to read the first. */
  private static final class RankPartition implements Partition {
    @Serial private static final long serialVersionUID = 1L;

    private final int index;
    private final Parcel own;
    private final int all;

    RankPartition(int index, Parcel own, int all) {
      this.index = index;
      this.own = own;
      this.all = all;
    }

    @Override
    public int index() {
      return index;
    }

    Parcel own() {
      return own;
    }

    /** How many partitions all ranks have together. */
    int all() {
      return all;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof RankPartition that && index == that.index;
    }

    @Override
    public int hashCode() {
      return index;
    }
  }
}
