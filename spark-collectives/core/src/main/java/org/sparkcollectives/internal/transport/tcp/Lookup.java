package org.sparkcollectives.internal.transport.tcp;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.sparkcollectives.internal.transport.LinkProvider;
import org.sparkcollectives.internal.transport.WaitBudget;

/**
 * The addresses of names. The system's lookup takes as long as it takes, and cannot be interrupted:
 * it runs on a thread of its own, and the rank waits for it as for anything else.
 */
final class Lookup {
  private final Resolver resolver;

  /** What finds addresses. */
  @FunctionalInterface
  interface Resolver {
    /** All addresses of a name; it may take long. */
    InetAddress[] resolve(String host) throws UnknownHostException;
  }

  Lookup() {
    this(InetAddress::getAllByName);
  }

  Lookup(Resolver resolver) {
    this.resolver = resolver;
  }

  /**
   * The addresses of a host.
   *
   * @param host a name or an address
   * @param rank who waits
   * @param budget how long
   * @return one at least
   * @throws UnknownHostException if there is none
   * @throws IOException if the rank is interrupted
   */
  InetAddress[] addresses(String host, LinkProvider.Rank rank, WaitBudget budget)
      throws IOException {
    if (isLiteral(host)) {
      return resolver.resolve(host);
    }
    FutureTask<InetAddress[]> lookup = new FutureTask<>(() -> resolver.resolve(host));
    Runnable work =
        () -> {
          lookup.run();
          rank.wakeup();
        };
    Thread thread = new Thread(null, work, "spark-collectives-lookup", 0, false);
    thread.setDaemon(true);
    thread.setContextClassLoader(Lookup.class.getClassLoader());
    thread.start();
    while (!lookup.isDone()) {
      rank.await(budget.slice());
    }
    try {
      return lookup.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof UnknownHostException unknown) {
        throw unknown;
      }
      throw new IOException(host + " could not be looked up", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  /** Whether no name server is asked: digits and dots, or an IPv6 address. */
  private static boolean isLiteral(String host) {
    return host.indexOf(':') >= 0 || host.chars().allMatch(c -> c == '.' || (c >= '0' && c <= '9'));
  }
}
