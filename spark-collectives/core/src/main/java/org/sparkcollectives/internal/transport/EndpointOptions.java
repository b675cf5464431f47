package org.sparkcollectives.internal.transport;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * The settings of a process's endpoint; immutable, made by a {@link Builder}.
 *
 * @param bindHost address or name that the listening socket binds to, IPv6 with or without
 *     brackets; empty for all addresses
 * @param advertisedHost host that peers are told; empty for the bound address, or this machine's
 *     own address when all are bound
 * @param firstPort first port that is tried; 0 for any free one
 * @param lastPort last port that is tried, not below the first
 * @param sendBufferBytes size of a socket's send buffer, 0 for the system's choice
 * @param receiveBufferBytes size of a socket's receive buffer, 0 for the system's choice
 * @param ringBytes bytes in flight per direction between two ranks of this host, a power of two
 * @param sharedMemory folder of a file system that lives in memory, for files that processes of
 *     this host share; empty to let them talk through sockets
 * @param handshakeTimeout how long an inbound connection may take to authenticate
 * @param parkTimeout how long an inbound connection waits for this process to learn the token, and
 *     an accepted lease for this process to join the communicator
 * @param idleTimeout how long a connection is kept that no rank at either end uses
 * @param maxPending how many inbound connections may have said nothing at once; 8 times as many may
 *     have said whom they call, and not yet proved that they know the token
 * @param maxParked how many accepted leases may wait for their ranks at once
 * @param maxIdlePerPeer how many idle dialed connections are kept per peer process, times those
 *     that two ranks have
 */
public record EndpointOptions(
    String bindHost,
    String advertisedHost,
    int firstPort,
    int lastPort,
    int sendBufferBytes,
    int receiveBufferBytes,
    int ringBytes,
    String sharedMemory,
    Duration handshakeTimeout,
    Duration parkTimeout,
    Duration idleTimeout,
    int maxPending,
    int maxParked,
    int maxIdlePerPeer) {

  /** The bytes that a ring holds where nothing else is said: 256 KiB. */
  public static final int DEFAULT_RING_BYTES = 1 << 18;

  /** Where Linux has memory as a file system; other systems have none under this name. */
  private static final String SHARED_MEMORY =
      Files.isWritable(Path.of("/dev/shm")) ? "/dev/shm" : "";

  /**
   * Checks every value.
   *
   * @param bindHost address or name that the listening socket binds to, IPv6 with or without
   *     brackets; empty for all addresses
   * @param advertisedHost host that peers are told; empty for the bound address, or this machine's
   *     own address when all are bound
   * @param firstPort first port that is tried; 0 for any free one
   * @param lastPort last port that is tried, not below the first
   * @param sendBufferBytes size of a socket's send buffer, 0 for the system's choice
   * @param receiveBufferBytes size of a socket's receive buffer, 0 for the system's choice
   * @param ringBytes bytes in flight per direction between two ranks of this host, a power of two
   * @param sharedMemory folder of a file system that lives in memory, for files that processes of
   *     this host share; empty to let them talk through sockets
   * @param handshakeTimeout how long an inbound connection may take to authenticate
   * @param parkTimeout how long an inbound connection waits for this process to learn the token,
   *     and an accepted lease for this process to join the communicator
   * @param idleTimeout how long a connection is kept that no rank at either end uses
   * @param maxPending how many inbound connections may have said nothing at once; 8 times as many
   *     may have said whom they call, and not yet proved that they know the token
   * @param maxParked how many accepted leases may wait for their ranks at once
   * @param maxIdlePerPeer how many idle dialed connections are kept per peer process, times those
   *     that two ranks have
   */
  public EndpointOptions {
    if (firstPort < 0 || lastPort < firstPort || lastPort > 65535) {
      throw new IllegalArgumentException(
          "ports " + firstPort + " to " + lastPort + " are no range within 0 to 65535");
    }
    if (sendBufferBytes < 0 || receiveBufferBytes < 0) {
      throw new IllegalArgumentException("a socket buffer has 0 bytes or more");
    }
    if (ringBytes < 1 || Integer.bitCount(ringBytes) != 1) {
      throw new IllegalArgumentException("a ring holds a power of two of bytes, not " + ringBytes);
    }
    positive("handshakeTimeout", handshakeTimeout);
    positive("parkTimeout", parkTimeout);
    positive("idleTimeout", idleTimeout);
    if (maxPending < 1 || maxParked < 1 || maxIdlePerPeer < 0) {
      throw new IllegalArgumentException(
          "at least one connection may be pending and one lease parked, and no fewer than 0 idle");
    }
  }

  private static void positive(String name, Duration duration) {
    if (duration.isNegative() || duration.isZero()) {
      throw new IllegalArgumentException(name + " is positive, not " + duration);
    }
  }

  /**
   * A builder that starts with the defaults.
   *
   * @return a new builder
   */
  public static Builder builder() {
    return new Builder();
  }

  /** Makes {@link EndpointOptions}; each method is named after the component that it sets. */
  public static final class Builder {
    private String bindHost = "";
    private String advertisedHost = "";
    private int firstPort;
    private int lastPort;
    private int sendBufferBytes;
    private int receiveBufferBytes;
    private int ringBytes = DEFAULT_RING_BYTES;
    private String sharedMemory = SHARED_MEMORY;
    private Duration handshakeTimeout = Duration.ofSeconds(10);
    private Duration parkTimeout = Duration.ofMinutes(1);
    private Duration idleTimeout = Duration.ofMinutes(2);
    private int maxPending = 512;
    private int maxParked = 65536;
    private int maxIdlePerPeer = 64;

    private Builder() {}

    /**
     * Sets the addresses.
     *
     * @param bind address or name to bind to, empty for all
     * @param advertised host that peers are told, empty for the bound one
     * @return this
     */
    public Builder hosts(String bind, String advertised) {
      bindHost = bind;
      advertisedHost = advertised;
      return this;
    }

    /**
     * Sets the ports to try.
     *
     * @param first the first, 0 for any free one
     * @param last the last
     * @return this
     */
    public Builder ports(int first, int last) {
      firstPort = first;
      lastPort = last;
      return this;
    }

    /**
     * Sets the buffers of sockets.
     *
     * @param send bytes, 0 for the system's choice
     * @param receive bytes, 0 for the system's choice
     * @return this
     */
    public Builder socketBuffers(int send, int receive) {
      sendBufferBytes = send;
      receiveBufferBytes = receive;
      return this;
    }

    /**
     * Sets the size of rings.
     *
     * @param bytes a power of two
     * @return this
     */
    public Builder ringBytes(int bytes) {
      ringBytes = bytes;
      return this;
    }

    /**
     * Sets where processes of this host share memory.
     *
     * @param folder a folder of a file system that lives in memory, empty for none
     * @return this
     */
    public Builder sharedMemory(String folder) {
      sharedMemory = folder;
      return this;
    }

    /**
     * Sets how long an inbound connection may take to authenticate.
     *
     * @param time positive
     * @return this
     */
    public Builder handshakeTimeout(Duration time) {
      handshakeTimeout = time;
      return this;
    }

    /**
     * Sets how long a connection waits for the token, and a lease for its communicator.
     *
     * @param time positive
     * @return this
     */
    public Builder parkTimeout(Duration time) {
      parkTimeout = time;
      return this;
    }

    /**
     * Sets how long a connection is kept that no rank at either end uses.
     *
     * @param time positive
     * @return this
     */
    public Builder idleTimeout(Duration time) {
      idleTimeout = time;
      return this;
    }

    /**
     * Sets how many inbound connections may have said nothing; 8 times as many may have said whom
     * they call, and not yet proved that they know the token.
     *
     * @param count 1 or more
     * @return this
     */
    public Builder maxPending(int count) {
      maxPending = count;
      return this;
    }

    /**
     * Sets how many accepted leases may wait for their ranks.
     *
     * @param count 1 or more
     * @return this
     */
    public Builder maxParked(int count) {
      maxParked = count;
      return this;
    }

    /**
     * Sets how many idle dialed connections are kept per peer process.
     *
     * @param count 0 or more
     * @return this
     */
    public Builder maxIdlePerPeer(int count) {
      maxIdlePerPeer = count;
      return this;
    }

    /**
     * Makes the settings.
     *
     * @return the settings
     * @throws IllegalArgumentException if one is out of range
     */
    public EndpointOptions build() {
      return new EndpointOptions(
          bindHost,
          advertisedHost,
          firstPort,
          lastPort,
          sendBufferBytes,
          receiveBufferBytes,
          ringBytes,
          sharedMemory,
          handshakeTimeout,
          parkTimeout,
          idleTimeout,
          maxPending,
          maxParked,
          maxIdlePerPeer);
    }
  }
}
