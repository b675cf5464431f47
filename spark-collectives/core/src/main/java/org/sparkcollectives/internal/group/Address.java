package org.sparkcollectives.internal.group;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.sparkcollectives.internal.transport.Lookup;
import org.sparkcollectives.transport.Deadline;

/**
 * A host and a port.
 *
 * @param host a name or an address, IPv6 without brackets
 * @param port 0 to 65535
 */
public record Address(String host, int port) {
  private static final int LAST_PORT = 65_535;

  /** Either an IPv6 address in brackets or something without colons; then the port. */
  private static final Pattern FORM =
      Pattern.compile("(?:\\[([0-9A-Fa-f:.]*:[^\\s/@\\[\\]]*)]|([^\\s/@:\\[\\]]+)):([0-9]{1,5})");

  /**
   * Reads an address.
   *
   * @param text {@code host:port}, an IPv6 address in brackets
   * @return the address
   * @throws org.sparkcollectives.error.InvalidInputException if it has another form
   */
  public static Address parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      throw GroupErrors.malformedAddress(text);
    }
    int port = Integer.parseInt(matcher.group(3));
    if (port > LAST_PORT) {
      throw GroupErrors.malformedAddress(text);
    }
    String bracketed = matcher.group(1);
    return new Address(bracketed == null ? matcher.group(2) : bracketed, port);
  }

  /**
   * Where a socket is.
   *
   * @param bound its address
   * @return the address in numbers
   */
  static Address of(InetSocketAddress bound) {
    return new Address(bound.getAddress().getHostAddress(), bound.getPort());
  }

  /**
   * Asks for the numbers behind the name.
   *
   * @param lookup whom
   * @param deadline until when
   * @return one at least
   * @throws IOException if the name is unknown, or not known in time
   */
  InetAddress[] resolve(Lookup lookup, Deadline deadline) throws IOException {
    try {
      return lookup.addresses(host, deadline);
    } catch (UnknownHostException e) {
      throw new IOException("no address is known for the host '" + host + "'", e);
    }
  }

  /** {@code host:port}, an IPv6 address in brackets. */
  @Override
  public String toString() {
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
  }
}
