package org.sparkcollectives.internal.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.sparkcollectives.internal.transport.ring.MemoryMesh;
import org.sparkcollectives.transport.Transport;

/** Runs ranks as threads over memory links, bounded in time. */
final class Ranks {
  /** Far below what a link of a communicator holds: thousands of meshes are made, and zeroed. */
  private static final int RING_BYTES = 1 << 12;

  private static final ExecutorService THREADS =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "rank");
            thread.setDaemon(true);
            return thread;
          });

  private Ranks() {}

  /** What a rank does. */
  interface Body<R> {
    R run(Transport transport) throws Exception;
  }

  static <R> List<R> run(int size, Body<R> body) throws Exception {
    return run(MemoryMesh.create(size, RING_BYTES), body);
  }

  static <R> List<R> run(List<? extends Transport> mesh, Body<R> body) throws Exception {
    List<Future<R>> futures = new ArrayList<>();
    try {
      for (Transport transport : mesh) {
        futures.add(
            THREADS.submit(
                () -> {
                  try {
                    return body.run(transport);
                  } catch (Throwable e) {
                    transport.close();
                    throw e;
                  }
                }));
      }
      List<R> results = new ArrayList<>();
      for (Future<R> future : futures) {
        results.add(future.get(60, TimeUnit.SECONDS));
      }
      return results;
    } finally {
      mesh.forEach(Transport::close);
      futures.forEach(rank -> rank.cancel(true));
    }
  }
}
