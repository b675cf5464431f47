package org.sparkcollectives.spark.internal.input;

import java.util.Iterator;
import org.apache.spark.Partition;
import org.apache.spark.TaskContext;
import org.apache.spark.TaskContext$;
import org.apache.spark.rdd.RDD;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.spark.internal.bridge.Scala;

/**
 * The elements of a partition, computed as they are asked for by code that sees a context of the
 * partition's as its task; what asks for them sees the rank's.
 */
public final class PartitionElements implements Iterator<Object> {
  private final TaskContext context;
  private final Iterator<Object> elements;
  private final Runnable end;
  private boolean ended;

  private PartitionElements(TaskContext context, Iterator<Object> elements, Runnable end) {
    this.context = context;
    this.elements = elements;
    this.end = end;
  }

  /**
   * Begins a partition.
   *
   * @param rdd the RDD
   * @param partition the partition
   * @param context what its code sees as its task
   * @param end what is done when there are no more elements
   * @return its elements
   */
  static PartitionElements of(
      RDD<Object> rdd, Partition partition, TaskContext context, Runnable end) {
    TaskContext before = enter(context);
    try {
      return new PartitionElements(context, Scala.asJava(rdd.iterator(partition, context)), end);
    } finally {
      enter(before);
    }
  }

  /**
   * Folds all elements by a fold that sees the partition's context, too: to change it for each
   * element takes as long as a simple element takes to be made.
   */
  @Nullable Object folded(LocalFold fold, @Nullable Object sum, int partition) {
    TaskContext before = enter(context);
    try {
      Object folded = fold.fold(sum, partition, elements);
      endIfRead();
      return folded;
    } finally {
      enter(before);
    }
  }

  @Override
  public boolean hasNext() {
    TaskContext before = enter(context);
    try {
      endIfRead();
      return !ended;
    } finally {
      enter(before);
    }
  }

  @Override
  public Object next() {
    TaskContext before = enter(context);
    try {
      return elements.next();
    } finally {
      enter(before);
    }
  }

  private void endIfRead() {
    if (!ended && !elements.hasNext()) {
      ended = true;
      end.run();
    }
  }

  /** Makes it the context of this thread, and returns the one before. */
  private static TaskContext enter(TaskContext context) {
    TaskContext before = TaskContext.get();
    TaskContext$.MODULE$.setTaskContext(context);
    return before;
  }
}
