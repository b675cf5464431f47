package org.sparkcollectives.testing;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.LifecycleMethodExecutionExceptionHandler;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.opentest4j.TestAbortedException;

/**
 * Turns an assumption that does not hold into a failure: a test that did not run has shown nothing.
 * Registered for every test by {@code META-INF/services}; the file {@code
 * junit-platform.properties} beside it takes all conditions such as {@code @Disabled} out of force.
 */
public final class NoSkippedTests
    implements TestExecutionExceptionHandler, LifecycleMethodExecutionExceptionHandler {

  @Override
  public void handleTestExecutionException(ExtensionContext context, Throwable throwable)
      throws Throwable {
    throw asFailure(context, throwable);
  }

  @Override
  public void handleBeforeAllMethodExecutionException(ExtensionContext context, Throwable throwable)
      throws Throwable {
    throw asFailure(context, throwable);
  }

  @Override
  public void handleBeforeEachMethodExecutionException(
      ExtensionContext context, Throwable throwable) throws Throwable {
    throw asFailure(context, throwable);
  }

  private static Throwable asFailure(ExtensionContext context, Throwable throwable) {
    return throwable instanceof TestAbortedException
        ? new AssertionError(
            "A test may not skip itself: " + context.getDisplayName() + " was aborted", throwable)
        : throwable;
  }
}
