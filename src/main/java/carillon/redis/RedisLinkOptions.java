package carillon.redis;

import java.net.URI;
import java.time.Duration;
import java.util.List;

/**
 * How to reach Redis, and what it must be like.
 *
 * @param uris of the server in mode standalone, of the Sentinels in mode sentinel, of some of the
 *     nodes in mode cluster; one with scheme {@code rediss} means TLS for all
 * @param masterName under which the Sentinels know the master
 * @param user of the servers that hold data, where the URI names none; empty for the default user
 * @param password likewise
 * @param isConfirming whether writes are answered only when a replica has them
 * @param commandTimeout for each command, and for connecting
 * @param reconnectMax longest pause between two attempts to connect
 * @param discovery is told of servers
 * @param observer is told what happens on the connections
 */
public record RedisLinkOptions(
    Mode mode,
    List<URI> uris,
    String masterName,
    String user,
    String password,
    Tls tls,
    Durability durability,
    boolean isConfirming,
    Duration commandTimeout,
    Duration reconnectMax,
    Discovery discovery,
    RedisObserver observer) {

  /** Where it is said which servers there are that the operator did not name. */
  @FunctionalInterface
  public interface Discovery {
    /**
     * Sentinel or Cluster has named a server, maybe not for the first time. On any event loop.
     *
     * @param host name or address, an IPv6 one without brackets
     */
    void found(String host, int port);
  }

  /** How Redis is deployed. */
  public enum Mode {
    STANDALONE,
    SENTINEL,
    CLUSTER
  }

  /**
   * How to check servers, and what to show them, where the URI says TLS.
   *
   * @param trustedCa PEM file; empty for the certificates that Java trusts
   * @param certificate PEM file with this client's certificate; empty for none
   * @param key PEM file with its key
   * @param verifyHost whether the server's certificate must be for the host that is connected to
   */
  public record Tls(String trustedCa, String certificate, String key, boolean verifyHost) {
    /** What Java trusts, and no certificate of our own. */
    public static final Tls PLAIN = new Tls("", "", "", true);
  }

  public RedisLinkOptions {
    uris = List.copyOf(uris);
  }

  /** Nobody is told of servers, nor of what happens. */
  public RedisLinkOptions(
      Mode mode,
      List<URI> uris,
      String masterName,
      String user,
      String password,
      Tls tls,
      Durability durability,
      boolean isConfirming,
      Duration commandTimeout,
      Duration reconnectMax) {
    this(
        mode,
        uris,
        masterName,
        user,
        password,
        tls,
        durability,
        isConfirming,
        commandTimeout,
        reconnectMax,
        (host, port) -> {},
        RedisObserver.NONE);
  }

  /** One server, with nothing asked of it. */
  public static RedisLinkOptions standalone(
      URI uri, Duration commandTimeout, Duration reconnectMax) {
    return new RedisLinkOptions(
        Mode.STANDALONE,
        List.of(uri),
        "",
        "",
        "",
        Tls.PLAIN,
        Durability.ANY,
        false,
        commandTimeout,
        reconnectMax);
  }

  /**
   * The same for those who answer clients: at level {@link Durability#REPLICA} what they accept is
   * confirmed.
   */
  public RedisLinkOptions confirming() {
    return with(durability == Durability.REPLICA, discovery, observer);
  }

  /** The same, and this one is told of servers. */
  public RedisLinkOptions telling(Discovery discovery) {
    return with(isConfirming, discovery, observer);
  }

  /** The same, and this one is told what happens on the connections. */
  public RedisLinkOptions watchedBy(RedisObserver observer) {
    return with(isConfirming, discovery, observer);
  }

  private RedisLinkOptions with(boolean isConfirming, Discovery discovery, RedisObserver observer) {
    return new RedisLinkOptions(
        mode,
        uris,
        masterName,
        user,
        password,
        tls,
        durability,
        isConfirming,
        commandTimeout,
        reconnectMax,
        discovery,
        observer);
  }

  @Override
  public String toString() {
    return "RedisSetup[" + mode + ", " + durability + "]";
  }
}
