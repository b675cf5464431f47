package org.sparkcollectives.spark.internal.rendezvous;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.spark.rpc.RpcAddress;
import org.apache.spark.rpc.RpcCallContext;

/** Where a rank is answered: it keeps the replies. */
final class Asker implements RpcCallContext {
  final List<Object> replies = new CopyOnWriteArrayList<>();
  private final int port;

  /**
   * A rank's.
   *
   * @param port what its process is told from others by
   */
  Asker(int port) {
    this.port = port;
  }

  @Override
  public void reply(Object response) {
    replies.add(Wire.decode(response));
  }

  @Override
  public void sendFailure(Throwable e) {
    replies.add(e);
  }

  @Override
  public RpcAddress senderAddress() {
    return new RpcAddress("host", port);
  }
}
