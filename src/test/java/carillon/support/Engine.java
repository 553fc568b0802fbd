package carillon.support;

import carillon.access.AuditEntry.AuditContext;
import carillon.bus.Messages;
import carillon.config.Settings;
import carillon.config.Settings.EgressSettings;
import carillon.dispatch.DispatchObserver;
import carillon.dispatch.DispatcherVerticle;
import carillon.dispatch.egress.EgressPolicy;
import carillon.dispatch.egress.OwnEndpoints;
import carillon.job.CollectionName;
import carillon.job.HistoryEntry;
import carillon.job.HistoryEntry.HistoryFilter;
import carillon.job.HistoryMark;
import carillon.job.JobDefinition;
import carillon.job.JobKey;
import carillon.job.JobName;
import carillon.job.JobState;
import carillon.job.Pause;
import carillon.job.Pause.PauseOptions;
import carillon.job.Precondition;
import carillon.job.StoredJob;
import carillon.json.StoredJson;
import carillon.redis.Keys;
import carillon.redis.RedisLinkOptions;
import carillon.store.StoreFactory;
import carillon.store.Stores;
import carillon.store.attempt.Lease;
import carillon.store.job.JobStore;
import carillon.store.job.MovedJobException;
import carillon.store.node.NodeStore;
import carillon.timer.TimerObserver;
import carillon.timer.TimerVerticle;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * The real timer and dispatcher on a real Redis, with a clock that the test moves. Several may
 * share one Redis and be different nodes.
 */
public final class Engine implements AutoCloseable {
  public static final CollectionName COLLECTION =
      new CollectionName("default", "default", "default");
  public static final Keys KEYS = new Keys("carillon", 4);
  private static final Duration LEASE = Duration.ofSeconds(10);

  private final Vertx vertx;
  private final TestClock clock;
  private final AtomicLong nanos = new AtomicLong(1);
  private final String node;
  private final StoreFactory storeFactory;
  private final TimerVerticle timer;
  private final Stores stores;

  /** Without heartbeats of its own, see {@link EngineSettings}. */
  public Engine(RedisServer redis, String node, TestClock clock) {
    this(redis.setup(), node, clock);
  }

  public Engine(RedisServer redis, String node, TestClock clock, Settings settings) {
    this(redis.setup(), node, clock, settings);
  }

  public Engine(
      RedisServer redis, String node, TestClock clock, Settings settings, VertxOptions options) {
    this(redis.setup(), node, clock, settings, options);
  }

  public Engine(RedisLinkOptions redis, String node, TestClock clock) {
    this(redis, node, clock, EngineSettings.with());
  }

  public Engine(RedisLinkOptions redis, String node, TestClock clock, Settings settings) {
    this(redis, node, clock, settings, new VertxOptions());
  }

  private Engine(
      RedisLinkOptions redis,
      String node,
      TestClock clock,
      Settings settings,
      VertxOptions options) {
    this.vertx = Vertx.vertx(options);
    this.clock = clock;
    this.node = node;
    this.storeFactory =
        new StoreFactory(
            redis,
            KEYS,
            node,
            clock,
            settings.history(),
            settings.jobs(),
            settings.audit(),
            settings.executions());
    Lease lease = new Lease(nanos::get, LEASE, Duration.ofSeconds(1));
    Messages.register(vertx.eventBus());
    stores = on(() -> storeFactory.open(vertx));
    Await.result(
        vertx.deployVerticle(
            new DispatcherVerticle(
                storeFactory,
                clock,
                lease,
                new DispatcherVerticle.Config(
                    settings, "Carillon/test", Keys256.VAULT, policy(settings.egress())),
                DispatchObserver.NONE)));
    timer =
        new TimerVerticle(
            storeFactory,
            clock,
            lease,
            new TimerVerticle.Config(settings, node, "test", true),
            TimerObserver.NONE);
    Await.result(vertx.deployVerticle(timer));
  }

  /** The targets of tests are on loopback, unless the settings say otherwise. */
  private static EgressPolicy policy(EgressSettings egress) {
    boolean loopback = egress.loopback() != EgressSettings.Loopback.DENY;
    return new EgressPolicy(egress.allow(), loopback, new OwnEndpoints());
  }

  /** What the node runs on. */
  public Vertx vertx() {
    return vertx;
  }

  private <T> T on(Supplier<Future<T>> step) {
    return Await.result(vertx.executeBlocking(() -> null).compose(go -> step.get()));
  }

  /** A job's name in the default collection. */
  public static JobName name(String job) {
    return COLLECTION.job(job);
  }

  /** Reads a definition in stored form. */
  public static JobDefinition definition(String json) {
    return StoredJson.readJob(new JobKey(name("any").key()), json);
  }

  /** The context of a client's change at this moment. */
  public static AuditContext auditContext(Instant now) {
    return new AuditContext("test", "127.0.0.1", "PUT job", now);
  }

  /** Submits a job at the clock's instant, as the API does. */
  public StoredJob put(String job, String json) {
    return put(name(job), json);
  }

  /** The same, in any collection. */
  public StoredJob put(JobName name, String json) {
    JobDefinition read = StoredJson.readJob(new JobKey(name.key()), json);
    JobDefinition definition = Keys256.VAULT.seal(name, read);
    return on(() -> put(stores, name, 0, definition)).job();
  }

  /** Enables or disables a job at the clock's instant, as the API does. */
  /** How the keys of a job's partition begin, spelt here as it is documented. */
  public static String slot(String job) {
    return "carillon:{" + KEYS.partition(name(job).key()) + "}:";
  }

  /** The key of a job's hash. */
  public static String hash(String job) {
    return slot(job) + "job:" + name(job).key();
  }

  /** Deletes a job, as a client does. */
  public void delete(String job) {
    stores(
        all ->
            all.job()
                .jobs()
                .delete(name(job), 0, Precondition.NONE, auditContext(clock.instant())));
  }

  /** Requests an execution of a job now, as a client does. */
  public void requestExecution(String job) {
    on(() -> requestExecution(stores, name(job), clock.instant()));
  }

  /** Requests an execution of a job, as a client does; each call adds one. */
  public static Future<Boolean> requestExecution(Stores stores, JobName name, Instant now) {
    JobStore.ExecutionRequest request = new JobStore.ExecutionRequest(false, Optional.empty());
    return stores.job().jobs().requestExecution(name, request, auditContext(now));
  }

  public StoredJob setState(String job, JobState state) {
    return on(() -> setState(stores, name(job), 0, state));
  }

  /** Disables a job until an instant, as the API does. */
  public StoredJob pause(String job, String note, Instant until) {
    PauseOptions options = new PauseOptions(Optional.of(note), Optional.of(until));
    Optional<Pause> pause = Optional.of(options.pause(Optional.empty(), "test", clock.instant()));
    return on(
        () ->
            repeated(
                () ->
                    stores
                        .job()
                        .jobs()
                        .version(name(job))
                        .map(Optional::orElseThrow)
                        .compose(
                            version ->
                                stores
                                    .job()
                                    .jobs()
                                    .change(
                                        version,
                                        0,
                                        version.job().orElseThrow().definition(),
                                        JobState.DISABLED,
                                        pause,
                                        auditContext(clock.instant())))));
  }

  /** Submits an enabled job, as the API does; what comes between makes it begin again. */
  public static Future<JobStore.Put> put(
      Stores stores, JobName name, long epoch, JobDefinition definition) {
    return repeated(
        () ->
            stores
                .job()
                .jobs()
                .version(name)
                .compose(
                    version ->
                        stores
                            .job()
                            .jobs()
                            .put(
                                name,
                                epoch,
                                definition,
                                JobState.ENABLED,
                                Precondition.NONE,
                                auditContext(Instant.EPOCH),
                                version)));
  }

  /** Enables or disables a job, as the API does. */
  public static Future<StoredJob> setState(
      Stores stores, JobName name, long epoch, JobState state) {
    return repeated(
        () ->
            stores
                .job()
                .jobs()
                .version(name)
                .map(Optional::orElseThrow)
                .compose(
                    version ->
                        stores
                            .job()
                            .jobs()
                            .change(
                                version,
                                epoch,
                                version.job().orElseThrow().definition(),
                                state,
                                auditContext(Instant.EPOCH))));
  }

  private static <T> Future<T> repeated(Supplier<Future<T>> write) {
    return write
        .get()
        .recover(
            failure ->
                failure instanceof MovedJobException
                    ? repeated(write)
                    : Future.failedFuture(failure));
  }

  /** Gives a job another definition, as a PATCH does. */
  public void change(String job, String definition, JobState state) {
    on(
        () ->
            stores
                .job()
                .jobs()
                .version(name(job))
                .compose(
                    version ->
                        stores
                            .job()
                            .jobs()
                            .change(
                                version.orElseThrow(),
                                0,
                                definition(definition),
                                state,
                                auditContext(clock.instant()))));
  }

  public StoredJob get(String job) {
    return on(() -> stores.job().jobs().get(name(job)));
  }

  public List<HistoryEntry> history(String job) {
    return on(() -> stores.job().jobListing().history(name(job), HistoryFilter.ALL, 0, 1000));
  }

  public List<HistoryMark> marks(String job) {
    return on(() -> stores.job().jobListing().marks(name(job)));
  }

  /** How this node reaches Redis. */
  public StoreFactory storage() {
    return storeFactory;
  }

  /** Any other step of the stores. */
  public <T> T stores(java.util.function.Function<Stores, Future<T>> step) {
    return on(() -> step.apply(stores));
  }

  /** The same without waiting for its end. */
  public <T> Future<T> begin(java.util.function.Function<Stores, Future<T>> step) {
    return vertx.executeBlocking(() -> null).compose(go -> step.apply(stores));
  }

  /** A connection of its own, for as long as a step takes. */
  public <T> Future<T> beside(java.util.function.Function<Stores, Future<T>> step) {
    return vertx
        .executeBlocking(() -> null)
        .compose(go -> storeFactory.open(vertx))
        .compose(own -> step.apply(own).eventually(() -> own.close()));
  }

  public Response redis(Command command, String... arguments) {
    Request request = Request.cmd(command);
    for (String argument : arguments) {
      request.arg(argument);
    }
    return on(() -> stores.link().send(request));
  }

  /**
   * Moves the clock, lets the timer poll everywhere, and waits until nothing is claimed any more.
   */
  public void stepTo(Instant instant) {
    clock.set(instant);
    step();
  }

  public void step() {
    poll();
    awaitIdle();
  }

  /** Lets the timer poll and purge everywhere, and waits for nothing. */
  public void poll() {
    Await.result(timer.poll());
    timer.purge();
  }

  /** Until this node holds no claim. */
  public void awaitIdle() {
    Await.until("no claims of " + node, () -> isIdle() && claims() == 0);
  }

  private boolean isIdle() {
    Await.result(timer.idle());
    return true;
  }

  /** How many claims Redis has under this node's name. */
  public int claims() {
    return claims(node);
  }

  private int claims(String holder) {
    int claims = 0;
    for (int partition = 0; partition < KEYS.partitions(); partition++) {
      claims += redis(Command.HLEN, "carillon:{" + partition + "}:claims:" + holder).toInteger();
    }
    return claims;
  }

  /** Until Redis has no claim under that node's name. */
  public void awaitNoClaimsOf(String holder) {
    Await.until("no claims of " + holder, () -> claims(holder) == 0);
  }

  /** What waits, as operators see it. */
  public List<String> due() {
    return java.util.stream.IntStream.range(0, KEYS.partitions())
        .boxed()
        .flatMap(p -> redis(Command.ZRANGE, "carillon:{" + p + "}:due", "0", "-1").stream())
        .map(Response::toString)
        .toList();
  }

  /** How many entries are due by an instant, in all partitions. */
  public long due(Instant by) {
    long due = 0;
    for (int partition = 0; partition < KEYS.partitions(); partition++) {
      due +=
          redis(Command.ZCOUNT, KEYS.due(partition), "-inf", Long.toString(by.toEpochMilli()))
              .toLong();
    }
    return due;
  }

  /** One heartbeat, at the clock's instant. */
  public void beat() {
    Await.result(timer.beat());
  }

  /** The same without waiting for its end. */
  public Future<Void> beginBeat() {
    return timer.beat();
  }

  /** Leaves the partitions to the others and claims nothing from then on. */
  public void quiesce() {
    Await.result(timer.quiesce());
  }

  /** The members, as this node sees them. */
  public List<NodeStore.Member> members() {
    return stores(all -> all.node().nodes().members("", 0, 100)).members();
  }

  /** One look at the flows, and at what waits for them. */
  public void lookAtFlows() {
    Await.result(timer.lookAtFlows());
  }

  /** Asks for all that waits for flows, without waiting for the answer. */
  public Future<Void> beginFlows() {
    return timer.pollFlows();
  }

  /** Reads the calendars, and lets next occurrences follow them. */
  public void updateCalendars() {
    Await.result(timer.updateCalendars());
  }

  /** Lets next occurrences follow the tz database. */
  public void updateTimeZones() {
    Await.result(timer.updateTimeZones());
  }

  /** Clears away what deleted collections left behind. */
  public void sweep() {
    Await.result(timer.sweep());
  }

  /**
   * Takes the node's lease away: it claims nothing and looks after nothing until its next {@link
   * #beat}, also not by its own timer, which polls twice a second.
   */
  public void freeze() {
    pass(LEASE);
  }

  /** Lets the node's own monotonic clock go on, as if it had been paused. */
  public void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  /** Ends this node in good order. */
  @Override
  public void close() {
    on(() -> stores.close());
    Await.result(vertx.close());
  }
}
