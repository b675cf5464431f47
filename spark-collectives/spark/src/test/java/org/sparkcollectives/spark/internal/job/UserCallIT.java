package org.sparkcollectives.spark.internal.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.util.CallSite;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What calls are called after where a thread has a name already. */
@Timeout(60)
class UserCallIT {
  private static final String SHORT = "callSite.short";
  private static final String LONG = "callSite.long";
  private static final CallSite CALL = new CallSite("reduce at Sum.java:9", "all of it");

  private static String during(SparkContext context) {
    return UserCall.named(context, CALL, () -> context.getLocalProperty(SHORT));
  }

  @Test
  void theUsersNameIsTakenAndSparksOfAStreamingQueryIsNot() {
    SparkConf conf =
        new SparkConf().setMaster("local[1]").setAppName("named").set("spark.ui.enabled", "false");
    try (JavaSparkContext java = new JavaSparkContext(conf)) {
      SparkContext context = java.sc();
      assertEquals(CALL.shortForm(), during(context));
      assertNull(context.getLocalProperty(SHORT));
      assertNull(context.getLocalProperty(LONG));
      context.setCallSite("a sum of mine");
      assertEquals("a sum of mine", UserCall.site(context, "reduce").shortForm());
      assertEquals("a sum of mine", during(context));
      context.setCallSite(new CallSite("start at App.java:31", "start and all of it"));
      context.setLocalProperty("sql.streaming.queryId", "1");
      String taken = UserCall.site(context, "reduce").shortForm();
      assertTrue(taken.startsWith("reduce at "), taken);
      assertEquals(CALL.shortForm(), during(context));
      assertEquals("start at App.java:31", context.getLocalProperty(SHORT));
      assertEquals("start and all of it", context.getLocalProperty(LONG));
    }
  }
}
