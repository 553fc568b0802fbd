package carillon.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.support.Await;
import carillon.support.CarillonProcess;
import carillon.support.JobJson;
import carillon.support.RedisServer;
import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Test of the kill of a node during executions of jobs that must not overlap. */
class OverlapKillIT extends ProcessTestBase {
  private static final Duration LEASE = Duration.ofSeconds(10);

  /** Duration of an execution, longer than the interval of the jobs, which is a second. */
  private static final Duration EXECUTION = Duration.ofMillis(1700);

  private static final int COUNT = 4;

  private static final Pattern MISSED = Pattern.compile("^(\\d+) occurrences from");
  private static final Set<String> EXCLUSIVE = Set.of("skip", "bufferOne", "bufferAll");

  @AutoClose private RedisServer redis;
  @AutoClose private final SlowTarget target = new SlowTarget();

  /** Call, with the times of its arrival and its answer. */
  private static final class Call {
    final String job;
    final String execution;
    final Instant begun = Instant.now();
    volatile Instant ended;

    Call(String job, String execution) {
      this.job = job;
      this.execution = execution;
    }

    boolean overlaps(Call other) {
      return begun.isBefore(other.ended) && other.begun.isBefore(ended);
    }

    @Override
    public String toString() {
      return job + " " + execution + " from " + begun + " to " + ended;
    }
  }

  /** Target that never answers the first call of a job, and all others after a while. */
  private static final class SlowTarget implements AutoCloseable {
    private final Vertx vertx = Vertx.vertx();
    private final List<Call> calls = new CopyOnWriteArrayList<>();
    private final HttpServer server =
        Await.result(vertx.createHttpServer().requestHandler(this::take).listen(0, "127.0.0.1"));

    private void take(HttpServerRequest request) {
      Call call =
          new Call(
              request.getHeader("Carillon-Job").replaceFirst(".*/", ""),
              request.getHeader("Idempotency-Key"));
      boolean isFirst = calls(call.job).isEmpty();
      calls.add(call);
      if (!isFirst) {
        vertx.setTimer(
            EXECUTION.toMillis(),
            id -> {
              call.ended = Instant.now(); // before the caller can receive it
              request.response().end();
            });
      }
    }

    String url(String job) {
      return "http://127.0.0.1:" + server.actualPort() + "/" + job;
    }

    List<Call> calls(String job) {
      return calls.stream().filter(call -> call.job.equals(job)).toList();
    }

    @Override
    public void close() {
      Await.result(vertx.close());
    }
  }

  @BeforeEach
  void startRedis() {
    redis = RedisServer.start();
  }

  private CarillonProcess node(String id) {
    String lease = LEASE.toSeconds() + "s";
    return start(
        on(
            redis,
            "CARILLON_NODE_ID",
            id,
            "CARILLON_NODE_LEASE",
            lease,
            "CARILLON_NODE_HEARTBEAT",
            "500ms"));
  }

  private String job(String overlap, Instant from) {
    return JobJson.get(target.url(overlap))
        .noRetry()
        .startTime(from)
        .recurrence("{\"frequency\":\"second\",\"interval\":1,\"count\":" + COUNT + "}")
        .with("overlap", overlap)
        .json();
  }

  @Test
  void whatWaitsGoesOnWhenTheNodeThatPerformsIsKilled() {
    List<String> jobs = List.of("allowAll", "skip", "bufferOne", "bufferAll");
    try (CarillonProcess killed = node("killed")) {
      Instant from = in(Duration.ofSeconds(1));
      jobs.forEach(
          job ->
              assertEquals(201, killed.send("PUT", Jobs.PATH + job, job(job, from)).statusCode()));
      Await.until(
          "a call of each job",
          PATIENCE,
          () -> jobs.stream().noneMatch(j -> target.calls(j).isEmpty()));

      try (CarillonProcess survivor = node("survivor")) {
        killed.kill9();
        Instant death = Instant.now();
        Await.until(
            "each job to end",
            PATIENCE,
            () -> Jobs.inState(survivor, "completed").containsAll(jobs));

        for (String job : jobs) {
          assertAgain(job, death);
          assertAccounted(Jobs.history(survivor, job));
        }
        EXCLUSIVE.forEach(job -> assertNoneOverlaps(job, death));
        assertGoesOn("bufferOne");
        assertGoesOn("bufferAll");
      }
    }
  }

  /** Asserts that the other node repeats the call in flight on the killed node after its lease. */
  private void assertAgain(String job, Instant death) {
    String execution = target.calls(job).get(0).execution;
    List<Call> calls =
        target.calls(job).stream().filter(call -> call.execution.equals(execution)).toList();
    assertEquals(2, calls.size(), calls::toString);
    Duration after = Duration.between(death, calls.get(1).begun);
    System.out.printf(
        "kill -9 with %s: in flight, made again %d ms later%n", job, after.toMillis());
    assertTrue(after.compareTo(Duration.ZERO) > 0, calls::toString);
  }

  /** Asserts that each second from the first to the last call is in the history exactly once. */
  private static void assertAccounted(List<JsonNode> history) {
    List<Instant> completed =
        history.stream()
            .filter(entry -> entry.get("status").textValue().equals("completed"))
            .map(entry -> Instant.parse(entry.get("expectedExecutionTime").textValue()))
            .sorted()
            .toList();
    long passedOver =
        history.stream()
            .filter(entry -> entry.get("status").textValue().equals("skipped"))
            .mapToLong(entry -> occurrences(entry.get("message").textValue()))
            .sum();
    assertEquals(COUNT, Set.copyOf(completed).size(), history::toString);
    Duration span = Duration.between(completed.get(0), completed.get(completed.size() - 1));
    assertEquals(span.toSeconds() + 1, completed.size() + passedOver, history::toString);
  }

  private static long occurrences(String message) {
    Matcher missed = MISSED.matcher(message);
    return missed.find() ? Long.parseLong(missed.group(1)) : 1;
  }

  /** Asserts that no calls overlap. The death of its node ended the call without an answer. */
  private void assertNoneOverlaps(String job, Instant death) {
    List<Call> calls = target.calls(job);
    calls.get(0).ended = death;
    for (Call call : calls) {
      calls.stream()
          .filter(other -> other != call)
          .forEach(other -> assertFalse(call.overlaps(other), () -> call + " and " + other));
    }
  }

  /** Asserts that a waiting execution begins after the end of the other. */
  private void assertGoesOn(String job) {
    List<Call> calls = target.calls(job);
    Duration pause = Duration.between(calls.get(1).ended, calls.get(2).begun);
    System.out.printf("kill -9 with %s: waited, begun %d ms later%n", job, pause.toMillis());
    assertFalse(pause.isNegative(), calls::toString);
  }
}
