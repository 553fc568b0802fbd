package carillon.config;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Section {@code redis}: the Redis that holds everything. May hold passwords: {@code toString}
 * shows addresses only.
 */
public record RedisSettings(
    @Setting(secret = true, hint = "redis://host:port, rediss://host:port or unix:///path")
        List<URI> uri,
    Mode mode,
    String masterName,
    String user,
    @Setting(secret = true) String password,
    String passwordFile,
    RedisTlsSettings tls,
    Durability durability,
    String prefix,
    Duration commandTimeout,
    Duration reconnectMax) {
  private static final Set<String> SCHEMES = Set.of("redis", "rediss", "unix");

  /** Deployment of Redis. */
  public enum Mode {
    STANDALONE,
    SENTINEL,
    CLUSTER
  }

  /**
   * Durability of an accepted change (one that was answered 2xx) when something fails. Each level
   * includes the ones before it; all but the first are enforced: a server that does not give the
   * level is not used.
   */
  public enum Durability {
    /** Any durability of Redis; it is only reported. */
    ANY,
    /**
     * Append-only file, forced to the disk every second: a power failure can cost two seconds of
     * changes.
     */
    EVERYSEC,
    /** Append-only file, forced to the disk before each answer. */
    FSYNC,
    /**
     * Append-only file, forced to the disk before each answer, and a replica has each accepted
     * change before it is answered ({@code WAIT}). A master that has lost its replicas refuses
     * writes ({@code min-replicas-to-write}).
     */
    REPLICA;

    /** Returns the level as it is written in the settings. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public RedisSettings {
    uri = List.copyOf(uri);
    new SettingRules("redis")
        .require(
            uri.stream().allMatch(RedisSettings::isAddress),
            "uri",
            addresses(uri),
            "must be redis://host:port, rediss://host:port (TLS) or unix:///path")
        .require(
            mode != Mode.STANDALONE || uri.size() <= 1,
            "uri",
            addresses(uri),
            "must be one address in mode standalone",
            "redis.mode")
        .require(
            mode == Mode.STANDALONE || (!uri.isEmpty() && isNetwork(uri)),
            "uri",
            addresses(uri),
            "must be one or more host:port, all redis:// or all rediss://, in modes sentinel and"
                + " cluster",
            "redis.mode")
        .require(
            mode == Mode.SENTINEL || masterName.isEmpty(),
            "masterName",
            masterName,
            "must be empty unless redis.mode is sentinel",
            "redis.mode")
        .require(
            mode != Mode.SENTINEL || !masterName.isEmpty(),
            "masterName",
            masterName,
            "must be the name under which the Sentinels know the master",
            "redis.mode")
        .require(
            password.isEmpty() || passwordFile.isEmpty(),
            "passwordFile",
            passwordFile,
            "must be empty when redis.password is given",
            "redis.password")
        .readable("passwordFile", passwordFile)
        .require(
            durability != Durability.REPLICA || !uri.isEmpty(),
            "durability",
            durability.word(),
            "needs a Redis with replicas: the embedded one gives everysec or fsync",
            "redis.uri")
        .name("prefix", prefix)
        .require(
            !prefix.endsWith("-queue"),
            "prefix",
            prefix,
            "must not end with -queue: the keys of queues that jobs fill do")
        .between("commandTimeout", commandTimeout, ofMillis(50), ofMinutes(1))
        .between("reconnectMax", reconnectMax, ofMillis(10), ofMinutes(1))
        .check();
  }

  /** Returns the default settings. */
  static RedisSettings defaults() {
    return new RedisSettings(
        List.of(),
        Mode.STANDALONE,
        "",
        "",
        "",
        "",
        new RedisTlsSettings("", "", "", true),
        Durability.ANY,
        "carillon",
        ofSeconds(2),
        ofMillis(500));
  }

  /**
   * Section {@code redis.tls}: how to check servers with rediss addresses, and the certificate for
   * them.
   *
   * @param trustedCa PEM file; empty for what Java trusts
   * @param certificate PEM file, empty for none
   * @param key PEM file of the certificate's key
   */
  public record RedisTlsSettings(
      String trustedCa, String certificate, String key, boolean verifyHost) {
    public RedisTlsSettings {
      new SettingRules("redis.tls")
          .readable("trustedCa", trustedCa)
          .keyPair(certificate, key)
          .check();
    }
  }

  /** Whether Carillon starts its own Redis. */
  public boolean isEmbedded() {
    return uri.isEmpty();
  }

  @Override
  public String toString() {
    return "Redis[uri=%s, mode=%s, durability=%s, prefix=%s, commandTimeout=%s, reconnectMax=%s]"
        .formatted(addresses(uri), mode, durability, prefix, commandTimeout, reconnectMax);
  }

  private static boolean isAddress(URI uri) {
    String scheme = uri.getScheme() == null ? "" : uri.getScheme();
    boolean local = scheme.equals("unix");
    return SCHEMES.contains(scheme)
        && (local
            ? uri.getPath() != null && uri.getPath().length() > 1
            : uri.getAuthority() != null);
  }

  private static boolean isNetwork(List<URI> uris) {
    return uris.stream().allMatch(uri -> uri.getHost() != null && uri.getPort() > 0)
        && uris.stream().map(URI::getScheme).distinct().count() == 1;
  }

  /** Returns scheme, host, port and path, and no part that could be a password. */
  private static List<String> addresses(List<URI> uris) {
    return uris.stream().map(uri -> isAddress(uri) ? address(uri) : "(hidden)").toList();
  }

  private static String address(URI uri) {
    String authority = uri.getRawAuthority() == null ? "" : uri.getRawAuthority();
    String host = authority.substring(authority.lastIndexOf('@') + 1);
    return uri.getScheme() + "://" + host + uri.getRawPath();
  }
}
