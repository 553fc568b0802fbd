package carillon.dispatch;

import carillon.bus.Messages;
import carillon.config.DispatchSettings;
import carillon.config.OAuthSettings;
import carillon.config.QueuesSettings;
import carillon.config.RetrySettings;
import carillon.egress.CheckedEgress;
import carillon.egress.Egress;
import carillon.egress.EgressPolicy;
import carillon.egress.EgressRefusal;
import carillon.job.Call;
import carillon.job.CollectionName;
import carillon.job.JobCollection;
import carillon.job.RetryPolicy;
import carillon.job.Run;
import carillon.job.Trail;
import carillon.servicebus.BusConnections;
import carillon.store.Lease;
import carillon.store.Outcome;
import carillon.store.Storage;
import carillon.store.Stores;
import carillon.store.TimeKeeper;
import carillon.vault.Vault;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.eventbus.MessageConsumer;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the attempts that the timer has claimed and finishes them. One per event loop; its state is
 * confined to its event loop.
 */
public final class DispatcherVerticle extends VerticleBase {
  private static final Logger LOG = LoggerFactory.getLogger(DispatcherVerticle.class);
  private static final long DRAIN_POLL_MS = 10;

  private final Storage storage;
  private final TimeKeeper clock;
  private final Lease lease;
  private final Config config;
  private final DispatchObserver observer;
  private final RetryPlanner planner;
  private final Set<Run> inFlight = new HashSet<>();

  private Stores stores;
  private Invokers invokers;
  private MessageConsumer<Messages.Attempt> attempts;

  /**
   * What a dispatcher is told.
   *
   * @param stopGrace how long attempts may go on after a stop was asked for
   * @param userAgent sent with every call
   * @param vault opens the secrets of calls
   * @param egress what may be called
   */
  public record Config(
      DispatchSettings dispatch,
      QueuesSettings queues,
      RetrySettings retry,
      OAuthSettings oauth,
      Duration stopGrace,
      String userAgent,
      Vault vault,
      EgressPolicy egress) {}

  public DispatcherVerticle(
      Storage storage, TimeKeeper clock, Lease lease, Config config, DispatchObserver observer) {
    this.storage = storage;
    this.clock = clock;
    this.lease = lease;
    this.config = config;
    this.observer = observer;
    this.planner =
        new RetryPlanner(
            new RetryPolicy.Fixed(
                config.retry().interval(), config.retry().count(), Optional.empty()),
            config.retry().maxRetryAfter(),
            () -> ThreadLocalRandom.current().nextDouble());
  }

  @Override
  public Future<?> start() {
    return storage
        .open(vertx)
        .onSuccess(
            opened -> {
              stores = opened;
              invokers = invokers(opened);
              attempts = Messages.ATTEMPT.consume(vertx.eventBus(), this::attempt);
            });
  }

  private Invokers invokers(Stores opened) {
    ExecutionHeaders headers = new ExecutionHeaders(config.userAgent(), config.dispatch().region());
    Egress egress = observed(CheckedEgress.of(vertx, config.egress()));
    TokenEndpoint endpoint = new TokenEndpoint(vertx, config.dispatch(), config.oauth());
    HttpInvoker http =
        new HttpInvoker(
            vertx,
            clock,
            config.dispatch(),
            headers,
            new Authenticator(clock, config.dispatch(), new TokenSource(endpoint, clock)),
            new Signer(this::collection, config.vault(), clock),
            egress);
    return new Invokers(
        config.vault(),
        clock,
        http,
        new StorageQueueInvoker(http, config.queues(), config.dispatch().region()),
        new ServiceBusInvoker(http, busConnections(egress), config.queues(), clock),
        new RedisQueueInvoker(clock, config.dispatch(), config.queues(), opened.queues()));
  }

  private Egress observed(Egress egress) {
    return (host, port) ->
        egress
            .check(host, port)
            .onFailure(
                failure -> {
                  if (failure instanceof EgressRefusal) {
                    observer.refused();
                  }
                });
  }

  private BusConnections busConnections(Egress egress) {
    DispatchSettings dispatch = config.dispatch();
    return new BusConnections(
        vertx,
        egress,
        clock,
        dispatch.trustedCa(),
        new BusConnections.Bounds(
            config.queues().busConnections(),
            dispatch.maxPerDestination(),
            config.queues().busIdle(),
            dispatch.timeout()));
  }

  private Future<Optional<JobCollection>> collection(CollectionName name) {
    return stores.link().persist(() -> stores.collections().find(name));
  }

  /** A node that may have been taken for dead sends nothing: another may be sending it. */
  private void attempt(Messages.Attempt attempt) {
    Run run = attempt.run();
    if (!lease.isHeld()) {
      LOG.atWarn().addKeyValue("run", run.text()).log("lease ran out before the call, handed back");
      // The slot first: once the run is back in due, the timer may claim the very same run again.
      ended(run);
      giveBack(run)
          .onFailure(
              failure ->
                  LOG.atError()
                      .addKeyValue("run", run.text())
                      .setCause(failure)
                      .log("run cannot be handed back"));
      return;
    }
    inFlight.add(run);
    Call call = RetryPlanner.action(run, attempt.definition()).call();
    Trail trail = observer.begins(run, call, attempt.definition().trace());
    invokers
        .invoke(run, attempt.name(), trail.context().map(call::traced).orElse(call))
        .map(result -> planner.plan(run, attempt.definition(), result, clock.uncertainty()))
        .onSuccess(outcome -> trail.outcome(outcome.entry().status()))
        .onComplete(known -> trail.ended())
        .compose(
            outcome -> inFlight.contains(run) ? finish(attempt, outcome) : Future.succeededFuture())
        .onFailure(
            failure ->
                LOG.atError()
                    .addKeyValue("run", run.text())
                    .setCause(failure)
                    .log("attempt cannot be finished"))
        .onComplete(
            done -> {
              inFlight.remove(run);
              ended(run);
            });
  }

  private Future<Void> finish(Messages.Attempt attempt, Outcome outcome) {
    return stores
        .link()
        .persist(() -> stores.runs().finish(outcome, clock.instant()))
        .map(
            word -> {
              log(outcome, word);
              observe(attempt, outcome, word);
              if (!word.equals("LOST")) {
                Messages.FINISHED.toAll(
                    vertx.eventBus(),
                    new Messages.Finished(outcome.run(), attempt.name(), outcome.entry()));
              }
              if (word.equals("DONE")) {
                outcome.following().ifPresent(this::announce);
              }
              return null;
            });
  }

  private void observe(Messages.Attempt attempt, Outcome outcome, String word) {
    if (word.equals("LOST")) {
      observer.lost();
    } else {
      observer.finished(RetryPlanner.action(attempt.run(), attempt.definition()).call(), outcome);
    }
  }

  private void announce(Outcome.Following following) {
    Messages.look(
        vertx.eventBus(),
        () -> stores.runs().partition(following.run()),
        following.due(),
        clock.instant());
  }

  private static void log(Outcome outcome, String word) {
    if (LOG.isDebugEnabled() || word.equals("LOST")) {
      (word.equals("LOST") ? LOG.atWarn() : LOG.atDebug())
          .addKeyValue("run", outcome.run().text())
          .addKeyValue("execution", outcome.run().executionId())
          .addKeyValue("status", outcome.entry().status().word())
          .log(
              word.equals("LOST")
                  ? "claim was taken over meanwhile, result dropped"
                  : "attempt finished");
    }
  }

  private Future<Void> giveBack(Run run) {
    return stores.link().persist(() -> stores.runs().handBack(run, clock.instant()));
  }

  private void ended(Run run) {
    Messages.ENDED.toOne(vertx.eventBus(), new Messages.Ended(run));
  }

  /** Lets attempts in flight end within the grace period and hands the rest back. */
  @Override
  public Future<?> stop() {
    if (stores == null) {
      return Future.succeededFuture();
    }
    return attempts
        .unregister()
        .compose(done -> drain(System.nanoTime() + config.stopGrace().toNanos()))
        .compose(
            drained -> Future.join(Set.copyOf(inFlight).stream().map(this::interrupted).toList()))
        .otherwiseEmpty()
        .eventually(() -> Future.join(invokers.close(), stores.link().close()));
  }

  private Future<Void> drain(long until) {
    return inFlight.isEmpty() || System.nanoTime() > until
        ? Future.succeededFuture()
        : vertx.timer(DRAIN_POLL_MS).compose(passed -> drain(until));
  }

  /** Its result, should it still come, is no longer waited for. */
  private Future<Void> interrupted(Run run) {
    inFlight.remove(run);
    LOG.atWarn()
        .addKeyValue("run", run.text())
        .log("attempt did not end within the grace period, handed back; it may be repeated");
    return stores.runs().handBack(run, clock.instant());
  }
}
