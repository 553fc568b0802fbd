package carillon.timer;

import carillon.bus.Messages;
import carillon.config.NodeSettings;
import carillon.config.Settings;
import carillon.json.schedule.TimeZoneNames;
import carillon.redis.EpochMillis;
import carillon.redis.SharedClock;
import carillon.store.StoreFactory;
import carillon.store.Stores;
import carillon.store.attempt.Lease;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Timer of a node: wakes when something is due and lets the {@link Claimer} claim it. One per node;
 * its state is confined to its event loop.
 *
 * <p>Instants reach the wheel in three ways. Every claim returns the earliest remaining entry of
 * its partition. The first-ranked node asks each of its partitions every {@code timer.look}. {@link
 * Messages#WAKE_UP} announces entries that this node accepted or scheduled. Instants beyond the
 * wheel's horizon are left to the regular question.
 */
public final class TimerVerticle extends VerticleBase {
  private static final Logger LOG = LoggerFactory.getLogger(TimerVerticle.class);
  private static final Duration OWN_HORIZON = Duration.ofSeconds(1);

  /** Maximum time that a stopping node waits for the last report of its flows. */
  private static final Duration REPORT_PATIENCE = Duration.ofSeconds(1);

  private final StoreFactory storeFactory;
  private final SharedClock clock;
  private final Lease lease;
  private final Config config;
  private final TimerObserver observer;

  private Stores stores;
  private NodeIdGuard idGuard;
  private WakeUpTimer wakeUpTimer;
  private Membership members;
  private Claimer claimer;
  private InFlight inFlight;
  private Heartbeat heartbeat;
  private FlowControl flows;
  private DeletionSweeper sweeper;
  private Purger purger;
  private OutageLog outages;
  private TimeZoneUpdater timeZones;
  private CalendarUpdater calendars;
  private ChangeNoticeReader notices;
  private long rankTicks;
  private boolean stopped;

  /**
   * Options of a timer.
   *
   * @param version version of this program
   * @param soleOwner whether no other process can have this node's id, so that existing claims
   *     under it are from an earlier process
   * @param polls whether it polls for due entries as time passes; false if the caller uses {@link
   *     #poll}
   */
  public record Config(
      Settings settings, String nodeId, String version, boolean soleOwner, boolean polls) {

    int partitions() {
      return settings.partitions();
    }

    /** Whether this node shares the partitions and makes calls. */
    boolean isWorker() {
      return settings.node().has(NodeSettings.NodeRole.TIMER_DISPATCH);
    }
  }

  /** Objects shared by the parts of the timer, once it is connected. */
  record Shared(
      Vertx vertx,
      Stores stores,
      SharedClock clock,
      Lease lease,
      Steadiness steadiness,
      Membership members,
      InFlight inFlight,
      TimerObserver observer,
      OutageLog outages,
      Config config) {}

  public TimerVerticle(
      StoreFactory storeFactory,
      SharedClock clock,
      Lease lease,
      Config config,
      TimerObserver observer) {
    this.storeFactory = storeFactory;
    this.clock = clock;
    this.lease = lease;
    this.config = config;
    this.observer = observer;
  }

  @Override
  public Future<?> start() {
    return storeFactory
        .open(vertx)
        .compose(
            opened -> {
              stores = opened;
              return prepare()
                  .recover(
                      failure -> opened.close().transform(closed -> Future.failedFuture(failure)));
            });
  }

  private Future<Void> prepare() {
    return stores
        .persistAtStart(() -> stores.node().nodes().syncClock())
        .compose(
            told -> {
              idGuard = new NodeIdGuard(vertx, stores, clock, lease::nanoTime, config);
              return stores.persistAtStart(idGuard::claim);
            })
        .compose(own -> begin());
  }

  private Future<Void> begin() {
    wakeUpTimer = new WakeUpTimer(vertx, clock, config.partitions(), this::pollPartition);
    members = new Membership(config.nodeId(), config.partitions(), config.isWorker());
    inFlight = new InFlight(config.settings().dispatch().maxInFlight());
    Steadiness steadiness =
        new Steadiness(clock, lease::nanoTime, config.settings().node().lease());
    outages = new OutageLog(lease, config.partitions(), members::polls);
    Shared shared =
        new Shared(
            vertx, stores, clock, lease, steadiness, members, inFlight, observer, outages, config);
    ListReleaser releaser = new ListReleaser(shared, this::wakeAt);
    claimer = new Claimer(shared, this::wakeAt, releaser);
    purger = new Purger(shared, claimer);
    calendars = new CalendarUpdater(shared);
    timeZones = new TimeZoneUpdater(shared, members, calendars, TimeZoneNames.version());
    heartbeat = new Heartbeat(shared, idGuard, members, claimer, releaser);
    flows = claimer.flows();
    notices = new ChangeNoticeReader(stores, claimer, heartbeat, flows, calendars);
    sweeper =
        new DeletionSweeper(
            stores.collection().collectionDeletion(),
            stores.collection().disabledMarkers(),
            members,
            outages,
            config.partitions());
    if (config.isWorker()) {
      listen();
    }
    return stores
        .persistAtStart(notices::begin) // reads notices from here on, before the first claim
        .compose(begun -> stores.persistAtStart(calendars::begin))
        .compose(known -> stores.persistAtStart(flows::begin))
        .compose(known -> heartbeat.beat())
        .onSuccess(
            first -> {
              repeat(heartbeat::pause, heartbeat::beat);
              if (config.isWorker()) {
                work();
              }
            });
  }

  private void listen() {
    Messages.WAKE_UP.consume(
        vertx.eventBus(), wakeUp -> wakeAt(wakeUp.partition(), EpochMillis.of(wakeUp.at()), false));
    Messages.ENDED.consume(vertx.eventBus(), ended -> claimer.ended(ended.claim(), ended.call()));
    Messages.FLOWS_CHANGED.takeIn(vertx.eventBus(), changed -> flows.refresh());
  }

  private void work() {
    repeat(config.settings().node()::heartbeat, flows::look);
    repeat(config.settings().node()::heartbeat, sweeper::sweep);
    repeat(() -> Purger.PAUSE, purger::purge);
    repeat(() -> TimeZoneUpdater.PAUSE, timeZones::update);
    repeat(config.settings().node()::heartbeat, calendars::update);
    repeat(() -> ChangeNoticeReader.PAUSE, notices::read);
    if (config.polls()) {
      repeat(config.settings().timer()::look, this::askForNextDue);
      vertx.setPeriodic(Membership.RANK_STEP.toMillis(), id -> pollBehindOthers());
    }
    vertx.setPeriodic(DestinationBulkhead.CHECK_INTERVAL, id -> claimer.expireWaiting());
  }

  /** Repeats a step, each time after a pause, so that it never overlaps itself. */
  private void repeat(Supplier<Duration> pause, Supplier<Future<Void>> step) {
    vertx.setTimer(
        pause.get().toMillis(),
        id -> {
          if (!stopped) {
            step.get().onComplete(done -> repeat(pause, step));
          }
        });
  }

  /** Polls every partition that this node polls first. Used when a virtual clock advances. */
  public Future<Void> poll() {
    return onTimer(
        () -> {
          pollAll();
          return Future.succeededFuture();
        });
  }

  /**
   * Asks each partition of this node once for the instant of its next entry, and one of them for
   * claims that this node does not know.
   */
  public Future<Void> look() {
    return onTimer(this::askForNextDue);
  }

  /** Purges finished jobs that are no longer kept. */
  public Future<Void> purge() {
    return onTimer(purger::purge);
  }

  /**
   * Completes when this node has no attempt in flight, no claim under way and no purge under way.
   */
  public Future<Void> idle() {
    return onTimer(() -> inFlight.idle());
  }

  /** Performs one heartbeat now. */
  public Future<Void> beat() {
    return onTimer(heartbeat::beat);
  }

  /** Checks the flows and their waiting attempts once, now. */
  public Future<Void> lookAtFlows() {
    return onTimer(flows::look);
  }

  /** Requests tokens for all attempts that wait for flows. Used when a virtual clock advances. */
  public Future<Void> pollFlows() {
    return onTimer(flows::step);
  }

  /**
   * Returns the instant, epoch ms, at which more attempts may pass their flows automatically. It
   * may be in the past.
   */
  public Future<OptionalLong> nextDueOfFlows() {
    return onTimer(() -> Future.succeededFuture(flows.nextDue()));
  }

  /** Performs one sweep now. */
  public Future<Void> sweep() {
    return onTimer(sweeper::sweep);
  }

  /** Checks the calendars once, now. */
  public Future<Void> updateCalendars() {
    return onTimer(calendars::update);
  }

  /** Checks the tz database once, now. */
  public Future<Void> updateTimeZones() {
    return onTimer(timeZones::update);
  }

  private <T> Future<T> onTimer(Supplier<Future<T>> step) {
    Promise<T> done = Promise.promise();
    context.runOnContext(go -> step.get().onComplete(done));
    return done.future();
  }

  private void pollPartition(int partition) {
    if (!stopped) {
      claimer.poll(partition);
    }
  }

  private void pollAll() {
    for (int partition = 0; partition < config.partitions(); partition++) {
      if (members.rank(partition) == 0) {
        claimer.poll(partition);
      }
    }
  }

  private Future<Void> askForNextDue() {
    if (!stores.isUp()) {
      return Future.succeededFuture();
    }
    claimer.reclaimUnknown();
    List<Future<?>> asked = new ArrayList<>();
    for (int p = 0; p < config.partitions(); p++) {
      int partition = p;
      if (members.rank(partition) == 0) {
        asked.add(
            stores
                .attempt()
                .claims()
                .nextDue(partition)
                .onSuccess(next -> next.ifPresent(at -> wakeAt(partition, at, true)))
                .onFailure(failure -> notAsked(partition, failure)));
      }
    }
    return Future.join(asked).<Void>mapEmpty().otherwiseEmpty();
  }

  private void notAsked(int partition, Throwable failure) {
    LOG.atLevel(outages.level(failure))
        .addKeyValue("partition", partition)
        .addKeyValue("error", failure.getMessage())
        .log("the next due instant of a partition cannot be read, trying again later");
  }

  private void pollBehindOthers() {
    rankTicks++;
    if (members.workers() == 1 || !stores.isUp()) {
      return;
    }
    for (int partition = 0; partition < config.partitions(); partition++) {
      if (members.pollsBehind(partition, rankTicks)) {
        claimer.pollOverdue(partition, members.overdueMillis(partition));
      }
    }
  }

  /**
   * Schedules a wake-up if it is for this node.
   *
   * @param earliest whether it is the earliest entry of its partition, which only the first-ranked
   *     node needs; entries that this node scheduled itself are polled by this node if they are due
   *     soon
   */
  private void wakeAt(int partition, long millis, boolean earliest) {
    boolean mine = members.rank(partition) == 0;
    boolean soon = millis - clock.millis() <= OWN_HORIZON.toMillis();
    if (mine || (!earliest && soon)) {
      wakeUpTimer.set(partition, millis);
    }
  }

  /**
   * Leaves the partitions to other nodes and stops claiming. Completes when all claimed attempts
   * are handed out. Must be called before the dispatchers stop.
   */
  public Future<Void> quiesce() {
    return onTimer(
        () ->
            heartbeat
                .leave()
                .compose(
                    seen -> {
                      claimer.stop();
                      purger.stop();
                      timeZones.stop();
                      calendars.stop();
                      return inFlight.quiet();
                    }));
  }

  /** Stops the heartbeat only here, so that the claims of a stopping node remain its own. */
  @Override
  public Future<?> stop() {
    stopped = true;
    if (purger != null) {
      purger.stop();
      timeZones.stop();
      calendars.stop();
    }
    if (stores == null) {
      return Future.succeededFuture();
    }
    int attempts = inFlight == null ? 0 : inFlight.size();
    boolean inDoubt = claimer != null && claimer.isInDoubt();
    LOG.atInfo()
        .addKeyValue("node", config.nodeId())
        .addKeyValue("inFlight", attempts)
        .log("timer stopped");
    return reported()
        .compose(told -> farewell(attempts == 0 && !inDoubt))
        .eventually(() -> stores.close());
  }

  /** Sends the last reports of the flows, unless that takes too long. */
  private Future<?> reported() {
    return flows == null
        ? Future.succeededFuture()
        : Future.any(
            flows.report(), vertx.timer(REPORT_PATIENCE.toMillis(), TimeUnit.MILLISECONDS));
  }

  /**
   * Removes this node from the list, unless it leaves claims behind. They are recovered only if the
   * node is listed as dead.
   */
  private Future<Void> farewell(boolean isClean) {
    return isClean
        ? stores.node().nodes().forget(config.nodeId()).otherwiseEmpty()
        : Future.succeededFuture();
  }
}
