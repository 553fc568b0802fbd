package carillon.dispatch.egress;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.List;
import java.util.stream.Stream;

/**
 * The endpoints at which this Carillon and its Redis listen. Jobs may not call them: a job that
 * makes jobs is a loop, and Redis holds everything. What listens on one address of this machine is
 * taken to listen on all of them. Filled at start, and when Sentinel or Cluster names servers of
 * Redis; thread-safe.
 */
public final class OwnEndpoints {
  private volatile List<Endpoint> endpoints = List.of();

  private record Endpoint(String host, List<InetAddress> addresses, int port) {}

  /**
   * Adds an endpoint, unless it is known.
   *
   * @param host as it is configured
   * @param addresses that it resolves to now
   */
  public synchronized void add(String host, List<InetAddress> addresses, int port) {
    Endpoint endpoint = new Endpoint(Host.parse(host).text(), List.copyOf(addresses), port);
    if (!endpoints.contains(endpoint)) {
      endpoints = Stream.concat(endpoints.stream(), Stream.of(endpoint)).toList();
    }
  }

  boolean cover(Host host, InetAddress address, int port) {
    for (Endpoint endpoint : endpoints) {
      if (endpoint.port == port && (endpoint.host.equals(host.text()) || isAt(endpoint, address))) {
        return true;
      }
    }
    return false;
  }

  private static boolean isAt(Endpoint endpoint, InetAddress address) {
    return endpoint.addresses.contains(address)
        || (isOfThisMachine(address)
            && endpoint.addresses.stream().anyMatch(OwnEndpoints::isOfThisMachine));
  }

  /** Asks the system, which is quick, and asked only for the ports in question. */
  private static boolean isOfThisMachine(InetAddress address) {
    try {
      return address.isAnyLocalAddress()
          || address.isLoopbackAddress()
          || NetworkInterface.getByInetAddress(address) != null;
    } catch (SocketException e) {
      return true; // unknown is closed
    }
  }
}
