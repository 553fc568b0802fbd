package carillon.life;

import carillon.api.ApiVerticle;
import carillon.api.http.AdmissionLimits;
import carillon.api.http.ApiObserver;
import carillon.api.http.ApiSettings;
import carillon.api.http.ArmRateLimiter;
import carillon.auth.LoginOptions;
import carillon.bus.Messages;
import carillon.json.SubmissionLimits;
import carillon.json.TargetPolicy;
import carillon.store.StoreFactory;
import carillon.store.attempt.HistoryBounds;
import carillon.store.audit.AuditBounds;
import carillon.support.Await;
import carillon.support.Engine;
import carillon.support.Keys256;
import carillon.support.TestClock;
import io.vertx.core.Vertx;
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

/** A node that serves the API and makes no calls, and its client. */
final class Door {
  private static final String COLLECTION = "/jobcollections/default";

  private final Wire wire;
  private final ApiVerticle api;
  private final Vertx vertx = Vertx.vertx();
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
            new HistoryBounds(1000, Duration.ofDays(60), 256 * 1024),
            Node.KEPT,
            AuditBounds.NONE);
    api =
        new ApiVerticle(
            storeFactory,
            clock,
            settings(),
            stores -> io.vertx.core.Future.succeededFuture(List.of()),
            new ArmRateLimiter(
                new ArmRateLimiter.Limits(1_000_000, 1_000_000, 1_000_000, 1_000_000)),
            new AdmissionLimits(AdmissionLimits.Limits.NONE),
            ApiObserver.NONE,
            Optional.empty());
    Await.result(vertx.deployVerticle(api));
  }

  private static ApiSettings settings() {
    return new ApiSettings(
        true,
        "test",
        "127.0.0.1",
        0,
        65_536,
        Duration.ofMinutes(5),
        new SubmissionLimits(
            65_536, 4096, 60, 8192, 20_000, Duration.ofDays(3650), Duration.ofSeconds(1)),
        "here",
        Keys256.VAULT,
        TargetPolicy.NONE,
        LoginOptions.OPEN,
        Optional.empty());
  }

  Wire wire() {
    return wire;
  }

  /** Whether a request is under way. */
  boolean isPending() {
    return pending;
  }

  long activity() {
    return activity.get();
  }

  /** Sends a request; its status comes later. An empty path is the collection itself. */
  void send(String method, String path, String body, IntConsumer answered) {
    pending = true;
    activity.incrementAndGet();
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + api.port() + COLLECTION + path))
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
