package org.sparkcollectives.spark.internal.ui;

import org.apache.spark.ui.SparkUI;
import org.apache.spark.ui.SparkUITab;
import org.apache.spark.ui.WebUITab;
import org.sparkcollectives.spark.internal.bridge.Scala;

/** The tab "Collectives". */
final class CollectivesTab extends SparkUITab {
  private CollectivesTab(SparkUI ui) {
    super(ui, "collectives");
    CallStore store = new CallStore(ui.store().store());
    attachPage(new LibraryPage("", this, new ListPage(store)));
    attachPage(new LibraryPage("call", this, new CallPage(store)));
    attachPage(new LibraryPage("training", this, new TrainingPage(store)));
  }

  /** Adds the tab to a UI that does not have it. */
  static void attach(SparkUI ui) {
    for (WebUITab tab : Scala.asJava(ui.getTabs())) {
      if (tab instanceof CollectivesTab) {
        return;
      }
    }
    ui.attachTab(new CollectivesTab(ui));
  }
}
