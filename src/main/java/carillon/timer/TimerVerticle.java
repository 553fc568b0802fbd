package carillon.timer;

import carillon.bus.Messages;
import carillon.config.DispatchSettings;
import carillon.config.NodeSettings;
import carillon.config.TimerSettings;
import carillon.store.Lease;
import carillon.store.Millis;
import carillon.store.Storage;
import carillon.store.Stores;
import carillon.store.TimeKeeper;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import java.time.Duration;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Wakes when something is due and lets the {@link Claimer} take it. One per node; its state is
 * confined to its event loop.
 *
 * <p>How an instant reaches the wheel: every claim tells the earliest entry that is left in the
 * partition; the first-ranked node asks each of its partitions every {@code timer.look}; and what
 * this node itself accepted or armed is told by {@link Messages#LOOK}. What lies beyond the wheel's
 * horizon is left to those questions.
 */
public final class TimerVerticle extends VerticleBase {
  private static final Logger LOG = LoggerFactory.getLogger(TimerVerticle.class);
  private static final Duration OWN_HORIZON = Duration.ofSeconds(1);
  private static final Duration DRAIN_POLL = Duration.ofMillis(10);

  private final Storage storage;
  private final TimeKeeper clock;
  private final Lease lease;
  private final Config config;
  private final TimerObserver observer;

  private Stores stores;
  private NodeIdentity identity;
  private Alarm alarm;
  private Membership members;
  private Claimer claimer;
  private Heart heart;
  private Farewell farewell;
  private Sweeper sweeper;
  private Purger purger;
  private NoticeReader notices;
  private long rankTicks;
  private boolean stopped;

  /**
   * What the timer is told.
   *
   * @param version of this program
   * @param soleOwner no other process can have this node's id, so that claims under it are left
   *     from an earlier life
   */
  public record Config(
      TimerSettings timer,
      NodeSettings node,
      DispatchSettings dispatch,
      String nodeId,
      String version,
      int partitions,
      boolean soleOwner) {

    /** Whether this node has its share of the partitions, and makes calls. */
    boolean isWorker() {
      return node.has(NodeSettings.Role.TIMER_DISPATCH);
    }
  }

  public TimerVerticle(
      Storage storage, TimeKeeper clock, Lease lease, Config config, TimerObserver observer) {
    this.storage = storage;
    this.clock = clock;
    this.lease = lease;
    this.config = config;
    this.observer = observer;
  }

  @Override
  public Future<?> start() {
    return storage
        .open(vertx)
        .compose(
            opened -> {
              stores = opened;
              return stores.nodes().tellTime();
            })
        .compose(
            told -> {
              identity = new NodeIdentity(vertx, stores, clock, config);
              return identity.claim();
            })
        .compose(own -> begin());
  }

  private Future<Void> begin() {
    alarm = new Alarm(vertx, clock, config.partitions(), this::lookAt);
    members = new Membership(config.nodeId(), config.partitions(), config.isWorker());
    Leftovers leftovers = new Leftovers(stores, clock);
    purger = new Purger(vertx, stores, members, leftovers, config.partitions());
    claimer =
        new Claimer(
            stores,
            new RunPlanner(config.dispatch().maxCrashes()),
            clock,
            lease,
            vertx.eventBus(),
            this::wakeAt,
            observer,
            leftovers,
            new Claimer.Limits(
                config.partitions(),
                config.timer().batch(),
                config.dispatch().maxInFlight(),
                config.dispatch().maxPerDestination(),
                config.dispatch().timeout()));
    heart = new Heart(stores, clock, lease, identity, members, claimer, observer, config);
    farewell = new Farewell(vertx, clock, heart, members, config.node().heartbeat());
    notices = new NoticeReader(stores, claimer, heart);
    sweeper = new Sweeper(stores.removal(), stores.gates(), members, config.partitions());
    if (config.isWorker()) {
      listen();
    }
    return notices
        .read() // from here on, before anything is held
        .compose(begun -> heart.beat())
        .onSuccess(
            first -> {
              repeat(heart::pause, heart::beat);
              if (config.isWorker()) {
                work();
              }
            });
  }

  private void listen() {
    Messages.LOOK.consume(
        vertx.eventBus(), look -> wakeAt(look.partition(), Millis.of(look.at()), false));
    Messages.ENDED.consume(vertx.eventBus(), ended -> claimer.ended(ended.claim()));
  }

  private void work() {
    repeat(config.timer()::look, this::askForNextDue);
    repeat(config.node()::heartbeat, sweeper::sweep);
    repeat(() -> Purger.PAUSE, purger::purge);
    repeat(() -> NoticeReader.PAUSE, notices::read);
    vertx.setPeriodic(Membership.RANK_STEP.toMillis(), id -> lookBehindOthers());
    vertx.setPeriodic(Shares.MOMENT, id -> claimer.tidy());
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
   * Looks at every partition that is this node's to look at first: the step that time brings about,
   * for whoever steps time.
   */
  public Future<Void> look() {
    return onTimer(
        () -> {
          lookEverywhere();
          purger.purge();
          return Future.succeededFuture();
        });
  }

  /** Whether this node holds no run, is not looking for any, and removes no finished job. */
  public Future<Boolean> isIdle() {
    return onTimer(
        () -> Future.succeededFuture(claimer.held() == 0 && !claimer.isBusy() && !purger.isBusy()));
  }

  /** One heartbeat out of turn. */
  public Future<Void> beat() {
    return onTimer(heart::beat);
  }

  /** One round of clearing away, out of turn. */
  public Future<Void> sweep() {
    return onTimer(sweeper::sweep);
  }

  private <T> Future<T> onTimer(Supplier<Future<T>> step) {
    Promise<T> done = Promise.promise();
    context.runOnContext(go -> step.get().onComplete(done));
    return done.future();
  }

  private void lookAt(int partition) {
    if (!stopped) {
      claimer.look(partition);
    }
  }

  private void lookEverywhere() {
    for (int partition = 0; partition < config.partitions(); partition++) {
      if (members.rank(partition) == 0) {
        claimer.look(partition);
      }
    }
  }

  private Future<Void> askForNextDue() {
    Future<Void> asked = Future.succeededFuture();
    if (stores.link().isUp()) {
      claimer.settleDoubts();
    }
    for (int p = 0; p < config.partitions(); p++) {
      int partition = p;
      if (members.rank(partition) == 0 && stores.link().isUp()) {
        asked =
            stores
                .runs()
                .nextDue(partition)
                .onSuccess(next -> next.ifPresent(at -> wakeAt(partition, at, true)))
                .mapEmpty();
      }
    }
    return asked.otherwiseEmpty();
  }

  private void lookBehindOthers() {
    rankTicks++;
    if (members.workers() == 1) {
      return;
    }
    for (int partition = 0; partition < config.partitions(); partition++) {
      if (members.looksBehind(partition, rankTicks)) {
        claimer.lookBehind(partition, members.overdueMillis(partition));
      }
    }
  }

  /**
   * Schedules a wake-up, if it is for this node.
   *
   * @param earliest of its partition: heeded by the first-ranked node only; what this node armed
   *     itself it looks for itself, if soon
   */
  private void wakeAt(int partition, long millis, boolean earliest) {
    boolean mine = members.rank(partition) == 0;
    boolean soon = millis - clock.millis() <= OWN_HORIZON.toMillis();
    if (mine || (!earliest && soon)) {
      alarm.set(partition, millis);
    }
  }

  /**
   * Leaves the partitions to the others and claims nothing from then on; done when all that was
   * claimed is handed out. To be called before the dispatchers stop.
   */
  public Future<Void> quiesce() {
    return onTimer(
        () ->
            farewell
                .say()
                .compose(
                    seen -> {
                      claimer.stop();
                      purger.stop();
                      return untilQuiet();
                    }));
  }

  private Future<Void> untilQuiet() {
    return claimer.isBusy()
        ? vertx.timer(DRAIN_POLL.toMillis()).compose(passed -> untilQuiet())
        : Future.succeededFuture();
  }

  /** The heartbeat goes on until here, so that the claims of a stopping node stay its own. */
  @Override
  public Future<?> stop() {
    stopped = true;
    if (purger != null) {
      purger.stop();
    }
    if (stores == null) {
      return Future.succeededFuture();
    }
    int held = claimer == null ? 0 : claimer.held();
    boolean inDoubt = claimer != null && claimer.isInDoubt();
    LOG.atInfo()
        .addKeyValue("node", config.nodeId())
        .addKeyValue("held", held)
        .log("timer stopped");
    // A node that leaves claims behind stays listed: only then are they found to be a dead node's.
    Future<Void> farewell =
        held == 0 && !inDoubt ? stores.nodes().forget(config.nodeId()) : Future.succeededFuture();
    return farewell.otherwiseEmpty().eventually(() -> stores.link().close());
  }
}
