package carillon.node;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.List;

/**
 * Number of event loops of a node, each with an instance of the API and of the dispatcher. It is
 * one for each processor, but leaves one processor to Redis if that is on the same machine. More
 * loops would only take turns: they wake each other, send less at a time to Redis, and drive its
 * data out of the caches.
 */
final class EventLoops {
  private EventLoops() {}

  /**
   * The number that the settings say, or the one for this machine.
   *
   * @param configured {@code node.eventLoops}; 0 leaves the choice to the machine
   * @param isRedisHere whether Redis is on this machine
   * @param processors that the program may use
   */
  static int count(int configured, boolean isRedisHere, int processors) {
    return configured > 0 ? configured : Math.max(1, isRedisHere ? processors - 1 : processors);
  }

  /**
   * Whether one of the servers is on this machine, judged by its address. Looks names up: blocks.
   */
  static boolean isHere(List<URI> servers) {
    return servers.stream().anyMatch(EventLoops::isHere);
  }

  private static boolean isHere(URI server) {
    if (server.getHost() == null) {
      return "unix".equals(server.getScheme());
    }
    try {
      InetAddress address = InetAddress.getByName(server.getHost());
      return address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
    } catch (UnknownHostException | SocketException e) {
      return false; // the connection says what is wrong
    }
  }
}
