package org.sparkcollectives.spark.internal.rendezvous;

import java.util.List;
import org.apache.spark.rpc.RpcAddress;
import org.apache.spark.rpc.RpcCallContext;
import org.jspecify.annotations.Nullable;

/**
 * A rank that has come to the rendezvous.
 *
 * @param join what it says
 * @param context where it waits for an answer, null if it does not
 */
record Arrival(Wire.Join join, @Nullable RpcCallContext context) {
  void reply(byte[] bytes) {
    if (context != null) {
      context.reply(bytes);
    }
  }

  Wire.Member member() {
    return join.member();
  }

  @Nullable List<Shape> shapes() {
    return join.shapes();
  }

  /** Whether it waits for an answer. */
  boolean waits() {
    return context != null;
  }

  /** Whether it waits at the other end of an address. */
  boolean cameFrom(RpcAddress address) {
    return context != null && address.equals(context.senderAddress());
  }

  /** The rank, for messages. */
  String who() {
    return "rank " + join.rank() + " on " + member().host() + " (" + member().label() + ")";
  }
}
