package carillon.timer;

import carillon.bus.Messages;
import carillon.config.NodeSettings;
import carillon.config.Settings;
import carillon.json.TimeZoneNames;
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
 * The timer of a node: wakes when something is due and lets the {@link Claimer} take it. One per
 * node; its state is confined to its event loop.
 *
 * <p>How an instant reaches the wheel: every claim tells the earliest entry that is left in the
 * partition; the first-ranked node asks each of its partitions every {@code timer.look}; and what
 * this node itself accepted or scheduled is told by {@link Messages#WAKE_UP}. What lies beyond the
 * wheel's horizon is left to those questions.
 */
public final class TimerVerticle extends VerticleBase {
  private static final Logger LOG = LoggerFactory.getLogger(TimerVerticle.class);
  private static final Duration OWN_HORIZON = Duration.ofSeconds(1);

  /** A node that stops waits no longer than this for its flows to be told what has ended. */
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
   * @param version of this program
   * @param soleOwner no other process can have this node's id, so that claims under it are left
   *     from an earlier life
   * @param polls looks for what is due as time goes by; false for whoever calls {@link #poll}
   */
  public record Config(
      Settings settings, String nodeId, String version, boolean soleOwner, boolean polls) {

    int partitions() {
      return settings.partitions();
    }

    /** Whether this node has its share of the partitions, and makes calls. */
    boolean isWorker() {
      return settings.node().has(NodeSettings.NodeRole.TIMER_DISPATCH);
    }
  }

  /** What the parts of the timer share, once it is connected. */
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
    claimer = new Claimer(shared, this::wakeAt);
    purger = new Purger(shared, claimer);
    calendars = new CalendarUpdater(shared);
    timeZones = new TimeZoneUpdater(shared, members, calendars, TimeZoneNames.version());
    heartbeat = new Heartbeat(shared, idGuard, members, claimer);
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
        .persistAtStart(notices::begin) // from here on, before anything is claimed
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

  /** Runs a step again and again, a pause after it has ended, so that it never overlaps itself. */
  private void repeat(Supplier<Duration> pause, Supplier<Future<Void>> step) {
    vertx.setTimer(
        pause.get().toMillis(),
        id -> {
          if (!stopped) {
            step.get().onComplete(done -> repeat(pause, step));
          }
        });
  }

  /**
   * Polls every partition that is this node's to poll first: the step that time brings about, for
   * whoever steps time.
   */
  public Future<Void> poll() {
    return onTimer(
        () -> {
          pollAll();
          return Future.succeededFuture();
        });
  }

  /**
   * Asks each partition of this node once when its next entry is due, and one of them for claims
   * that this node never heard of.
   */
  public Future<Void> look() {
    return onTimer(this::askForNextDue);
  }

  /** Purges the finished jobs whose time is over. */
  public Future<Void> purge() {
    return onTimer(purger::purge);
  }

  /** Completes as soon as this node has no attempt in flight, claims none, and purges none. */
  public Future<Void> idle() {
    return onTimer(() -> inFlight.idle());
  }

  /** One heartbeat at once. */
  public Future<Void> beat() {
    return onTimer(heartbeat::beat);
  }

  /** One look at the flows, and at what waits for them, at once. */
  public Future<Void> lookAtFlows() {
    return onTimer(flows::look);
  }

  /** Asks for all that waits for flows: the step that time brings about, for whoever steps time. */
  public Future<Void> pollFlows() {
    return onTimer(flows::step);
  }

  /**
   * The instant, epoch ms, at which more of what waits for flows may begin, as far as it goes on by
   * itself; it may be past.
   */
  public Future<OptionalLong> nextDueOfFlows() {
    return onTimer(() -> Future.succeededFuture(flows.nextDue()));
  }

  /** One sweep at once. */
  public Future<Void> sweep() {
    return onTimer(sweeper::sweep);
  }

  /** One look at the calendars at once. */
  public Future<Void> updateCalendars() {
    return onTimer(calendars::update);
  }

  /** One look at the tz database at once. */
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
   * Schedules a wake-up, if it is for this node.
   *
   * @param earliest of its partition: heeded by the first-ranked node only; what this node
   *     scheduled itself it polls for itself, if soon
   */
  private void wakeAt(int partition, long millis, boolean earliest) {
    boolean mine = members.rank(partition) == 0;
    boolean soon = millis - clock.millis() <= OWN_HORIZON.toMillis();
    if (mine || (!earliest && soon)) {
      wakeUpTimer.set(partition, millis);
    }
  }

  /**
   * Leaves the partitions to the others and claims nothing from then on; done when all that was
   * claimed is handed out. To be called before the dispatchers stop.
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

  /** The heartbeat goes on until here, so that the claims of a stopping node stay its own. */
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

  /** What flows are to know is told, unless that takes too long. */
  private Future<?> reported() {
    return flows == null
        ? Future.succeededFuture()
        : Future.any(
            flows.report(), vertx.timer(REPORT_PATIENCE.toMillis(), TimeUnit.MILLISECONDS));
  }

  /**
   * A node that leaves claims behind stays listed: only then are they found to be a dead node's.
   */
  private Future<Void> farewell(boolean isClean) {
    return isClean
        ? stores.node().nodes().forget(config.nodeId()).otherwiseEmpty()
        : Future.succeededFuture();
  }
}
