package carillon.dispatch.http;

import carillon.config.DispatchSettings;
import carillon.job.action.HttpTarget;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.TrustOptions;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Connections to targets: HTTP/1.1 for http, and HTTP/2 or HTTP/1.1 for https, as the target
 * prefers (ALPN). Each connection carries one call at a time, also over HTTP/2. So the bound on
 * connections is the bound on calls for any version, and a target that ends a connection ends one
 * call. The pool has one bound for each version, and applies the smaller one until it knows the
 * version. Confined to the event loop that made it.
 */
final class HttpClients {
  private static final Duration CONNECT = Duration.ofSeconds(10);
  private static final Duration IDLE_CHECK = Duration.ofSeconds(1);

  private final HttpClient plain;
  private final HttpClient secure;
  private final Vertx vertx;
  private final int maxResponse;
  private final IdleConnections idle;
  private final long idleTimer;

  HttpClients(Vertx vertx, InstantSource clock, DispatchSettings settings) {
    this.vertx = vertx;
    this.maxResponse = settings.maxResponse();
    int loops = Math.max(1, vertx.getOrCreateContext().getInstanceCount());
    this.idle = new IdleConnections(clock, Math.max(1, 2 * settings.maxInFlight() / loops));
    this.idleTimer = vertx.setPeriodic(IDLE_CHECK.toMillis(), id -> idle.closeOld());
    PoolOptions pool =
        new PoolOptions()
            .setHttp1MaxSize(settings.maxPerDestination())
            .setHttp2MaxSize(settings.maxPerDestination())
            .setMaxWaitQueueSize(settings.maxInFlight());
    plain = client(options(settings), pool);
    secure =
        client(
            options(settings)
                .setUseAlpn(true)
                .setProtocolVersion(HttpVersion.HTTP_2)
                .setInitialSettings(new Http2Settings().setPushEnabled(false))
                .setHttp2MultiplexingLimit(1),
            pool);
  }

  private HttpClient client(HttpClientOptions options, PoolOptions pool) {
    return vertx
        .httpClientBuilder()
        .with(options)
        .with(pool)
        .withConnectHandler(this::opened)
        .build();
  }

  private void opened(HttpConnection connection) {
    ConnectionGuard guard = ConnectionGuard.set(connection, maxResponse);
    connection.closeHandler(closed -> idle.remove(guard));
    idle.add(guard);
  }

  /**
   * A call is about to be sent on a connection.
   *
   * @param look see {@link ConnectionGuard#call}
   */
  ConnectionGuard begin(HttpConnection connection, BooleanSupplier look) {
    ConnectionGuard guard = ConnectionGuard.of(connection);
    idle.remove(guard);
    guard.call(look);
    return guard;
  }

  /** The call has ended; the connection may have as well. */
  void end(ConnectionGuard guard) {
    if (guard.isOpen()) {
      idle.add(guard);
    }
  }

  private static HttpClientOptions options(DispatchSettings settings) {
    HttpClientOptions options =
        new HttpClientOptions()
            .setConnectTimeout((int) Math.min(CONNECT.toMillis(), settings.timeout().toMillis()))
            .setKeepAliveTimeout((int) IdleConnections.MAX_IDLE.toSeconds())
            .setHttp2KeepAliveTimeout((int) IdleConnections.MAX_IDLE.toSeconds())
            .setDecompressionSupported(false)
            .setTcpNoDelay(true);
    trust(settings).ifPresent(options::setTrustOptions);
    return options;
  }

  /** Returns the trusted authorities of the settings; empty for those that Java trusts. */
  static Optional<TrustOptions> trust(DispatchSettings settings) {
    return settings.trustedCa().isEmpty()
        ? Optional.empty()
        : Optional.of(new PemTrustOptions().addCertPath(settings.trustedCa()));
  }

  HttpClient to(HttpTarget target) {
    return target.secure() ? secure : plain;
  }

  Future<Void> close() {
    vertx.cancelTimer(idleTimer);
    return Future.join(plain.close(), secure.close()).mapEmpty();
  }

  /**
   * Connections to targets that no call uses. Each is kept for {@link #MAX_IDLE}, for any
   * keep-alive time that the target gives. Beyond a given number, the one with the longest idle
   * time is closed. Confined to an event loop.
   */
  private static final class IdleConnections {
    static final Duration MAX_IDLE = Duration.ofSeconds(10);

    private final InstantSource clock;
    private final int max;

    /** Idle connections and the start of their idle time, the longest first. */
    private final Map<ConnectionGuard, Instant> since = new LinkedHashMap<>();

    IdleConnections(InstantSource clock, int max) {
      this.clock = clock;
      this.max = max;
    }

    /** Adds a connection when it was opened or its call has ended. */
    void add(ConnectionGuard connection) {
      since.put(connection, clock.instant());
      if (since.size() > max) {
        Iterator<ConnectionGuard> oldest = since.keySet().iterator();
        ConnectionGuard surplus = oldest.next();
        oldest.remove();
        surplus.close();
      }
    }

    /** A call uses it, or it has ended. */
    void remove(ConnectionGuard connection) {
      since.remove(connection);
    }

    /** Closes connections that have been idle for too long. */
    void closeOld() {
      Instant limit = clock.instant().minus(MAX_IDLE);
      since.entrySet().stream()
          .takeWhile(entry -> !entry.getValue().isAfter(limit))
          .map(Map.Entry::getKey)
          .toList()
          .forEach(ConnectionGuard::close);
    }
  }
}
