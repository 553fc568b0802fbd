package carillon.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.config.Settings;
import carillon.job.attempt.HistoryEntry;
import carillon.support.Await;
import carillon.support.CallbackServer;
import carillon.support.CallbackServer.Call;
import carillon.support.Engine;
import carillon.support.EngineSettings;
import carillon.support.JobJson;
import io.vertx.redis.client.Command;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests of attempts for a destination without a free place. They are deferred in Redis, where they
 * delay no others, and are called as soon as a place is free.
 */
class CrowdedDestinationsTest extends FlowFixture {
  private static final int PLACES = 3;
  private static final int HERD = 900;

  private static final Pattern RELEASED = Pattern.compile("cmdstat_hdel:calls=(\\d+)");

  private final CallbackServer other = new CallbackServer();

  @Override
  Settings settings() {
    return EngineSettings.with("dispatch.maxPerDestination=" + PLACES);
  }

  @AfterEach
  void stopOther() {
    other.close();
  }

  private void put(String prefix, int count, CallbackServer at, UnaryOperator<JobJson> with) {
    for (int i = 0; i < count; i++) {
      engine.put(
          prefix + i, with.apply(JobJson.get(at.url("/" + prefix + i)).startTime(NOON)).json());
    }
  }

  private long removedClaims() {
    Matcher told = RELEASED.matcher(engine.redis(Command.INFO, "commandstats").toString());
    return told.find() ? Long.parseLong(told.group(1)) : 0;
  }

  /**
   * A herd is due and its target hangs. Each of its jobs has been claimed or deferred: none is due.
   */
  private void dueAtHangingTarget() {
    put("a", HERD, target, job -> job);
    dueWhileItHangs();
  }

  private void dueWhileItHangs() {
    target.hold();
    clock.set(NOON);
    engine.redis(Command.CONFIG, "SET", "slowlog-log-slower-than", "0", "slowlog-max-len", "20000");
    engine.redis(Command.SLOWLOG, "RESET");
    engine.poll();
    awaitNoneDue();
    target.awaitCalls(PLACES);
  }

  private void dueAtBothWhileTheyHang() {
    target.hold();
    other.hold();
    clock.set(NOON);
    engine.poll();
    awaitNoneDue();
  }

  private void awaitNoneDue() {
    Await.until("none is due", () -> engine.due(NOON) == 0);
  }

  /** Whether a claim learned that the target is crowded. */
  private boolean isTold() {
    String log = engine.redis(Command.SLOWLOG, "GET", "20000").toString();
    engine.redis(
        Command.CONFIG, "SET", "slowlog-log-slower-than", "10000", "slowlog-max-len", "128");
    String uri = target.url("/");
    return log.contains(uri.substring(0, uri.length() - 1) + ",");
  }

  /** Claims are released only if they came before the crowding was known: a claim or two. */
  @Test
  void whatFindsNoPlaceIsNotClaimedForThat() {
    long before = removedClaims();
    dueAtHangingTarget();
    long released = removedClaims() - before;

    assertTrue(isTold());
    assertTrue(released < HERD / 2, "released " + released);
    target.release();
    callAll(HERD);
    assertEquals(HERD, target.calls().stream().map(Call::path).distinct().count());
    assertEquals(PLACES, target.mostAtOnce());
  }

  /**
   * The attempts are called before the instant to which they were deferred: the clock stands still.
   */
  @Test
  void whatWasPutOffIsCalledAsPlacesBecomeFree() {
    dueAtHangingTarget();

    target.release();

    target.awaitCalls(HERD);
    engine.awaitIdle();
    assertEquals(HERD, target.calls().size());
    assertEquals(PLACES, target.mostAtOnce());
  }

  /** Includes attempts that the node must decide about, and all ways to write their URI. */
  @ParameterizedTest
  @ValueSource(strings = {"startWithin", "query", "otherForm"})
  void whateverWasPutOffIsCalledAsPlacesBecomeFree(String kind) {
    for (int i = 0; i < 300; i++) {
      String uri = target.url("/a" + i);
      JobJson job =
          switch (kind) {
            case "startWithin" -> JobJson.get(uri).with("startWithin", "PT1H");
            case "query" -> JobJson.get(target.url("?a" + i));
            default -> JobJson.get(i % 2 == 0 ? uri : uri.replaceFirst("http", "HTTP"));
          };
      engine.put("a" + i, job.startTime(NOON).json());
    }
    dueWhileItHangs();

    target.release();

    target.awaitCalls(300);
    engine.awaitIdle();
    assertEquals(300, target.calls().size());
  }

  /** The waiting attempts belong to other collections. */
  @Test
  void aDisabledCollectionKeepsNothingElseWaiting() {
    for (int partition = 0; partition < Engine.KEYS.partitions(); partition++) {
      engine.redis(
          Command.HSET, "carillon:{" + partition + "}:gates", "s/g/disabled", "closed " + NOON);
    }
    dueAtHangingTarget();

    target.release();

    target.awaitCalls(HERD);
    engine.awaitIdle();
    assertTrue(isTold());
  }

  /** Uses several destinations, one of which hangs. */
  @Test
  void aDestinationThatHangsKeepsNoPlacesOfAnother() {
    put("a", 300, target, job -> job);
    put("z", 300, other, job -> job);
    dueAtBothWhileTheyHang();

    other.release();

    other.awaitCalls(300);
    target.release();
    target.awaitCalls(300);
    engine.awaitIdle();
    assertEquals(300, other.calls().size());
    assertEquals(300, target.calls().size());
  }

  @Test
  void eachOfManyDestinationsIsCalledAsPlacesBecomeFree() {
    List<CallbackServer> many = Stream.generate(CallbackServer::new).limit(100).toList();
    try {
      for (int i = 0; i < many.size(); i++) {
        put("m" + i + "-", 8, many.get(i), job -> job);
        many.get(i).hold();
      }
      dueAtBothWhileTheyHang();

      many.forEach(CallbackServer::release);

      Await.until("all calls", () -> many.stream().allMatch(one -> one.calls().size() == 8));
      engine.awaitIdle();
    } finally {
      many.forEach(CallbackServer::close);
    }
  }

  /** A look at deferred attempts continues after those without a place and after future ones. */
  @Test
  void whatWasPutOffIsCalledThoughManyOthersStandAhead() {
    put("a", 1500, target, job -> job);
    put("z", 100, other, job -> job);
    put("later", 1500, other, job -> job.startTime(NOON.plusSeconds(1)));
    dueAtBothWhileTheyHang();

    other.release();

    other.awaitCalls(100);
    assertEquals(100, other.calls().size());
    target.release();
    target.awaitCalls(1500);
  }

  /** A deferred attempt has not begun, so each change of its job applies to it. */
  @Test
  void whatIsPutOffFollowsItsJob() {
    dueAtHangingTarget();

    Instant later = NOON.plusSeconds(3600);
    List<String> waiting = engine.due().stream().filter(due -> due.startsWith("job:")).toList();
    String moved = waiting.get(0).replaceFirst(".*/", "");
    String deleted = waiting.get(1).replaceFirst(".*/", "");
    engine.put(moved, JobJson.get(target.url("/moved")).startTime(later).json());
    engine.delete(deleted);
    target.release();

    target.awaitCalls(HERD - 2);
    engine.awaitIdle();
    List<String> called = target.calls().stream().map(Call::path).toList();
    assertEquals(HERD - 2, called.size());
    assertFalse(called.contains("/" + moved) || called.contains("/" + deleted), "" + called);
    clock.set(later);
    engine.poll();
    target.awaitCalls(HERD - 1);
    assertEquals("/moved", target.calls().get(HERD - 2).path());
  }

  private Stream<String> deferred(String kind) {
    return engine.due().stream().filter(due -> due.startsWith(kind));
  }

  /** Covers both deferrals: by the claim that met the attempt, and by the node. */
  @ParameterizedTest
  @ValueSource(strings = {"job:", "run:"})
  void whatIsPutOffIsCalledAtOnceWhereItsTargetIsAnother(String kind) {
    dueAtHangingTarget();
    Await.until("a deferred attempt", () -> deferred(kind).findFirst().isPresent());
    String waiting = deferred(kind).findFirst().orElseThrow();
    String job = waiting.replaceFirst(" .*", "").replaceFirst(".*/", "");

    engine.put(job, JobJson.get(other.url("/moved")).startTime(NOON).json());
    engine.poll();

    other.awaitCalls(1);
    target.release();
    target.awaitCalls(HERD - 1);
    engine.awaitIdle();
    assertEquals(1, other.calls().size());
    assertEquals(1, engine.history(job).size());
  }

  /** The flow may let them wait, in a separate order. */
  @Test
  void whereAFlowMatchesTheNodeDecidesAboutEach() {
    flow("{`match`:[`127.0.0.1`],`parallelism`:1000}");

    dueAtHangingTarget();

    assertFalse(isTold());
    target.release();
    callAll(HERD);
  }

  /** A deferred occurrence counts like any other, and the next one waits. */
  @Test
  void recurringJobsThatArePutOffMakeEachOccurrenceOnce() {
    put("a", 40, target, job -> job.recurrence("{\"frequency\":\"hour\",\"count\":2}"));
    target.hold();

    clock.set(NOON);
    engine.poll();
    target.awaitCalls(PLACES);
    engine.poll();
    target.release();
    callAll(40);
    clock.set(NOON.plusSeconds(3600));
    engine.poll();
    callAll(80);

    for (int i = 0; i < 40; i++) {
      List<HistoryEntry> history = engine.history("a" + i);
      assertEquals(2, history.size(), () -> history.toString());
      assertEquals(NOON, history.get(1).dueAt());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"errorAction", "label", "body"})
  void whatOnlyMentionsACrowdedDestinationIsCalledAtOnce(String place) {
    put("a", 200, target, job -> job);
    String text = "\"action\":{\"request\":{\"uri\":\"" + target.url("/");
    UnaryOperator<JobJson> mention =
        switch (place) {
          case "errorAction" -> job -> job.errorAction(JobJson.get(target.url("/error")));
          case "label" ->
              job -> job.with("labels", Map.of("action", "request")).with("description", text);
          default -> job -> job.request("method", "POST").body(text);
        };
    put("z", 20, other, mention);
    target.hold();

    clock.set(NOON);
    engine.poll();
    other.awaitCalls(20); // at noon: the clock stands still
    target.release();
    callAll(200);
  }

  private void callAll(int calls) {
    Await.until(
        "all calls",
        () -> {
          clock.advance(Duration.ofMillis(200));
          engine.poll();
          return target.calls().size() >= calls;
        });
    engine.awaitIdle();
    assertEquals(calls, target.calls().size());
  }
}
