package org.sparkcollectives.spark.internal.ui;

import java.util.List;
import java.util.function.Supplier;
import org.apache.spark.ui.SparkUI;
import org.apache.spark.ui.SparkUITab;
import org.apache.spark.ui.WebUITab;
import org.sparkcollectives.spark.internal.bridge.Scala;
import org.sparkcollectives.spark.internal.events.RunningCall;

/** The tab "Collectives". */
final class CollectivesTab extends SparkUITab {
  private CollectivesTab(SparkUI ui, Supplier<List<RunningCall>> running) {
    super(ui, "collectives");
    CallStore store = new CallStore(ui.store().store());
    attachPage(new LibraryPage("", this, new ListPage(store, running)));
    attachPage(new LibraryPage("call", this, new CallPage(store)));
    attachPage(new LibraryPage("training", this, new TrainingPage(store)));
  }

  /**
   * Adds the tab to a UI that does not have it.
   *
   * @param ui of a live application or of one that has ended
   * @param running gives the calls that run now
   */
  static void attach(SparkUI ui, Supplier<List<RunningCall>> running) {
    for (WebUITab tab : Scala.asJava(ui.getTabs())) {
      if (tab instanceof CollectivesTab) {
        return;
      }
    }
    ui.attachTab(new CollectivesTab(ui, running));
  }
}
