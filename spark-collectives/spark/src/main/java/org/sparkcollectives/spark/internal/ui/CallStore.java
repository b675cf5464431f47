package org.sparkcollectives.spark.internal.ui;

import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.spark.status.ElementTrackingStore;
import org.apache.spark.util.kvstore.KVIndex;
import org.apache.spark.util.kvstore.KVStore;
import org.apache.spark.util.kvstore.KVStoreIterator;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.spark.internal.events.CallEvent;
import org.sparkcollectives.spark.internal.events.TrainingEvent;
import scala.runtime.BoxedUnit;

/** The calls and trainings of an application in Spark's store of its UI. Thread-safe. */
final class CallStore {
  /** How many calls have ended, of all applications that this process shows. */
  private static final AtomicLong CALLS = new AtomicLong();

  private final KVStore store;

  CallStore(KVStore store) {
    this.store = store;
  }

  /** Lets a store forget the oldest calls and trainings when there are more than so many. */
  static void bound(ElementTrackingStore store, int retained) {
    bound(store, StoredCall.class, StoredCall.ENDED, retained);
    bound(store, StoredTraining.class, KVIndex.NATURAL_INDEX_NAME, retained);
  }

  private static void bound(
      ElementTrackingStore store, Class<?> type, String oldestFirst, int retained) {
    store.addTrigger(
        type,
        retained,
        count -> {
          forget(store, type, oldestFirst, (Long) count - retained);
          return BoxedUnit.UNIT;
        });
  }

  private static void forget(KVStore store, Class<?> type, String oldestFirst, long many) {
    List<Object> oldest = new ArrayList<>();
    try (KVStoreIterator<?> all =
        store.view(type).index(oldestFirst).max(many).closeableIterator()) {
      while (all.hasNext()) {
        oldest.add(key(all.next()));
      }
      for (Object key : oldest) {
        store.delete(type, key);
      }
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static Object key(Object stored) {
    return stored instanceof StoredCall call ? call.call : ((StoredTraining) stored).id;
  }

  /** Keeps a call. */
  static void add(ElementTrackingStore store, CallEvent event) {
    store.write(new StoredCall(event, CALLS.incrementAndGet()), true);
  }

  /** Keeps a training under a number of its own. */
  static void add(ElementTrackingStore store, long id, TrainingEvent event) {
    store.write(new StoredTraining(id, event), true);
  }

  /** All calls, the latest first. */
  List<CallEvent> calls() {
    return all(StoredCall.class).stream().map(stored -> stored.event).toList();
  }

  /** All trainings, the latest first. */
  List<StoredTraining> trainings() {
    return all(StoredTraining.class);
  }

  private <T> List<T> all(Class<T> type) {
    List<T> found = new ArrayList<>();
    try (KVStoreIterator<T> all = store.view(type).reverse().closeableIterator()) {
      all.forEachRemaining(found::add);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
    return found;
  }

  /** A call; null if there is none of that number, or it has been forgotten. */
  @Nullable CallEvent call(long number) {
    StoredCall stored = read(StoredCall.class, number);
    return stored == null ? null : stored.event;
  }

  /** A training; null if there is none of that number, or it has been forgotten. */
  @Nullable TrainingEvent training(long id) {
    StoredTraining stored = read(StoredTraining.class, id);
    return stored == null ? null : stored.event;
  }

  private <T> @Nullable T read(Class<T> type, long key) {
    try {
      return store.read(type, key);
    } catch (NoSuchElementException e) {
      return null;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
