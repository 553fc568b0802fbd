package carillon.redis.route;

import carillon.config.RedisSettings;
import carillon.config.RedisSettings.Durability;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;

/**
 * Options of a connection to Redis.
 *
 * @param uris the server in mode standalone, the Sentinels in mode sentinel, some of the nodes in
 *     mode cluster; one with scheme {@code rediss} means TLS for all
 * @param password password of the servers that hold data, if the URI has none
 * @param isConfirming whether writes are answered only when a replica has them
 * @param discovery learns of servers
 * @param observer learns of events on the connections
 * @param patience patience with an unavailable Redis when a link is opened; asked again before each
 *     attempt
 */
public record RedisLinkOptions(
    RedisSettings settings,
    List<URI> uris,
    String password,
    boolean isConfirming,
    Discovery discovery,
    RedisObserver observer,
    Supplier<Patience> patience) {

  /** Patience with a Redis that is away when a link is opened. */
  public enum Patience {
    /** A refusal ends it; a silent Redis is asked again for half a minute. */
    BRIEF,
    /** A start waits until Redis is back. */
    ENDLESS,
    /** The link is no longer needed. */
    NONE
  }

  /** Listener to servers that the operator did not name. */
  @FunctionalInterface
  public interface Discovery {
    /**
     * Receives a server that Sentinel or Cluster has named, possibly not for the first time. Runs
     * on any event loop.
     *
     * @param host name or address, an IPv6 one without brackets
     */
    void found(String host, int port);
  }

  public RedisLinkOptions {
    uris = List.copyOf(uris);
  }

  /**
   * Returns options for a Redis that may be elsewhere than the settings say, such as the embedded
   * one. They have no listener to servers or events. Reads the password file, if there is one:
   * blocks.
   */
  public static RedisLinkOptions of(RedisSettings settings, List<URI> uris) {
    return new RedisLinkOptions(
        settings,
        uris,
        password(settings),
        false,
        (host, port) -> {},
        RedisObserver.NONE,
        () -> Patience.BRIEF);
  }

  private static String password(RedisSettings settings) {
    if (settings.passwordFile().isEmpty()) {
      return settings.password();
    }
    try {
      return Files.readString(Path.of(settings.passwordFile())).strip();
    } catch (IOException e) {
      throw new UncheckedIOException("redis.passwordFile cannot be read: " + e.getMessage(), e);
    }
  }

  /**
   * Returns these options for accepting changes of clients: at level {@link Durability#REPLICA} a
   * replica confirms each of them.
   */
  public RedisLinkOptions confirming() {
    return new RedisLinkOptions(
        settings,
        uris,
        password,
        settings.durability() == Durability.REPLICA,
        discovery,
        observer,
        patience);
  }

  /** Returns these options with other listeners. */
  public RedisLinkOptions telling(Discovery discovery, RedisObserver observer) {
    return new RedisLinkOptions(
        settings, uris, password, isConfirming, discovery, observer, patience);
  }

  /** Returns these options with another patience. Its supplier is called on any event loop. */
  public RedisLinkOptions waiting(Supplier<Patience> patience) {
    return new RedisLinkOptions(
        settings, uris, password, isConfirming, discovery, observer, patience);
  }

  @Override
  public String toString() {
    return "RedisLinkOptions[" + settings.mode() + ", " + settings.durability() + "]";
  }
}
