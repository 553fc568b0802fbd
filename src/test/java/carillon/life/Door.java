package carillon.life;

import carillon.api.ApiOptions;
import carillon.api.ApiVerticle;
import carillon.api.edge.AdmissionLimits;
import carillon.api.edge.AllowedHosts;
import carillon.api.http.ApiObserver;
import carillon.auth.LoginOptions;
import carillon.bus.Messages;
import carillon.config.Settings;
import carillon.config.TestSettings;
import carillon.json.action.TargetPolicy;
import carillon.store.StoreFactory;
import carillon.support.Await;
import carillon.support.Engine;
import carillon.support.Keys256;
import carillon.support.TestClock;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntConsumer;

/** Node that serves the API and makes no calls, with its client. */
final class Door {
  private static final String COLLECTION = "/jobcollections/default";

  private static final Settings SETTINGS =
      TestSettings.with(
          "http.port=0",
          "http.idleTimeout=5m",
          "http.maxConnectionsPerAddress=0",
          "http.maxLag=1m",
          "jobs.keepFinished=" + Node.KEPT);

  private final Wire wire;
  private final ApiVerticle api;
  private final Vertx vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(1));
  private final HttpClient client;
  private final AtomicLong activity = new AtomicLong();
  private volatile boolean pending;

  Door(Wire wire, TestClock clock, HttpClient client) {
    this.wire = wire;
    this.client = client;
    Messages.register(vertx.eventBus());
    StoreFactory storeFactory =
        new StoreFactory(
            Node.through(wire),
            Engine.KEYS,
            "door",
            clock,
            SETTINGS.history(),
            SETTINGS.jobs(),
            SETTINGS.audit(),
            SETTINGS.executions(),
            SETTINGS.groups());
    api =
        new ApiVerticle(
            storeFactory,
            clock,
            options(),
            stores -> io.vertx.core.Future.succeededFuture(List.of()),
            ApiVerticle.dialects(SETTINGS.arm()),
            new AdmissionLimits(SETTINGS.http(), SETTINGS.rates(), AllowedHosts.any()),
            ApiObserver.NONE,
            Optional.empty(),
            Optional.empty());
    Await.result(vertx.deployVerticle(api));
  }

  private static ApiOptions options() {
    return new ApiOptions(
        SETTINGS,
        "test",
        Keys256.VAULT,
        TargetPolicy.NONE,
        LoginOptions.of(SETTINGS.access(), List.of()),
        Optional.empty());
  }

  Wire wire() {
    return wire;
  }

  Vertx vertx() {
    return vertx;
  }

  /** Whether a request is under way. */
  boolean isPending() {
    return pending;
  }

  long activity() {
    return activity.get();
  }

  /** Sends a request. Its status arrives later. An empty path means the collection itself. */
  void send(String method, String path, String body, IntConsumer answered) {
    sendTo(method, COLLECTION + path, body, answered);
  }

  /** Sends a request to any path. */
  void sendTo(String method, String path, String body, IntConsumer answered) {
    pending = true;
    activity.incrementAndGet();
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + api.port() + path))
            .timeout(Duration.ofSeconds(60))
            .method(method, HttpRequest.BodyPublishers.ofString(body))
            .build();
    CompletableFuture<Integer> status =
        client
            .sendAsync(request, HttpResponse.BodyHandlers.ofString())
            .thenApply(HttpResponse::statusCode)
            .exceptionally(failure -> 0);
    CompletableFuture<Void> unused =
        status.thenAccept(
            code -> {
              wire.disarm();
              answered.accept(code);
              activity.incrementAndGet();
              pending = false;
            });
  }

  void close() {
    wire.close();
    Await.result(vertx.close());
  }
}
