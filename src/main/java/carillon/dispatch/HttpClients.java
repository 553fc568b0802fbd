package carillon.dispatch;

import carillon.config.DispatchSettings;
import carillon.job.HttpTarget;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.TrustOptions;
import java.time.Duration;
import java.util.Optional;

/**
 * Connections to targets: HTTP/1.1 where the scheme is http; where it is https HTTP/2 or HTTP/1.1,
 * as the target prefers (ALPN). Each connection carries one call at a time, over HTTP/2 too: so the
 * bound on connections is the bound on calls whatever a target speaks (the pool has one bound for
 * each version, and keeps to the smaller of them while it does not know), and a target that ends a
 * connection ends one call. Confined to the event loop that made it.
 */
final class HttpClients {
  private static final Duration CONNECT = Duration.ofSeconds(10);

  private final HttpClient plain;
  private final HttpClient secure;

  HttpClients(Vertx vertx, DispatchSettings settings) {
    PoolOptions pool =
        new PoolOptions()
            .setHttp1MaxSize(settings.maxPerDestination())
            .setHttp2MaxSize(settings.maxPerDestination())
            .setMaxWaitQueueSize(settings.maxInFlight());
    plain = vertx.createHttpClient(options(settings), pool);
    secure =
        vertx.createHttpClient(
            options(settings)
                .setUseAlpn(true)
                .setProtocolVersion(HttpVersion.HTTP_2)
                .setHttp2MultiplexingLimit(1),
            pool);
  }

  private static HttpClientOptions options(DispatchSettings settings) {
    HttpClientOptions options =
        new HttpClientOptions()
            .setConnectTimeout((int) Math.min(CONNECT.toMillis(), settings.timeout().toMillis()))
            .setDecompressionSupported(false)
            .setTcpNoDelay(true);
    trust(settings).ifPresent(options::setTrustOptions);
    return options;
  }

  /** Whom certificates are trusted by; empty for those that Java trusts. */
  static Optional<TrustOptions> trust(DispatchSettings settings) {
    return settings.trustedCa().isEmpty()
        ? Optional.empty()
        : Optional.of(new PemTrustOptions().addCertPath(settings.trustedCa()));
  }

  HttpClient to(HttpTarget target) {
    return target.secure() ? secure : plain;
  }

  Future<Void> close() {
    return Future.join(plain.close(), secure.close()).mapEmpty();
  }
}
