package org.sparkcollectives.spark.internal.ui;

import java.util.List;
import org.apache.spark.SparkConf;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.status.AppHistoryServerPlugin;
import org.apache.spark.status.ElementTrackingStore;
import org.apache.spark.ui.SparkUI;
import org.sparkcollectives.spark.internal.bridge.Scala;
import org.sparkcollectives.spark.internal.conf.CollectiveConf;
import org.sparkcollectives.spark.internal.conf.Settings;
import scala.collection.immutable.Seq;

/**
 * The tab in the History Server, which finds it by {@code ServiceLoader} where the jar is on its
 * class path. Applications that have made no call have no tab.
 */
public final class CollectivesHistoryPlugin implements AppHistoryServerPlugin {
  /** Makes the plugin; the History Server does. */
  public CollectivesHistoryPlugin() {}

  @Override
  public Seq<SparkListener> createListeners(SparkConf conf, ElementTrackingStore store) {
    CallStore.bound(store, CollectiveConf.alone(conf, Settings.UI_RETAINED_CALLS));
    return Scala.asScala(List.<SparkListener>of(new ReplayListener(store)).iterator()).toSeq();
  }

  @Override
  public void setupUI(SparkUI ui) {
    if (!new CallStore(ui.store().store()).calls().isEmpty()) {
      CollectivesTab.attach(ui, List::of);
    }
  }

  @Override
  public int displayOrder() {
    return Integer.MAX_VALUE;
  }
}
