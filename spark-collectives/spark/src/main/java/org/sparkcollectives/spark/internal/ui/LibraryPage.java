package org.sparkcollectives.spark.internal.ui;

import java.util.function.UnaryOperator;
import org.apache.spark.ui.SparkUITab;
import org.apache.spark.ui.WebUIPage;
import org.jspecify.annotations.Nullable;
import scala.collection.immutable.Seq;
import scala.xml.Node;

/**
 * A page of the tab. One class serves both versions of the servlet API: Spark calls the method that
 * its own {@code WebUIPage} declares, and the class of the other one's request is never loaded.
 */
@SuppressWarnings("MissingOverride") // which of the two methods overrides depends on Spark
public final class LibraryPage extends WebUIPage {
  private final SparkUITab tab;
  private final Content content;

  /** What a page shows. */
  interface Content {
    /**
     * Makes the page.
     *
     * @param parameters gives the value of a parameter of the page's address, null for none
     * @return title and HTML
     */
    Html page(UnaryOperator<@Nullable String> parameters);
  }

  LibraryPage(String prefix, SparkUITab tab, Content content) {
    super(prefix);
    this.tab = tab;
    this.content = content;
  }

  /**
   * Makes the page in Spark 4.
   *
   * @param request what is asked for
   * @return the page
   */
  public Seq<Node> render(jakarta.servlet.http.HttpServletRequest request) {
    return Frame.around(request, tab, content.page(request::getParameter));
  }

  /**
   * Makes the page in Spark 3.5.
   *
   * @param request what is asked for
   * @return the page
   */
  public Seq<Node> render(javax.servlet.http.HttpServletRequest request) {
    return Frame.around(request, tab, content.page(request::getParameter));
  }
}
