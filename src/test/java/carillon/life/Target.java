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
 * Destinations of all jobs, a quick one and a slow one. The quick one answers immediately. The slow
 * one does so, too, unless the walk holds it: then it answers on command. The last part of a path
 * is the job.
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
   * Failing answer of a call.
   *
   * @param seconds after which the caller may come back, 0 for any time
   * @param isDate whether the answer gives a date, which is of a full second
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
        "127.0.0.1:" + request.localAddress().port(),
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

  /** Makes the slow target hold its callers from now on. */
  void hold() {
    holds = true;
  }

  /** The slow target answers its longest waiting caller. */
  void answerOne() {
    HttpServerRequest request;
    synchronized (open) {
      request = open.poll();
    }
    if (request != null) {
      answer(request);
    }
  }

  /** The slow target answers all callers, and answers immediately from now on. */
  void release() {
    synchronized (open) {
      holds = false;
    }
    for (int left = open(); left > 0; left--) {
      answerOne();
    }
  }

  /** Returns the number of calls that wait for the slow target. */
  int open() {
    synchronized (open) {
      return open.size();
    }
  }

  /** Makes calls of a job fail from now on. */
  void fail(String job) {
    failing.put("/" + job, Failure.PLAIN);
  }

  /** Makes calls of a job fail with this answer. */
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
