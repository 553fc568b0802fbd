package carillon.node;

import carillon.config.Settings;
import carillon.dispatch.egress.EgressPolicy;
import carillon.dispatch.egress.OwnEndpoints;
import carillon.redis.route.RedisLinkOptions;
import io.vertx.core.Vertx;
import io.vertx.core.net.HostAndPort;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Egress policy of the settings, with the addresses that it depends on.
 *
 * @param policy for every way out
 * @param listening the addresses of {@code http.host}
 * @param loopback whether loopback targets are allowed
 * @param entries number of entries in {@code egress.allow}
 */
record EgressSetup(
    EgressPolicy policy, List<InetAddress> listening, boolean loopback, int entries) {
  private static final int REDIS_PORT = 6379;

  /**
   * Looks up the addresses of Redis and the API. Blocks.
   *
   * @param own receives the address of Redis; that of the API is known when it listens
   */
  static EgressSetup resolve(Settings settings, OwnEndpoints own) {
    settings.redis().uri().stream()
        .filter(uri -> uri.getHost() != null)
        .forEach(uri -> own.add(uri.getHost(), addresses(uri.getHost()), port(uri)));
    List<InetAddress> listening = addresses(settings.http().host());
    boolean loopback = allowsLoopback(settings, listening);
    List<String> allow = settings.egress().allow();
    List<String> allowed =
        Stream.concat(allow.stream(), settings.queues().places().stream()).toList();
    return new EgressSetup(
        new EgressPolicy(allowed, loopback, own), listening, loopback, allow.size());
  }

  /**
   * Closes the servers of Redis that Sentinel and Cluster name, in the same way as those of the
   * settings.
   */
  static RedisLinkOptions.Discovery closeDiscovered(Vertx vertx, OwnEndpoints own) {
    Set<HostAndPort> known = ConcurrentHashMap.newKeySet();
    return (host, port) -> {
      if (known.add(HostAndPort.create(host, port))) {
        close(vertx, own, host, port);
      }
    };
  }

  /** Closes a server by its name immediately, and under every name when its addresses are known. */
  private static void close(Vertx vertx, OwnEndpoints own, String host, int port) {
    try {
      own.add(host, List.of(), port);
      vertx
          .executeBlocking(() -> addresses(host))
          .onSuccess(addresses -> own.add(host, addresses, port));
    } catch (IllegalArgumentException e) {
      // Not a host name: a server without a known name reports "?". Jobs cannot call it either.
    }
  }

  private static int port(URI uri) {
    return uri.getPort() < 0 ? REDIS_PORT : uri.getPort();
  }

  /** Returns the addresses of a host. None if it has none now: then the name itself counts. */
  static List<InetAddress> addresses(String host) {
    try {
      return List.of(InetAddress.getAllByName(host));
    } catch (UnknownHostException e) {
      return List.of();
    }
  }

  private static boolean allowsLoopback(Settings settings, List<InetAddress> listening) {
    return switch (settings.egress().loopback()) {
      case ALLOW -> true;
      case DENY -> false;
      case AUTO ->
          settings.redis().isEmbedded()
              && !settings.access().isRequired()
              && settings.http().names().isEmpty()
              && !listening.isEmpty()
              && listening.stream().allMatch(InetAddress::isLoopbackAddress);
    };
  }

  /** Describes the policy for the start line. */
  String describe() {
    String all = loopback ? "public, loopback" : "public";
    return entries == 0 ? all : all + ", " + entries + " of egress.allow";
  }
}
