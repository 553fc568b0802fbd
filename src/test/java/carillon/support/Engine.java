package carillon.support;

import carillon.access.AuditEntry.AuditContext;
import carillon.bus.Messages;
import carillon.config.Settings;
import carillon.config.Settings.EgressSettings;
import carillon.dispatch.DispatchOptions;
import carillon.dispatch.DispatcherVerticle;
import carillon.dispatch.call.DispatchObserver;
import carillon.dispatch.egress.EgressPolicy;
import carillon.dispatch.egress.OwnEndpoints;
import carillon.job.AttemptRecord.Source;
import carillon.job.JobDefinition;
import carillon.job.Pause;
import carillon.job.Pause.PauseOptions;
import carillon.job.Precondition;
import carillon.job.StoredJob;
import carillon.job.attempt.Claim;
import carillon.job.attempt.HistoryEntry;
import carillon.job.attempt.HistoryEntry.HistoryFilter;
import carillon.job.attempt.HistoryMark;
import carillon.job.name.CollectionName;
import carillon.job.name.JobKey;
import carillon.job.name.JobName;
import carillon.job.name.JobState;
import carillon.json.StoredJson;
import carillon.redis.Keys;
import carillon.redis.route.RedisLinkOptions;
import carillon.store.StoreFactory;
import carillon.store.Stores;
import carillon.store.attempt.AttemptOutcome;
import carillon.store.attempt.AttemptStore.Finished;
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
 * The real timer and dispatcher on a real Redis, with a clock that the test moves. The timer polls
 * only at the request of the test. Several engines may share one Redis as different nodes.
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
  private final Lease lease;
  private final TimerVerticle timer;
  private final Stores stores;

  /** Engine with the defaults of {@link EngineSettings}: only the test sends heartbeats. */
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
            settings.executions(),
            settings.groups());
    this.lease = new Lease(nanos::get, LEASE, Duration.ofSeconds(1));
    Messages.register(vertx.eventBus());
    stores = on(() -> storeFactory.open(vertx));
    Await.result(
        vertx.deployVerticle(
            new DispatcherVerticle(
                storeFactory,
                clock,
                lease,
                new DispatchOptions(
                    settings, "Carillon/test", Keys256.VAULT, policy(settings.egress())),
                DispatchObserver.NONE)));
    timer =
        new TimerVerticle(
            storeFactory,
            clock,
            lease,
            new TimerVerticle.Config(settings, node, "test", true, false),
            TimerObserver.NONE);
    Await.result(vertx.deployVerticle(timer));
  }

  /** Targets of tests are on loopback, so it is allowed unless the settings deny it. */
  private static EgressPolicy policy(EgressSettings egress) {
    boolean loopback = egress.loopback() != EgressSettings.Loopback.DENY;
    return new EgressPolicy(egress.allow(), loopback, new OwnEndpoints());
  }

  public Vertx vertx() {
    return vertx;
  }

  private <T> T on(Supplier<Future<T>> step) {
    return Await.result(vertx.executeBlocking(() -> null).compose(go -> step.get()));
  }

  /** Returns the name of a job in the default collection. */
  public static JobName name(String job) {
    return COLLECTION.job(job);
  }

  /** Reads a definition in stored form. */
  public static JobDefinition definition(String json) {
    return StoredJson.readJob(new JobKey(name("any").key()), json);
  }

  /** Returns the audit context of a client's change at this instant. */
  public static AuditContext auditContext(Instant now) {
    return new AuditContext("test", "127.0.0.1", "PUT job", now);
  }

  /** Submits a job at the clock's instant, as the API does. */
  public StoredJob put(String job, String json) {
    return put(name(job), json);
  }

  /** Submits a job of any collection. */
  public StoredJob put(JobName name, String json) {
    JobDefinition read = StoredJson.readJob(new JobKey(name.key()), json);
    JobDefinition definition = Keys256.VAULT.seal(name, read);
    return on(() -> put(stores, name, 0, definition)).job();
  }

  /** Returns the documented prefix of all keys in a job's partition. */
  public static String slot(String job) {
    return "carillon:{" + KEYS.partition(name(job).key()) + "}:";
  }

  /** Returns the key of a job's hash. */
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

  /** Requests an execution of a job, as a client does. Each call adds an execution. */
  public static Future<JobStore.RequestedExecution> requestExecution(
      Stores stores, JobName name, Instant now) {
    JobStore.ExecutionRequest request = new JobStore.ExecutionRequest(false, Optional.empty());
    return stores.job().jobs().requestExecution(name, request, auditContext(now));
  }

  /** Enables or disables a job at the clock's instant, as the API does. */
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
                        .reader()
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

  /** Submits an enabled job, as the API does. Retries after a concurrent change. */
  public static Future<JobStore.Put> put(
      Stores stores, JobName name, long epoch, JobDefinition definition) {
    return repeated(
        () ->
            stores
                .job()
                .reader()
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
                .reader()
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

  /** Replaces the definition of a job, as a PATCH does. */
  public void change(String job, String definition, JobState state) {
    on(
        () ->
            stores
                .job()
                .reader()
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
    return on(() -> stores.job().reader().get(name(job)));
  }

  public List<HistoryEntry> history(String job) {
    return on(() -> stores.job().jobListing().history(name(job), HistoryFilter.ALL, 0, 1000));
  }

  public List<HistoryMark> marks(String job) {
    return on(() -> stores.job().jobListing().marks(name(job)));
  }

  /** Returns the factory with which this node opens its stores. */
  public StoreFactory storage() {
    return storeFactory;
  }

  /** Performs any other step on the stores. */
  public <T> T stores(java.util.function.Function<Stores, Future<T>> step) {
    return on(() -> step.apply(stores));
  }

  /** Begins a step on the stores without waiting for its end. */
  public <T> Future<T> begin(java.util.function.Function<Stores, Future<T>> step) {
    return vertx.executeBlocking(() -> null).compose(go -> step.apply(stores));
  }

  /** Performs a step on a separate connection, which is closed afterwards. */
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

  /** Moves the clock, makes the timer poll everywhere, and waits until this node holds no claim. */
  public void stepTo(Instant instant) {
    clock.set(instant);
    step();
  }

  public void step() {
    poll();
    awaitIdle();
  }

  /** Makes the timer poll and purge everywhere, without waiting for the results. */
  public void poll() {
    Await.result(timer.poll());
    timer.purge();
  }

  /** Makes the timer check every partition for due entries and for claims unknown to this node. */
  public void look() {
    for (int partition = 0; partition < KEYS.partitions(); partition++) {
      Await.result(timer.look());
    }
  }

  /** Waits until this node holds no claim. */
  public void awaitIdle() {
    Await.until("no claims of " + node, () -> isIdle() && claims() == 0);
  }

  private boolean isIdle() {
    Await.result(timer.idle());
    return true;
  }

  /** Returns the number of claims of this node in Redis. */
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

  /** Waits until Redis has no claim of that node. */
  public void awaitNoClaimsOf(String holder) {
    Await.until("no claims of " + holder, () -> claims(holder) == 0);
  }

  /** Returns the waiting entries of all partitions, as operators see them. */
  public List<String> due() {
    return java.util.stream.IntStream.range(0, KEYS.partitions())
        .boxed()
        .flatMap(p -> redis(Command.ZRANGE, "carillon:{" + p + "}:due", "0", "-1").stream())
        .map(Response::toString)
        .toList();
  }

  /** Returns the number of entries that are due by an instant, in all partitions. */
  public long due(Instant by) {
    long due = 0;
    for (int partition = 0; partition < KEYS.partitions(); partition++) {
      due +=
          redis(Command.ZCOUNT, KEYS.due(partition), "-inf", Long.toString(by.toEpochMilli()))
              .toLong();
    }
    return due;
  }

  /** Performs one heartbeat at the clock's instant. */
  public void beat() {
    Await.result(timer.beat());
  }

  /** Begins a heartbeat without waiting for its end. */
  public Future<Void> beginBeat() {
    return timer.beat();
  }

  /** Hands the partitions over to the other nodes and claims nothing afterwards. */
  public void quiesce() {
    Await.result(timer.quiesce());
  }

  /** Returns the members as this node sees them. */
  public List<NodeStore.Member> members() {
    return stores(all -> all.node().nodes().members("", 0, 100)).members();
  }

  /** Checks the flows and the entries that wait for them. */
  public void lookAtFlows() {
    Await.result(timer.lookAtFlows());
  }

  /** Begins to fetch the entries that wait for flows, without waiting for the reply. */
  public Future<Void> beginFlows() {
    return timer.pollFlows();
  }

  /** Reads the calendars and moves next occurrences accordingly. */
  public void updateCalendars() {
    Await.result(timer.updateCalendars());
  }

  /** Moves next occurrences according to the tz database. */
  public void updateTimeZones() {
    Await.result(timer.updateTimeZones());
  }

  /** Removes the remains of deleted collections. */
  public void sweep() {
    Await.result(timer.sweep());
  }

  /**
   * Lets the lease of the node expire. The node claims and watches nothing until its next {@link
   * #beat}.
   */
  public void freeze() {
    pass(LEASE);
  }

  /** Returns why this node is stalled; empty if it is not. */
  public Optional<String> stall() {
    return lease.failingSteps().reason();
  }

  /** Records the outcome of a claim, as a dispatcher does. */
  public Finished finish(Claim claim, AttemptOutcome outcome) {
    Source source = Source.of(claim.attempt());
    return stores(
        all -> all.attempt().attempts().finish(claim, outcome, source, lease.failingSteps()));
  }

  /** Advances the monotonic clock of the node, as if the node had been paused. */
  public void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  /** Shuts this node down gracefully. */
  @Override
  public void close() {
    on(() -> stores.close());
    Await.result(vertx.close());
  }
}
