package carillon.dispatch.egress;

import io.vertx.core.Future;
import io.vertx.core.net.SocketAddress;
import java.util.List;

/**
 * Check of an outgoing connection: returns the allowed addresses of a host. Before a connection to
 * the host of a job, the caller asks here and connects to the answer, never to the name. Otherwise
 * the name could resolve to another address than the checked one. Host header, TLS server name and
 * the name in the certificate stay those of the host.
 *
 * <p>Confined to the event loop that made it. Callers must not keep an answer longer than one
 * connection attempt needs. They ask again for the next one; answers are cached where that is
 * right.
 */
@FunctionalInterface
public interface Egress {
  /**
   * The addresses to connect to, each to be tried when nothing listens at those before it.
   *
   * @param host name or literal address, an IPv6 one with or without brackets
   * @param port 1 to 65535
   * @return at least one IP address with the port; fails with {@link EgressException} when the
   *     policy allows none of the host's addresses, and with {@link java.net.UnknownHostException}
   *     when the host has none or cannot be looked up
   */
  Future<List<SocketAddress>> checkAll(String host, int port);

  /** The first of the addresses to connect to; fails as {@link #checkAll} does. */
  default Future<SocketAddress> check(String host, int port) {
    return checkAll(host, port).map(addresses -> addresses.get(0));
  }
}
