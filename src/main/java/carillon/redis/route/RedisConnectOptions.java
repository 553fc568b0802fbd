package carillon.redis.route;

import carillon.config.RedisSettings;
import io.vertx.core.net.NetClientOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.redis.client.RedisOptions;
import java.net.URI;
import java.util.Optional;

/** Options of the Redis client for an address: scheme, credentials, TLS. */
public final class RedisConnectOptions {
  /** Maximum number of commands that wait for replies on one connection. */
  private static final int MAX_WAITING = 16_384;

  private final RedisLinkOptions setup;

  public RedisConnectOptions(RedisLinkOptions setup) {
    this.setup = setup;
  }

  /** A server that holds data, at the address that the operator gave. */
  public RedisOptions configured(URI uri) {
    return at(uri.toString()).setUser(user()).setPassword(password());
  }

  /** A server that holds data, at an address that Sentinel or Cluster gave. */
  RedisOptions found(HostPort address) {
    tell(address);
    String database = setup.uris().get(0).getPath();
    return at(address.uri(scheme()) + (database == null ? "" : database))
        .setUser(user())
        .setPassword(password());
  }

  /** Reports a server that Sentinel or Cluster has named. */
  void tell(HostPort address) {
    setup.discovery().found(address.host(), address.port());
  }

  /** A Sentinel: no database, and only the credentials that its own URI names. */
  RedisOptions sentinel(URI uri) {
    String user = uri.getRawUserInfo() == null ? "" : uri.getRawUserInfo() + "@";
    return at(scheme() + "://" + user + host(uri));
  }

  private static String host(URI uri) {
    String authority = uri.getRawAuthority();
    return authority.substring(authority.lastIndexOf('@') + 1);
  }

  /** The client reads a plus sign in a password as a space. */
  private static String plusKept(String uri) {
    int end = uri.lastIndexOf('@') + 1;
    return uri.substring(0, end).replace("+", "%2B") + uri.substring(end);
  }

  private RedisOptions at(String uri) {
    RedisOptions options =
        new RedisOptions().setConnectionString(plusKept(uri)).setMaxWaitingHandlers(MAX_WAITING);
    return uri.startsWith("rediss:") ? options.setNetClientOptions(tls()) : options;
  }

  private NetClientOptions tls() {
    RedisSettings.RedisTlsSettings tls = setup.settings().tls();
    NetClientOptions options =
        new NetClientOptions()
            .setSsl(true)
            .setHostnameVerificationAlgorithm(tls.verifyHost() ? "HTTPS" : "");
    if (!tls.trustedCa().isEmpty()) {
      options.setTrustOptions(new PemTrustOptions().addCertPath(tls.trustedCa()));
    }
    if (!tls.certificate().isEmpty()) {
      options.setKeyCertOptions(
          new PemKeyCertOptions().addCertPath(tls.certificate()).addKeyPath(tls.key()));
    }
    return options;
  }

  private String scheme() {
    return setup.uris().get(0).getScheme();
  }

  /** Returns the user; null if there is none. */
  private String user() {
    return nullIfEmpty(
        setup.settings().user().isEmpty() && setup.password().isEmpty()
            ? named(0)
            : setup.settings().user());
  }

  private String password() {
    return nullIfEmpty(setup.password().isEmpty() ? named(1) : setup.password());
  }

  private static String nullIfEmpty(String text) {
    return text.isEmpty() ? null : text;
  }

  /** A part of {@code user:password} in the first URI that has it. */
  private String named(int part) {
    return setup.uris().stream()
        .map(URI::getUserInfo)
        .flatMap(info -> Optional.ofNullable(info).stream())
        .map(info -> info.split(":", 2))
        .filter(parts -> parts.length > part)
        .map(parts -> parts[part])
        .findFirst()
        .orElse("");
  }
}
