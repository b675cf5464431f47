package org.sparkcollectives.internal.transport;

import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.sparkcollectives.error.AbortedException;
import org.sparkcollectives.transport.Deadline;

/**
 * The addresses of names. The system's lookup takes as long as it takes, and cannot be interrupted:
 * it runs on a thread of its own, and who asks waits for it as for anything else.
 */
public final class Lookup {
  private final Resolver resolver;

  /** What finds addresses. */
  @FunctionalInterface
  public interface Resolver {

    /**
     * All addresses of a name; it may take long.
     *
     * @param host the name
     * @return one at least
     * @throws UnknownHostException if there is none
     */
    InetAddress[] resolve(String host) throws UnknownHostException;
  }

  /** The system's lookup. */
  public Lookup() {
    this(InetAddress::getAllByName);
  }

  /**
   * Another lookup.
   *
   * @param resolver what finds addresses
   */
  public Lookup(Resolver resolver) {
    this.resolver = resolver;
  }

  /**
   * Which of a name's addresses to listen on.
   *
   * @param addresses those of the name
   * @return the first that is of this machine; the first of all if none is known to be
   * @throws IOException if the system does not tell its addresses
   */
  public static InetAddress own(InetAddress... addresses) throws IOException {
    if (addresses.length == 1) {
      return addresses[0];
    }
    for (InetAddress address : addresses) {
      if (address.isAnyLocalAddress()
          || address.isLoopbackAddress()
          || NetworkInterface.getByInetAddress(address) != null) {
        return address;
      }
    }
    return addresses[0];
  }

  /**
   * The addresses of a host, for a rank.
   *
   * @param host a name or an address
   * @param rank who waits
   * @param budget how long
   * @return one at least
   * @throws UnknownHostException if there is none
   * @throws IOException if the rank is interrupted
   */
  public InetAddress[] addresses(String host, LinkProvider.Rank rank, WaitBudget budget)
      throws IOException {
    if (isLiteral(host)) {
      return resolver.resolve(host);
    }
    FutureTask<InetAddress[]> lookup = begin(host, rank::wakeup);
    while (!lookup.isDone()) {
      rank.await(budget.slice());
    }
    try {
      return found(host, lookup, 0);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  /**
   * The addresses of a host, for a thread that waits for nothing else.
   *
   * @param host a name or an address
   * @param deadline until when
   * @return one at least
   * @throws UnknownHostException if there is none
   * @throws SocketTimeoutException if none is known at the deadline
   * @throws IOException if it cannot be looked up
   */
  public InetAddress[] addresses(String host, Deadline deadline) throws IOException {
    if (isLiteral(host)) {
      return resolver.resolve(host);
    }
    try {
      return found(host, begin(host, () -> {}), Math.max(0, deadline.remainingNanos()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw AbortedException.interrupted(e);
    }
  }

  private FutureTask<InetAddress[]> begin(String host, Runnable whenDone) {
    FutureTask<InetAddress[]> lookup = new FutureTask<>(() -> resolver.resolve(host));
    Runnable work =
        () -> {
          lookup.run();
          whenDone.run();
        };
    Thread thread = new Thread(null, work, "spark-collectives-lookup", 0, false);
    thread.setDaemon(true);
    thread.setContextClassLoader(Lookup.class.getClassLoader());
    thread.start();
    return lookup;
  }

  private static InetAddress[] found(String host, FutureTask<InetAddress[]> lookup, long nanos)
      throws IOException, InterruptedException {
    try {
      return lookup.get(nanos, TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      throw new SocketTimeoutException(host + " was not looked up in time");
    } catch (ExecutionException e) {
      if (e.getCause() instanceof UnknownHostException unknown) {
        throw unknown;
      }
      throw new IOException(host + " could not be looked up", e.getCause());
    }
  }

  /** Whether no name server is asked: digits and dots, or an IPv6 address. */
  private static boolean isLiteral(String host) {
    return host.indexOf(':') >= 0 || host.chars().allMatch(c -> c == '.' || (c >= '0' && c <= '9'));
  }
}
