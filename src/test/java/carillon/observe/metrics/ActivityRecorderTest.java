package carillon.observe.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;

import carillon.config.Settings;
import carillon.config.Settings.AuditSettings;
import carillon.config.Settings.ExecutionsSettings;
import carillon.job.action.Destination;
import carillon.job.action.TraceContext.TraceSpan;
import carillon.redis.Keys;
import carillon.redis.RedisClock;
import carillon.store.StoreFactory;
import carillon.store.operation.ActivityCounts;
import carillon.support.RedisServer;
import carillon.support.TestRedis;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests of a node's record of its activity. */
@Tag("redis")
class ActivityRecorderTest {
  private static final Instant MINUTE = Instant.parse("2026-11-20T18:00:00Z");

  private final RedisServer redis = RedisServer.shared();
  private final Vertx vertx = Vertx.vertx();
  private final AtomicReference<Instant> now = new AtomicReference<>(MINUTE);
  private final AtomicReference<ActivityCounts> total = new AtomicReference<>(done(100, 10));
  private final DestinationTraffic traffic = new DestinationTraffic(2);
  private ActivityRecorder verticle;
  private String deployment;

  @BeforeEach
  void start() throws Exception {
    redis.flush();
    verticle = new ActivityRecorder(storage(), now::get, total::get, traffic::counts);
    deployment = vertx.deployVerticle(verticle).await(30, TimeUnit.SECONDS);
  }

  @AfterEach
  void stop() throws Exception {
    vertx.close().await(30, TimeUnit.SECONDS);
  }

  private StoreFactory storage() {
    return new StoreFactory(
        TestRedis.standalone(redis.uri(), Duration.ofSeconds(20), Duration.ofSeconds(1)),
        new Keys("carillon", 4),
        "n1",
        new RedisClock(System::nanoTime),
        Settings.defaults().history(),
        Settings.defaults().jobs(),
        AuditSettings.NONE,
        ExecutionsSettings.DEFAULTS,
        Settings.defaults().groups());
  }

  private static ActivityCounts done(long completed, long failed) {
    List<Long> lateness = new ArrayList<>(ActivityCounts.NONE.lateness());
    lateness.set(2, completed);
    return new ActivityCounts(completed, failed, lateness);
  }

  private void note() throws Exception {
    verticle.note().await(30, TimeUnit.SECONDS);
  }

  private String noted(String minute) {
    return redis.eval(
        "return redis.call('HGET', 'carillon:activity:2026-11-20T" + minute + "Z', 'n1') or ''");
  }

  @Test
  void whatWasDoneBeforeCountsToNoMinute() throws Exception {
    note();

    assertEquals("", noted("18:00:00"));
  }

  @Test
  void eachMinuteHasWhatWasDoneInIt() throws Exception {
    total.set(done(103, 11));
    note();
    note();
    assertEquals("3 1 0,0,3,0,0,0,0,0,0,0,0,0,0,0,0,0", noted("18:00:00"));

    total.set(done(105, 11));
    now.set(MINUTE.plusSeconds(62));
    note();
    total.set(done(106, 11));
    vertx.undeploy(deployment).await(30, TimeUnit.SECONDS);

    assertEquals("5 1 0,0,5,0,0,0,0,0,0,0,0,0,0,0,0,0", noted("18:00:00"));
    assertEquals("1 0 0,0,1,0,0,0,0,0,0,0,0,0,0,0,0,0", noted("18:01:00"));
  }

  private String destinations(String minute) {
    return redis.eval(
        "return redis.call('HGET', 'carillon:destinations:2026-11-20T"
            + minute
            + "Z', 'n1') or ''");
  }

  @Test
  void eachMinuteHasWhatWasCalledInItAndWhatIsInFlight() throws Exception {
    Destination crm = new Destination("crm.example", 443);
    TraceSpan first = traffic.begins(crm, TraceSpan.NONE);
    traffic.finished(crm, true, 0.003);
    traffic.finished(crm, false, 301);
    note();
    assertEquals(
        "crm.example:443 1 1 1 0,0,1,0,0,0,0,0,0,0,0,0,0,0,0,0,1", destinations("18:00:00"));

    now.set(MINUTE.plusSeconds(61));
    note();
    note();
    assertEquals(
        "crm.example:443 0 0 1 0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0", destinations("18:01:00"));
    first.ended();
    now.set(MINUTE.plusSeconds(122));
    note();
    note();
    assertEquals(
        "crm.example:443 0 0 0 0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0", destinations("18:01:00"));
    assertEquals("", destinations("18:02:00"), "idle for a minute");
  }

  @Test
  void destinationsBeyondTheBoundCountAsOneUntilOthersWereIdle() {
    for (String host : List.of("a", "b", "c", "d")) {
      traffic.finished(new Destination(host, 80), true, 0);
    }

    assertEquals(List.of("a:80", "b:80", "other"), List.copyOf(traffic.counts(true).keySet()));
    TraceSpan late = traffic.begins(new Destination("d", 80), TraceSpan.NONE);
    late.ended();
    assertEquals(List.of("d:80"), List.copyOf(traffic.counts(true).keySet()));
  }

  @Test
  void theCountersOfTheNodeAreWhatIsNoted() {
    Metrics metrics =
        new Metrics(
            "test", Settings.defaults().metrics(), now::get, System::nanoTime, Metrics.Traces.NONE);

    assertEquals(ActivityCounts.NONE, metrics.activity());
  }
}
