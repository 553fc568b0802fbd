package carillon.support;

import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * A target of one-time jobs that records every call and compares the calls with the accepted jobs.
 * It uses only what a target sees, not how Carillon works. Target and scheduler share one machine
 * and therefore one clock. Thread-safe.
 */
public final class Ledger implements AutoCloseable {
  /** Delay of an answer that never comes. */
  public static final Duration NEVER = Duration.ofDays(1);

  private final Vertx vertx = Vertx.vertx();
  private final HttpServer server;
  private final Function<Call, Duration> pause;
  private final Map<String, Instant> owed = new ConcurrentHashMap<>();
  private final Map<String, List<Call>> calls = new ConcurrentHashMap<>();
  private final AtomicInteger count = new AtomicInteger();
  private final AtomicInteger unanswered = new AtomicInteger();

  /**
   * A call as the target saw it.
   *
   * @param job the path without its slash
   * @param execution header Idempotency-Key
   * @param expected header Carillon-Scheduled-At
   * @param region header Carillon-Region: the calling node, if each node has its own region
   * @param earlier number of earlier calls for this job
   */
  public record Call(
      String job, String execution, Instant expected, Instant arrived, String region, int earlier) {
    public Duration lateness() {
      return Duration.between(expected, arrived);
    }
  }

  /** A target that answers after {@code pause}. */
  public Ledger(Duration pause) {
    this(call -> pause);
  }

  /** A target that chooses the delay of its answer for each call. */
  public Ledger(Function<Call, Duration> pause) {
    this.pause = pause;
    server =
        Await.result(vertx.createHttpServer().requestHandler(this::called).listen(0, "127.0.0.1"));
  }

  private void called(HttpServerRequest request) {
    Instant arrived = Instant.now();
    String job = request.path().substring(1);
    List<Call> before = calls.computeIfAbsent(job, name -> new CopyOnWriteArrayList<>());
    Call call =
        new Call(
            job,
            request.getHeader("Idempotency-Key"),
            Instant.parse(request.getHeader("Carillon-Scheduled-At")),
            arrived,
            request.getHeader("Carillon-Region"),
            before.size());
    before.add(call);
    count.incrementAndGet();
    unanswered.incrementAndGet();
    vertx.setTimer(
        Math.max(1, pause.apply(call).toMillis()),
        passed -> {
          unanswered.decrementAndGet();
          request.response().end("done").otherwiseEmpty(); // the caller may be gone
        });
  }

  public String url(String job) {
    return "http://127.0.0.1:" + port() + "/" + job;
  }

  int port() {
    return server.actualPort();
  }

  /** Records an accepted job: it must be called, and not before this instant. */
  public void owe(String job, Instant notBefore) {
    owed.put(job, notBefore);
  }

  public Map<String, Instant> owed() {
    return Map.copyOf(owed);
  }

  /** Returns the number of calls. */
  public int count() {
    return count.get();
  }

  /** Returns the number of calls that still wait for their answer. */
  public int unanswered() {
    return unanswered.get();
  }

  /** Returns the calls of one job, in order. */
  public List<Call> calls(String job) {
    return List.copyOf(calls.getOrDefault(job, List.of()));
  }

  /** Returns all calls, in no order. */
  public List<Call> calls() {
    return calls.values().stream().flatMap(Collection::stream).toList();
  }

  /** Whether every accepted job was called. */
  public boolean isSettled() {
    return owed.keySet().stream().noneMatch(job -> calls(job).isEmpty());
  }

  /** Waits until {@link #isSettled}. */
  public void awaitSettled(Duration patience) {
    try {
      Await.until("a call for every accepted job", patience, this::isSettled);
    } catch (AssertionError e) {
      throw new AssertionError(e.getMessage() + "; lost " + lost(), e);
    }
  }

  /** Returns the accepted jobs without a call. */
  public List<String> lost() {
    return owed.keySet().stream().filter(job -> !calls.containsKey(job)).sorted().toList();
  }

  /**
   * Returns the calls that came before their scheduled instant or before the instant of their job.
   */
  public List<Call> early() {
    return calls().stream()
        .filter(
            call ->
                call.arrived().isBefore(call.expected())
                    || call.arrived().isBefore(owed.getOrDefault(call.job(), Instant.MIN)))
        .toList();
  }

  /** Returns the executions that were called more than once, with all their calls. */
  public Map<String, List<Call>> repeated() {
    Map<String, List<Call>> repeated =
        calls().stream()
            .collect(Collectors.groupingBy(Call::execution, TreeMap::new, Collectors.toList()));
    repeated.values().removeIf(all -> all.size() == 1);
    return repeated;
  }

  /**
   * Returns the violations, one line each. A one-time job must have exactly one execution. Repeated
   * calls of an execution are allowed here.
   */
  public List<String> faults() {
    List<String> faults = new ArrayList<>();
    lost().forEach(job -> faults.add("lost: " + job));
    early().forEach(call -> faults.add("early: " + call));
    calls.forEach(
        (job, all) -> {
          if (all.stream().map(Call::execution).distinct().count() > 1) {
            faults.add("more than one execution: " + all);
          }
        });
    return faults;
  }

  /** Returns the lateness of the first call of each job, sorted. */
  public List<Duration> lateness() {
    return calls.values().stream().map(all -> all.get(0).lateness()).sorted().toList();
  }

  @Override
  public void close() {
    Await.result(vertx.close());
  }
}
