package org.sparkcollectives.benchmarks.chaos;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.sparkcollectives.benchmarks.cluster.Network;
import org.sparkcollectives.internal.transport.Peer;

/** Makes a fault happen at a random moment to hosts with network cards of their own. */
final class HostInjector extends Injection {
  private static final long OUT_MILLIS = 20;
  private static final long IN_MILLIS = 60;

  /** By what the rate of a slow card is divided. */
  private static final int SLOWER = 20;

  private final Network network;
  private boolean over;
  private @Nullable Integer unheard;

  HostInjector(Fault fault, ChaosRanks ranks, Network network, long deadlineMillis) {
    super(fault, ranks, deadlineMillis);
    this.network = network;
  }

  @Override
  void beforeJoin(List<Peer> all) {
    // nothing happens before collectives run
  }

  @Override
  void running() {
    if (fault.kind() == Kind.OUT_OF_MEMORY) {
      isHit(List.of(fault.victim()));
      return;
    }
    beside(
        () -> {
          TimeUnit.MILLISECONDS.sleep(fault.offset());
          return strike();
        });
  }

  /** Begins, unless the collectives have ended. */
  private boolean strike() throws IOException, InterruptedException {
    synchronized (this) {
      if (over) {
        return false;
      }
      isHit(List.of(fault.victim()));
    }
    int victim = fault.victim();
    switch (fault.kind()) {
      case KILL -> ranks.process(victim).close();
      case STOP_SHORT, STOP_LONG -> stop();
      case CABLE_SHORT, CABLE_LONG -> {
        network.cut(victim);
        TimeUnit.MILLISECONDS.sleep(lasting());
        network.mend(victim);
      }
      case CABLE_FLAPS -> flap(victim);
      case ONE_WAY -> {
        unheard = (victim + 1 + (int) (fault.work() & 1)) % ranks.size();
        network.lose(victim, unheard, true);
      }
      case SLOW_CARD -> {
        network.slow(victim, SLOWER);
        TimeUnit.MILLISECONDS.sleep(lasting());
        network.slow(victim, 1);
      }
      case HOST_LOST -> {
        network.cut(victim); // so that nobody hears of the process's end
        ranks.process(victim).close();
      }
      default -> throw new IllegalStateException(fault.kind() + " does not happen to hosts");
    }
    return true;
  }

  private void flap(int victim) throws IOException, InterruptedException {
    long start = System.nanoTime();
    while (System.nanoTime() - start < TimeUnit.MILLISECONDS.toNanos(lasting())) {
      network.cut(victim);
      TimeUnit.MILLISECONDS.sleep(OUT_MILLIS);
      network.mend(victim);
      TimeUnit.MILLISECONDS.sleep(IN_MILLIS);
    }
  }

  @Override
  boolean end() throws IOException {
    synchronized (this) {
      over = true;
    }
    awaitDue();
    if (unheard != null) {
      network.lose(fault.victim(), unheard, false);
      unheard = null;
    }
    if (fault.kind() == Kind.HOST_LOST) {
      network.mend(fault.victim());
    }
    return !hit().isEmpty();
  }
}
