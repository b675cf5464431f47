package org.sparkcollectives.spark.internal.job;

import java.util.List;
import java.util.stream.Collectors;
import org.apache.spark.SparkContext;
import org.apache.spark.util.CallSite;

/** Names Spark's jobs after the call that the user has made, in Spark's UI and log. */
final class UserCall {
  private static final String LIBRARY = "org.sparkcollectives.";
  private static final List<String> NOT_THE_USERS =
      List.of(LIBRARY, "java.", "jdk.", "scala.", "org.apache.spark.");
  private static final List<String> USERS = List.of(LIBRARY + "examples.");
  private static final int LINES = 20;

  private UserCall() {}

  /**
   * Does something under the name of the call that is on this thread's stack, unless the user has
   * named it.
   */
  static <T> T named(
      SparkContext context, String operation, java.util.function.Supplier<T> action) {
    if (context.getLocalProperty("callSite.short") != null) {
      return action.get();
    }
    context.setCallSite(site(operation));
    try {
      return action.get();
    } finally {
      context.clearCallSite();
    }
  }

  private static CallSite site(String operation) {
    List<StackTraceElement> stack =
        StackWalker.getInstance()
            .walk(
                frames ->
                    frames
                        .map(StackWalker.StackFrame::toStackTraceElement)
                        .dropWhile(frame -> !isUsers(frame.getClassName()))
                        .limit(LINES)
                        .toList());
    String at =
        stack.isEmpty()
            ? operation
            : operation + " at " + stack.get(0).getFileName() + ":" + stack.get(0).getLineNumber();
    String all = stack.stream().map(String::valueOf).collect(Collectors.joining("\n"));
    return new CallSite(at, all.isEmpty() ? at : all);
  }

  private static boolean isUsers(String type) {
    return USERS.stream().anyMatch(type::startsWith)
        || NOT_THE_USERS.stream().noneMatch(type::startsWith);
  }
}
