package org.sparkcollectives.spark.internal.ui;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.ui.SparkUITab;
import org.apache.spark.ui.UIUtils$;
import org.sparkcollectives.spark.internal.bridge.Scala;
import scala.Function0;
import scala.Option;
import scala.collection.immutable.Seq;
import scala.xml.Node;
import scala.xml.Unparsed;

/**
 * What Spark puts around a page: its head, and the tabs. The method that does so has another
 * signature in each line of Spark, so it is looked up by its name.
 */
final class Frame {
  private static final String NAME = "headerSparkPage";

  private Frame() {}

  /**
   * A page as Spark shows it.
   *
   * @param request what was asked for, of the servlet API that Spark has
   * @param tab the tab
   * @param html the page
   * @return the whole document
   */
  @SuppressWarnings("unchecked")
  static Seq<Node> around(Object request, SparkUITab tab, Html html) {
    Function0<Seq<Node>> content = () -> nodes(html);
    Method method =
        Arrays.stream(UIUtils$.class.getMethods())
            .filter(each -> each.getName().equals(NAME))
            .findFirst()
            .orElseThrow(() -> new IllegalStateException("this Spark has no UIUtils." + NAME));
    Class<?>[] types = method.getParameterTypes();
    Object[] arguments = new Object[types.length];
    for (int i = 0; i < types.length; i++) {
      arguments[i] = argument(types[i], request, tab, html.title(), content);
    }
    try {
      return (Seq<Node>) method.invoke(UIUtils$.MODULE$, arguments);
    } catch (IllegalAccessException | InvocationTargetException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Object argument(
      Class<?> type, Object request, SparkUITab tab, String title, Function0<Seq<Node>> content) {
    if (type.isInstance(request)) {
      return request;
    } else if (type == String.class) {
      return title;
    } else if (type == Function0.class) {
      return content;
    } else if (type == SparkUITab.class) {
      return tab;
    }
    return type == Option.class ? Option.empty() : false; // no help, none of Spark's scripts
  }

  private static Seq<Node> nodes(Html html) {
    return Scala.asScala(List.<Node>of(new Unparsed(html.text())).iterator()).toSeq();
  }
}
