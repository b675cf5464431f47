package org.sparkcollectives.testing;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.FutureTask;

/** A server that hears out whoever connects, says the same to all, and ends the connection. */
public final class Stranger implements AutoCloseable {
  private final ServerSocket server;
  private final FutureTask<Integer> callers;

  /**
   * Listens from now on.
   *
   * @param address where
   * @param port its port there
   * @param heard how many bytes callers say first
   * @param said what it says then
   * @throws IOException if it cannot listen
   */
  public Stranger(InetAddress address, int port, int heard, byte... said) throws IOException {
    server = new ServerSocket(port, 8, address);
    callers = Background.start(() -> answer(heard, said));
  }

  private int answer(int heard, byte... said) {
    int count = 0;
    while (!server.isClosed()) {
      try (Socket caller = server.accept()) {
        count++;
        InputStream in = caller.getInputStream();
        if (in.readNBytes(heard).length == heard) {
          caller.getOutputStream().write(said);
          caller.shutdownOutput();
          in.readAllBytes();
        }
      } catch (IOException gone) {
        // the caller, or this server has been closed
      }
    }
    return count;
  }

  /**
   * Stops listening.
   *
   * @return how many callers there were
   * @throws Exception if the server has failed
   */
  public int end() throws Exception {
    server.close();
    return callers.get();
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
