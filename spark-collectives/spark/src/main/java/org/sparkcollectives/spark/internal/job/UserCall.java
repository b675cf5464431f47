package org.sparkcollectives.spark.internal.job;

import java.util.List;
import java.util.stream.Collectors;
import org.apache.spark.SparkContext;
import org.apache.spark.util.CallSite;
import org.jspecify.annotations.Nullable;

/** Names Spark's jobs after the call that the user has made, in Spark's UI and log. */
final class UserCall {
  private static final String LIBRARY = "org.sparkcollectives.";
  private static final List<String> NOT_THE_USERS =
      List.of(LIBRARY, "java.", "jdk.", "scala.", "org.apache.spark.", "py4j.");
  private static final List<String> USERS = List.of(LIBRARY + "examples.");
  private static final int LINES = 20;
  private static final String SHORT = "callSite.short";
  private static final String LONG = "callSite.long";

  private UserCall() {}

  /** Does something under the name of a call, unless the user has named it. */
  static <T> T named(SparkContext context, CallSite site, java.util.function.Supplier<T> action) {
    if (usersName(context) != null) {
      return action.get();
    }
    String shortBefore = context.getLocalProperty(SHORT);
    String longBefore = context.getLocalProperty(LONG);
    context.setCallSite(site);
    try {
      return action.get();
    } finally {
      context.setLocalProperty(SHORT, shortBefore);
      context.setLocalProperty(LONG, longBefore);
    }
  }

  /** The name that the user has given; that in the thread of a streaming query is Spark's. */
  private static @Nullable String usersName(SparkContext context) {
    return ForCaller.inStreamingQuery(context) ? null : context.getLocalProperty(SHORT);
  }

  /** The call that is on this thread's stack, under the name that the user has given it if any. */
  static CallSite site(SparkContext context, String operation) {
    String named = usersName(context);
    return named == null ? site(operation) : new CallSite(named, named);
  }

  /** The call that is on this thread's stack; from Python none is, but the operation's name. */
  static CallSite site(String operation) {
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
