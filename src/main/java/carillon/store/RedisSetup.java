package carillon.store;

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
 */
public record RedisSetup(
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

  public RedisSetup {
    uris = List.copyOf(uris);
  }

  /** One server, with nothing asked of it. */
  public static RedisSetup standalone(URI uri, Duration commandTimeout, Duration reconnectMax) {
    return new RedisSetup(
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
  RedisSetup confirming() {
    return new RedisSetup(
        mode,
        uris,
        masterName,
        user,
        password,
        tls,
        durability,
        durability == Durability.REPLICA,
        commandTimeout,
        reconnectMax);
  }

  @Override
  public String toString() {
    return "RedisSetup[" + mode + ", " + durability + "]";
  }
}
