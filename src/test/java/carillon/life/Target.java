package carillon.life;

import carillon.support.Await;
import carillon.support.TestClock;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
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
  private final Set<String> failing = ConcurrentHashMap.newKeySet();
  private final Deque<HttpServerRequest> open = new ArrayDeque<>(); // guarded by itself
  private final AtomicLong activity = new AtomicLong();
  private volatile boolean holds;

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
    boolean fails = failing.contains(request.path());
    model.answered(request, fails);
    request.response().setStatusCode(fails ? 500 : 200).end();
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

  /** From now on calls of a job fail, or succeed again. */
  void fail(String job, boolean fails) {
    if (fails) {
      failing.add("/" + job);
    } else {
      failing.remove("/" + job);
    }
  }

  void succeed() {
    failing.clear();
  }

  long activity() {
    return activity.get();
  }
}
