package carillon.dispatch.servicebus;

import carillon.dispatch.egress.Egress;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.VertxException;
import io.vertx.core.net.PemTrustOptions;
import io.vertx.core.net.SocketAddress;
import io.vertx.proton.ProtonClient;
import io.vertx.proton.ProtonClientOptions;
import io.vertx.proton.ProtonConnection;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.qpid.proton.message.Message;

/**
 * A connection to a broker under one key, shared by all messages for it. Confined to the event loop
 * that opened it.
 */
final class BusConnection {
  private static final Duration TOKEN_LIFE = Duration.ofHours(1);

  /** Age from which a connection takes no new message, long before its tokens expire. */
  private static final Duration LIFE = Duration.ofMinutes(50);

  /** Time to wait for the answer to a token. A missing answer must not hold up the next tokens. */
  private static final long TOKEN_PATIENCE_MS = 10_000;

  private final ProtonConnection connection;
  private final BrokerAddress broker;
  private final InstantSource clock;
  private final int window;
  private final Instant retiresAt;
  private final Map<String, Future<BusSender>> senders = new HashMap<>();
  private final Promise<Void> gone = Promise.promise();
  private Future<Void> authorizing = Future.succeededFuture();
  private final Set<Promise<Void>> underWay = new HashSet<>();
  private boolean closesWhenIdle;
  private long idleSince = System.nanoTime();

  private BusConnection(
      ProtonConnection connection, BrokerAddress broker, InstantSource clock, int window) {
    this.connection = connection;
    this.broker = broker;
    this.clock = clock;
    this.window = window;
    this.retiresAt = clock.instant().plus(LIFE);
  }

  /**
   * Options of new connections.
   *
   * @param window maximum number of unacknowledged messages of a link
   * @param trustedCa PEM file, empty for the platform's authorities
   * @param timeout for connecting
   */
  record Options(
      Vertx vertx,
      Egress egress,
      InstantSource clock,
      int window,
      String trustedCa,
      Duration timeout) {}

  /** Connects to an address that is allowed, authenticates, and opens. */
  static Future<BusConnection> open(Options options, BrokerAddress broker) {
    return options
        .egress()
        .check(broker.host(), broker.port())
        .compose(address -> connect(options, broker, address))
        .compose(
            connected ->
                opened(connected, options.timeout())
                    .map(
                        open -> {
                          BusConnection bus =
                              new BusConnection(open, broker, options.clock(), options.window());
                          bus.watch();
                          return bus;
                        }));
  }

  private static Future<ProtonConnection> connect(
      Options options, BrokerAddress broker, SocketAddress address) {
    Promise<ProtonConnection> connected = Promise.promise();
    String host = address.hostAddress() == null ? address.host() : address.hostAddress();
    ProtonClient client = ProtonClient.create(options.vertx());
    ProtonClientOptions clientOptions = clientOptions(options, broker, host);
    if (broker.usesTokens()) {
      client.connect(clientOptions, host, address.port(), completing(connected));
    } else {
      client.connect(
          clientOptions,
          host,
          address.port(),
          broker.key().name(),
          broker.key().key().text(),
          completing(connected));
    }
    return connected.future();
  }

  /** A peer that falls silent is noticed by the heartbeat, even before there is one. */
  private static ProtonClientOptions clientOptions(
      Options options, BrokerAddress broker, String address) {
    ProtonClientOptions client = new ProtonClientOptions();
    client.setHeartbeat(10_000);
    client.setConnectTimeout((int) options.timeout().toMillis());
    client.setIdleTimeout(30).setIdleTimeoutUnit(TimeUnit.SECONDS);
    client.addEnabledSaslMechanism(broker.usesTokens() ? "ANONYMOUS" : "PLAIN");
    if (!broker.host().equals(address)) {
      client.setVirtualHost(broker.host());
    }
    if (broker.isTls()) {
      client.setSsl(true).setHostnameVerificationAlgorithm("HTTPS");
      if (!options.trustedCa().isEmpty()) {
        client.setTrustOptions(new PemTrustOptions().addCertPath(options.trustedCa()));
      }
    }
    return client;
  }

  private static Future<ProtonConnection> opened(ProtonConnection connection, Duration timeout) {
    Promise<ProtonConnection> opened = Promise.promise();
    connection
        .openHandler(completing(opened))
        .closeHandler(closed -> opened.tryFail(BrokerException.of(connection.getRemoteCondition())))
        .disconnectHandler(lost -> opened.tryFail(lost()))
        .open();
    return opened
        .future()
        .timeout(timeout.toMillis(), TimeUnit.MILLISECONDS)
        .onFailure(failure -> connection.disconnect());
  }

  private void watch() {
    connection.closeHandler(closed -> end(BrokerException.of(connection.getRemoteCondition())));
    connection.disconnectHandler(lost -> end(lost()));
  }

  private static VertxException lost() {
    return new VertxException("the connection was closed", true);
  }

  /** Returns a future that completes when this connection has ended. */
  Future<Void> gone() {
    return gone.future();
  }

  boolean isBusy() {
    return !underWay.isEmpty();
  }

  /** Whether a new message is better sent on another connection. */
  boolean isRetired() {
    return gone.future().isComplete()
        || (broker.usesTokens() && !clock.instant().isBefore(retiresAt));
  }

  boolean isIdleFor(Duration time) {
    return !isBusy() && System.nanoTime() - idleSince >= time.toNanos();
  }

  /**
   * Sends a message to a queue or topic.
   *
   * @param check and {@code outcome}: as {@link BusSender#send} has them
   */
  void send(String path, Message message, Runnable check, Promise<Void> outcome) {
    underWay.add(outcome);
    outcome
        .future()
        .onComplete(
            done -> {
              underWay.remove(outcome);
              idleSince = System.nanoTime();
              if (closesWhenIdle) {
                closeWhenIdle();
              }
            });
    sender(path)
        .onSuccess(
            sender -> {
              if (!outcome.future().isComplete()) {
                sender.send(message, check, outcome);
              }
            })
        .onFailure(outcome::tryFail);
  }

  private Future<BusSender> sender(String path) {
    Future<BusSender> known = senders.get(path);
    if (known != null) {
      return known;
    }
    Future<BusSender> opening =
        authorize(path)
            .compose(
                granted ->
                    BusSender.open(
                        connection.createSender(path), window, () -> senders.remove(path)));
    senders.put(path, opening);
    opening.onFailure(failure -> senders.remove(path, opening));
    return opening;
  }

  /**
   * Authorizes a path. Requests run one at a time, because a connection has one pair of links for
   * tokens.
   */
  private Future<Void> authorize(String path) {
    if (!broker.usesTokens()) {
      return Future.succeededFuture();
    }
    String audience = broker.audience(path);
    authorizing =
        authorizing
            .otherwiseEmpty()
            .compose(
                before ->
                    TokenRequest.put(
                        connection,
                        audience,
                        SharedAccessToken.sign(
                            audience, broker.key(), clock.instant().plus(TOKEN_LIFE))))
            .timeout(TOKEN_PATIENCE_MS, TimeUnit.MILLISECONDS);
    return authorizing;
  }

  /** A message got no answer in time: the next ones take a new link. */
  void doubt(String path) {
    Future<BusSender> sender = senders.remove(path);
    if (sender != null) {
      sender.onSuccess(BusSender::retire);
    }
  }

  /** Closes it once every message on it has its outcome; each has by its time-out. */
  void closeWhenIdle() {
    closesWhenIdle = true;
    if (!isBusy()) {
      close();
    }
  }

  /** Closes it in good order. */
  void close() {
    connection.close();
    end(lost());
  }

  private void end(Throwable cause) {
    if (gone.tryComplete()) {
      senders.clear();
      Set.copyOf(underWay).forEach(outcome -> outcome.tryFail(cause));
      connection.disconnect();
    }
  }

  /** Returns a handler that completes a promise with the outcome, as the library reports it. */
  static <T> Handler<AsyncResult<T>> completing(Promise<T> promise) {
    return outcome -> {
      if (outcome.succeeded()) {
        promise.tryComplete(outcome.result());
      } else {
        promise.tryFail(outcome.cause());
      }
    };
  }
}
