package carillon.fsck;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.config.Settings;
import carillon.config.TestSettings;
import carillon.job.Precondition;
import carillon.job.StoredJob;
import carillon.job.collection.CollectionDefinition;
import carillon.job.collection.CollectionDefinition.Quota;
import carillon.job.name.CollectionName;
import carillon.job.name.JobName;
import carillon.job.name.JobState;
import carillon.store.Stores;
import carillon.support.Await;
import carillon.support.CallbackServer;
import carillon.support.Engine;
import carillon.support.JobJson;
import carillon.support.RedisServer;
import carillon.support.TestClock;
import io.vertx.core.Future;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Test that fsck finds nothing beside two nodes at work, because nothing is wrong. */
@Tag("redis")
class FsckTrafficTest {
  private static final Settings SETTINGS =
      TestSettings.with("partitions=" + Engine.KEYS.partitions(), "node.stopGrace=2s");

  private static final Instant START = Instant.parse("2026-11-20T12:00:00Z");
  private static final long SEED = 20261120;
  private static final int RUNS = 6;
  private static final int STEPS = 200;

  /**
   * Pause between two checks of a finding. Longer than the steps of a node on a very busy machine.
   */
  private static final Duration PAUSE = Duration.ofSeconds(5);

  private final TestClock clock = new TestClock(START);
  private final Random random = new Random(SEED);
  private final List<Finding> findings = new CopyOnWriteArrayList<>();
  private final RedisServer redis = RedisServer.shared();
  private CallbackServer target;
  private Engine a;
  private Engine b;

  @BeforeEach
  void start() {
    redis.flush();
    target = new CallbackServer();
    a = new Engine(redis, "a", clock, SETTINGS);
    b = new Engine(redis, "b", clock, SETTINGS);
  }

  @AfterEach
  void stop() {
    a.close();
    b.close();
    target.close();
  }

  private static CollectionName collection(int number) {
    return new CollectionName("default", "default", "c" + number);
  }

  private Future<FsckReport> fsck(Stores stores) {
    return new Fsck(
            stores,
            Engine.KEYS,
            clock,
            new Fsck.Options(false, PAUSE, Duration.ofDays(60)),
            (finding, outcome) -> findings.add(finding))
        .run();
  }

  @Test
  void nothingIsFoundBesideTraffic() {
    long jobs = 0;
    for (int run = 0; run < RUNS; run++) {
      boolean failing = random.nextBoolean();
      target.answer(failing ? 500 : 200);
      Future<FsckReport> report = a.beside(this::fsck);
      List<Future<?>> traffic = new ArrayList<>();
      for (int step = 0; step < STEPS || !report.isComplete(); step++) {
        Engine engine = random.nextBoolean() ? a : b;
        traffic.add(engine.begin(stores -> anything(stores).<Void>mapEmpty().otherwiseEmpty()));
        if (step % 10 == 0) {
          clock.advance(Duration.ofMillis(500));
          a.poll();
          b.poll();
        }
        if (traffic.size() > 30) {
          traffic.forEach(Await::result);
          traffic.clear();
        }
      }
      jobs += Await.result(report).jobs();
    }

    assertEquals(List.of(), findings, "seed " + SEED);
    assertTrue(jobs > 100, "only " + jobs);
    assertTrue(target.calls().size() > 100, "only " + target.calls().size());
  }

  private Future<?> anything(Stores s) {
    CollectionName collection = collection(random.nextInt(3));
    JobName name = collection.job("j" + random.nextInt(40));
    Instant now = clock.instant();
    return switch (random.nextInt(12)) {
      case 0 -> putCollection(s, collection, now);
      case 1 ->
          random.nextInt(5) == 0
              ? s.collection().collections().delete(collection, Precondition.NONE)
              : Future.succeededFuture();
      case 2, 3 -> s.collection().jobQuota().deleting(name, () -> delete(s, name));
      case 4 -> Engine.requestExecution(s, name, now);
      case 5 -> toggle(s, name);
      default -> put(s, name, now);
    };
  }

  private Future<?> putCollection(Stores s, CollectionName name, Instant now) {
    Optional<Quota> quota =
        random.nextBoolean()
            ? Optional.of(
                new Quota(
                    OptionalInt.of(10 + random.nextInt(3)), OptionalInt.empty(), Optional.empty()))
            : Optional.empty();
    CollectionDefinition.State state =
        random.nextInt(4) == 0
            ? CollectionDefinition.State.DISABLED
            : CollectionDefinition.State.ENABLED;
    return s.collection()
        .collections()
        .put(
            name,
            new CollectionDefinition(Optional.empty(), Map.of(), Optional.empty(), state, quota),
            Precondition.NONE,
            now);
  }

  private Future<Void> delete(Stores s, JobName name) {
    return s.collection()
        .collections()
        .rules(name.collection())
        .compose(
            rules ->
                s.job()
                    .jobs()
                    .delete(
                        name,
                        rules.epoch(),
                        Precondition.NONE,
                        Engine.auditContext(clock.instant())));
  }

  private Future<?> toggle(Stores s, JobName name) {
    return s.job()
        .reader()
        .get(name)
        .compose(
            job -> {
              boolean pause = job.state() == JobState.ENABLED;
              return job.state().isFinal()
                  ? Future.succeededFuture()
                  : s.collection()
                      .collections()
                      .rules(name.collection())
                      .compose(
                          rules ->
                              Engine.setState(
                                      s,
                                      name,
                                      rules.epoch(),
                                      pause ? JobState.DISABLED : JobState.ENABLED)
                                  .map(StoredJob::name));
            });
  }

  private Future<?> put(Stores s, JobName name, Instant now) {
    boolean repeats = random.nextBoolean();
    JobJson job =
        JobJson.get(target.url("/" + name.job()))
            .startTime(now.plusMillis(random.nextInt(800)))
            .fixedRetry("PT1S", 2);
    if (repeats) {
      job.recurrence("{\"frequency\":\"minute\",\"interval\":1,\"count\":3}");
    }
    return s.collection()
        .collections()
        .rules(name.collection())
        .compose(
            rules ->
                s.collection()
                    .jobQuota()
                    .writing(
                        name,
                        () -> Engine.put(s, name, rules.epoch(), Engine.definition(job.json()))));
  }
}
