package org.sparkcollectives.spark.internal.result;

import java.io.IOException;
import java.io.ObjectOutputStream;
import java.io.Serial;
import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.apache.spark.ContextCleaner;
import org.apache.spark.SparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.jspecify.annotations.Nullable;
import scala.Option;
import scala.reflect.ClassTag$;

/**
 * A broadcast whose value was made on executors: those that took part hold it in their block
 * managers, any other process fetches it from one of them on first use, and the driver has no part
 * in it until it asks for the value. In place of one value it may have parts, each held by some.
 *
 * @param <T> the value's class
 */
public final class ExecutorBroadcast<T> extends Broadcast<T> {
  @Serial private static final long serialVersionUID = 1L;

  /** Far above the numbers that Spark itself gives, which count from 0. */
  private static final AtomicLong NEXT = new AtomicLong(1L << 48);

  /** What tasks of this process share, each of which has a broadcast of its own; by number. */
  private static final Map<Long, Shared> SHARED = new ConcurrentHashMap<>();

  /** The value itself, if it is small; then no executor stores it. */
  private @Nullable T small;

  private transient @Nullable SoftReference<T> held;

  /** Makes the value again; at the driver. */
  private transient @Nullable Supplier<@Nullable T> again;

  private ExecutorBroadcast(long id, @Nullable T small) {
    super(id, ClassTag$.MODULE$.apply(Object.class));
    this.small = small;
  }

  /**
   * Takes a number for what is to be stored; for the driver.
   *
   * @return a number that no other has
   */
  public static long reserve() {
    return NEXT.getAndIncrement();
  }

  /**
   * The broadcast of a value that executors have stored, or of parts; removed when nothing refers
   * to it.
   *
   * @param context the application
   * @param id the number of the value or of the parts
   * @param <T> the value's class
   * @return the broadcast
   */
  public static <T> ExecutorBroadcast<T> of(SparkContext context, long id) {
    ExecutorBroadcast<T> broadcast = new ExecutorBroadcast<>(id, null);
    Option<ContextCleaner> cleaner = context.cleaner();
    if (cleaner.isDefined()) {
      cleaner.get().registerBroadcastForCleanup(broadcast);
    }
    return broadcast;
  }

  /**
   * The broadcast of a value that is so small that it travels with the tasks that use it.
   *
   * @param id a number that no other has
   * @param value the value, serializable by Java's means
   * @param <T> the value's class
   * @return the broadcast
   */
  public static <T> ExecutorBroadcast<T> ofSmall(long id, T value) {
    return new ExecutorBroadcast<>(id, value);
  }

  /**
   * Says how the value is made again, when the driver asks for it and every process that held it is
   * lost.
   *
   * @param makes makes the value, or returns null if it cannot any more
   * @return this
   */
  public ExecutorBroadcast<T> orElse(Supplier<@Nullable T> makes) {
    again = makes;
    return this;
  }

  @Override
  @SuppressWarnings("unchecked")
  public synchronized T getValue() {
    T own = small;
    if (own != null) {
      return own;
    }
    SoftReference<T> reference = held;
    T known = reference == null ? null : reference.get();
    if (known != null) {
      return known;
    }
    T value = (T) shared().value(id());
    if (value == null && again != null) {
      value = again.get();
      if (value != null) {
        BlockStore.put(id(), value, 1); // executors find it here
      }
    }
    if (value == null) {
      throw ResultErrors.valueLost(toString());
    }
    held = new SoftReference<>(value);
    return value;
  }

  private Shared shared() {
    Shared known = SHARED.get(id());
    if (known == null) {
      SHARED.values().removeIf(Shared::unused);
      known = SHARED.computeIfAbsent(id(), missing -> new Shared());
    }
    return known;
  }

  /** A value that need not be made of its bytes again as long as a task uses it. */
  private static final class Shared {
    /** Null until the value has been looked for. */
    private volatile @Nullable WeakReference<@Nullable Object> known;

    synchronized @Nullable Object value(long id) {
      WeakReference<@Nullable Object> reference = known;
      Object value = reference == null ? null : reference.get();
      if (value == null) {
        try {
          value = BlockStore.get(id);
        } finally {
          known = new WeakReference<>(value);
        }
      }
      return value;
    }

    boolean unused() {
      WeakReference<@Nullable Object> reference = known;
      return reference != null && reference.refersTo(null);
    }
  }

  /**
   * One of the parts that executors have stored in place of a value.
   *
   * @param index which part, from 0
   * @return it
   * @throws org.sparkcollectives.error.CollectiveException if no process holds it
   */
  Object part(int index) {
    assertValid();
    return BlockStore.requirePart(id(), index);
  }

  /**
   * Keeps the value at the driver, from where executors can fetch it again; one that is lost is
   * lost, as callers in a {@code finally} have another exception to tell.
   */
  @Override
  public void doUnpersist(boolean blocking) {
    if (small != null) {
      return;
    }
    boolean interrupted = Thread.interrupted(); // a thread that is cannot ask executors
    try {
      Object unused = shared().value(id());
      BlockStore.remove(id(), false, blocking);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public void doDestroy(boolean blocking) {
    if (small != null) {
      small = null;
      return;
    }
    held = null;
    again = null;
    SHARED.remove(id());
    BlockStore.remove(id(), true, blocking);
  }

  @Serial
  private void writeObject(ObjectOutputStream out) throws IOException {
    assertValid();
    out.defaultWriteObject();
  }
}
