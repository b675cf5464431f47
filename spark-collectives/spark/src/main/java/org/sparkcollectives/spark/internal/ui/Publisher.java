package org.sparkcollectives.spark.internal.ui;

import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.status.ElementTrackingStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sparkcollectives.internal.error.ErrorText;
import org.sparkcollectives.spark.internal.conf.CollectiveConf;
import org.sparkcollectives.spark.internal.conf.MadeFor;
import org.sparkcollectives.spark.internal.conf.Settings;
import org.sparkcollectives.spark.internal.events.CallEvent;
import org.sparkcollectives.spark.internal.events.CallLog;
import org.sparkcollectives.spark.internal.events.CallMetrics;
import org.sparkcollectives.spark.internal.events.RunningCall;
import org.sparkcollectives.spark.internal.events.TrainingEvent;

/**
 * Tells of calls that run, in the tab of the live UI, and of those that have ended: in the driver's
 * log and metrics, in the tab of the live UI, and to Spark's listeners, of which the event log is
 * one. The tab gets a call from the thread that has made it and not over a queue of events, so that
 * slow listeners, for which Spark drops events, lose it no call. One per application. Thread-safe.
 */
public final class Publisher {
  private static final Logger LOG = LoggerFactory.getLogger(Publisher.class);
  private static final ThreadLocal<Long> LAST_CALL = ThreadLocal.withInitial(() -> 0L);

  /** By application: calls may outlive their own, and the next one begin meanwhile. */
  private static final Map<SparkContext, Publisher> PUBLISHERS = new WeakHashMap<>();

  private final WeakReference<SparkContext> context;
  private final boolean enabled;
  private final WeakReference<@Nullable ElementTrackingStore> store;
  private final AtomicLong trainings = new AtomicLong();
  private final CallMetrics metrics = new CallMetrics();
  private final Map<Long, RunningCall> running = new ConcurrentSkipListMap<>();

  /** Whether Spark's metrics know the source; guarded by the class. */
  private boolean measured;

  private Publisher(SparkContext context) {
    this.context = new WeakReference<>(context);
    this.enabled = CollectiveConf.alone(context.getConf(), Settings.UI);
    this.store = new WeakReference<>(enabled ? tab(context) : null);
  }

  /**
   * The publisher of an application; the first call adds the tab to its UI and the source to its
   * metrics, whose names begin with the application's number.
   *
   * @param context the application, which has its number
   * @return always the same for one application
   */
  public static synchronized Publisher of(SparkContext context) {
    Publisher publisher = early(context);
    if (!publisher.measured) {
      publisher.measured = true;
      context.env().metricsSystem().registerSource(publisher.metrics);
    }
    return publisher;
  }

  /**
   * As {@link #of}, for an application that has no number yet: without the metrics.
   *
   * @param context the application
   * @return always the same for one application
   */
  public static synchronized Publisher early(SparkContext context) {
    return PUBLISHERS.computeIfAbsent(context, Publisher::new);
  }

  /** Adds the tab, if there is a UI; whatever hinders that hinders no call. */
  private @Nullable ElementTrackingStore tab(SparkContext context) {
    try {
      if (context.ui().isDefined()
          && context.statusStore().store() instanceof ElementTrackingStore store) {
        CallStore.bound(store, CollectiveConf.alone(context.getConf(), Settings.UI_RETAINED_CALLS));
        CollectivesTab.attach(context.ui().get(), this::running);
        return store;
      }
    } catch (RuntimeException | LinkageError e) {
      LOG.warn(
          ErrorText.of(
              "Spark's UI has no tab of collectives",
              ErrorText.reason(e),
              MadeFor.remedy(
                  context,
                  MadeFor.class,
                  "set spark.collectives.ui.enabled=false if this Spark is none that the library"
                      + " knows")),
          e);
    }
    return null;
  }

  /**
   * Whether Spark's UI has the tab.
   *
   * @return false where there is no UI, or it is to have none
   */
  public boolean hasTab() {
    return store.get() != null;
  }

  /**
   * Notes that a call has begun, which the tab shows until it is told of.
   *
   * @param call the call
   */
  public void begin(RunningCall call) {
    running.put(call.call, call);
  }

  /**
   * The calls that run.
   *
   * @return those that have begun and were not told of, in their order
   */
  public List<RunningCall> running() {
    return List.copyOf(running.values());
  }

  /**
   * Tells of a call that has ended.
   *
   * @param event the call, to which only the reason of its choice may still be added
   */
  public void publish(CallEvent event) {
    LAST_CALL.set(event.call);
    running.remove(event.call);
    metrics.count(event);
    CallLog.tell(event);
    tell(event.callSite, event, open -> CallStore.add(open, event));
  }

  /**
   * Tells of a training that the calling thread's latest call has done.
   *
   * @param event the training, whose {@link TrainingEvent#call} is filled in here
   */
  public void publish(TrainingEvent event) {
    event.call = LAST_CALL.get();
    tell(event.name, event, open -> CallStore.add(open, trainings.incrementAndGet(), event));
  }

  /** Shows what has its result, or a failure of its own, and does not fail where that fails. */
  private void tell(String name, SparkListenerEvent event, Consumer<ElementTrackingStore> show) {
    try {
      ElementTrackingStore open = store.get();
      if (open != null) {
        show.accept(open);
      }
      SparkContext application = context.get();
      if (enabled && application != null && !application.isStopped()) {
        application.listenerBus().post(event);
      }
    } catch (Exception | LinkageError e) { // a store on disk throws what Scala does not declare
      LOG.warn("{} is not shown", name, e);
    }
  }
}
