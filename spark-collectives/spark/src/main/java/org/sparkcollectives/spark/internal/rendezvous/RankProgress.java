package org.sparkcollectives.spark.internal.rendezvous;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the function of a rank says of how far it is. The driver hears of it a second later, and of
 * the latest only: so a function may say something as often as it likes, one that is short costs no
 * message, and what was said last before a long silence arrives as well.
 */
public final class RankProgress implements AutoCloseable {
  /** More of a text is cut off. */
  static final int LONGEST = 200;

  private static final Logger LOG = LoggerFactory.getLogger(RankProgress.class);
  private static final long SECONDS = 1;
  private static final Pattern SPACE = Pattern.compile("\\s+");
  private static final ThreadLocal<@Nullable RankProgress> OF_THREAD = new ThreadLocal<>();

  private final Executor later = CompletableFuture.delayedExecutor(SECONDS, TimeUnit.SECONDS);
  private final AtomicReference<@Nullable String> unsent = new AtomicReference<>();
  private final @Nullable Consumer<String> driver;

  private RankProgress(@Nullable Consumer<String> driver) {
    this.driver = driver;
  }

  /**
   * Listens to the function that this thread calls.
   *
   * @param driver takes what is to be sent, in any thread; null for a rank that is not heard
   */
  static RankProgress begin(@Nullable Consumer<String> driver) {
    RankProgress begun = new RankProgress(driver);
    OF_THREAD.set(begun);
    return begun;
  }

  /**
   * Says how far the function is that runs in this thread.
   *
   * @param text for people, one line; of no effect outside of a function that is listened to
   */
  public static void tell(@Nullable String text) {
    RankProgress own = OF_THREAD.get();
    if (text != null && own != null && own.driver != null && own.unsent.getAndSet(text) == null) {
      own.later.execute(own::send);
    }
  }

  private static String line(String text) {
    String line = SPACE.matcher(text).replaceAll(" ").strip();
    return line.length() <= LONGEST ? line : line.substring(0, LONGEST) + "...";
  }

  private void send() {
    String text = unsent.getAndSet(null);
    Consumer<String> to = driver;
    if (text == null || to == null) {
      return;
    }
    try {
      to.accept(line(text));
    } catch (Exception e) { // also what Scala does not declare; the next one may arrive
      LOG.debug("the driver does not hear: {}", text, e);
    }
  }

  /** Listens no longer; what the driver has not heard yet it never will. */
  @Override
  public void close() {
    OF_THREAD.remove();
    unsent.set(null);
  }
}
