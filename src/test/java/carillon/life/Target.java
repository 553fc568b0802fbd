package carillon.life;

import carillon.support.Await;
import carillon.support.TestClock;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What jobs call: one destination that answers at once, and a slow one that answers when the walk
 * says so, and at once as long as nobody told it to be slow. The last part of a path is the job.
 */
final class Target {
  private final TestClock clock;
  private final Model model;
  private final Milestones milestones;
  private final HttpServer quick;
  private final HttpServer slow;
  private final Map<String, Failure> failing = new ConcurrentHashMap<>();
  private final Deque<HttpServerRequest> open = new ArrayDeque<>(); // guarded by itself
  private final AtomicLong activity = new AtomicLong();
  private volatile boolean holds;

  /**
   * How a call fails.
   *
   * @param seconds after which the caller may come back, 0 for any time
   * @param isDate whether that is told as a date, which is of a full second
   */
  record Failure(int status, int seconds, boolean isDate) {
    static final Failure PLAIN = new Failure(500, 0, false);

    Optional<Instant> notBefore(Instant now) {
      Instant end = now.plusSeconds(seconds);
      return Optional.of(isDate ? end.truncatedTo(ChronoUnit.SECONDS) : end)
          .filter(asked -> seconds > 0);
    }

    Optional<String> header(Instant now) {
      return notBefore(now)
          .map(
              end ->
                  isDate
                      ? DateTimeFormatter.RFC_1123_DATE_TIME.format(end.atOffset(ZoneOffset.UTC))
                      : Integer.toString(seconds));
    }

    String words() {
      return status + ", to come back in " + seconds + " s" + (isDate ? ", as a date" : "");
    }
  }

  Target(Vertx vertx, TestClock clock, Model model, Milestones milestones) {
    this.clock = clock;
    this.model = model;
    this.milestones = milestones;
    quick = listen(vertx, false);
    slow = listen(vertx, true);
  }

  private HttpServer listen(Vertx vertx, boolean isSlow) {
    return Await.result(
        vertx
            .createHttpServer()
            .requestHandler(request -> call(request, isSlow))
            .listen(0, "127.0.0.1"));
  }

  String url(String job, boolean isSlow) {
    return "http://127.0.0.1:" + (isSlow ? slow : quick).actualPort() + "/" + job;
  }

  private void call(HttpServerRequest request, boolean isSlow) {
    activity.incrementAndGet();
    model.called(
        World.PREFIX + job(request),
        request.getHeader("Idempotency-Key"),
        Instant.parse(request.getHeader("Carillon-Scheduled-At")),
        clock.instant(),
        request);
    boolean isKept;
    synchronized (open) {
      isKept = isSlow && holds;
      if (isKept) {
        open.add(request);
      }
    }
    if (!isKept) {
      answer(request);
    }
    milestones.reach(Milestones.Kind.CALL);
  }

  private static String job(HttpServerRequest request) {
    return request.getHeader("Carillon-Job");
  }

  private void answer(HttpServerRequest request) {
    activity.incrementAndGet();
    Optional<Failure> failure = Optional.ofNullable(failing.get(request.path()));
    Instant now = clock.instant();
    model.answered(
        request, failure.isPresent(), failure.flatMap(failing -> failing.notBefore(now)), now);
    HttpServerResponse response =
        request.response().setStatusCode(failure.map(Failure::status).orElse(200));
    failure
        .flatMap(failing -> failing.header(now))
        .ifPresent(header -> response.putHeader("Retry-After", header));
    response.end();
  }

  /** From now on the slow one keeps its callers waiting. */
  void hold() {
    holds = true;
  }

  /** The slow one answers whoever has waited longest. */
  void answerOne() {
    HttpServerRequest request;
    synchronized (open) {
      request = open.poll();
    }
    if (request != null) {
      answer(request);
    }
  }

  /** The slow one answers all, from now on at once. */
  void release() {
    synchronized (open) {
      holds = false;
    }
    for (int left = open(); left > 0; left--) {
      answerOne();
    }
  }

  /** Calls that wait for the slow one. */
  int open() {
    synchronized (open) {
      return open.size();
    }
  }

  /** From now on calls of a job fail. */
  void fail(String job) {
    failing.put("/" + job, Failure.PLAIN);
  }

  /** The same, with another answer. */
  void ask(String job, Failure failure) {
    failing.put("/" + job, failure);
  }

  void succeed() {
    failing.clear();
  }

  long activity() {
    return activity.get();
  }
}
