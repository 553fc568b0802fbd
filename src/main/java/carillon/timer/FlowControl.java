package carillon.timer;

import carillon.flow.CallOutcome;
import carillon.flow.Flow;
import carillon.flow.FlowDefinition;
import carillon.flow.FlowDirectory;
import carillon.flow.FlowGrant;
import carillon.flow.FlowLane;
import carillon.flow.FlowName;
import carillon.job.Attempt;
import carillon.job.Destination;
import carillon.job.JobException;
import carillon.redis.RedisLink;
import carillon.redis.SharedClock;
import carillon.store.Stores;
import carillon.store.attempt.ClaimStore;
import carillon.store.resource.FlowStore.Waiting;
import carillon.store.resource.ResourceStore.FoundResource;
import carillon.timer.ClaimDecision.Perform;
import carillon.timer.FlowDriver.Attempts;
import carillon.timer.FlowDriver.Lists;
import carillon.timer.FlowDriver.Passage;
import io.vertx.core.Future;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Flow control of this node: lets attempts whose action passes a flow begin as its {@link FlowGate}
 * says, lets the others wait in Redis, and claims them when there are tokens for them. Where there
 * are no flows it costs nothing. Confined to the timer's event loop.
 */
final class FlowControl {
  private static final Logger LOG = LoggerFactory.getLogger(FlowControl.class);

  /** Maximum number of lanes of a flow, beside one per named host. */
  private static final int MAX_LANES = 32;

  private final TimerVerticle.Shared shared;
  private final Stores stores;
  private final SharedClock clock;
  private final Membership members;
  private final Attempts attempts;
  private final Lists lists;
  private final WakeUpTimer.Listener wakeUpListener;
  private final int partitions;

  /** Drivers by lane key. */
  private final Map<String, FlowDriver> drivers = new HashMap<>();

  private FlowDirectory directory = FlowDirectory.EMPTY;
  private long revision;
  private Future<Void> refreshed = Future.succeededFuture();
  private boolean stopped;

  FlowControl(
      TimerVerticle.Shared shared,
      Attempts attempts,
      Lists lists,
      WakeUpTimer.Listener wakeUpListener) {
    this.shared = shared;
    this.stores = shared.stores();
    this.clock = shared.clock();
    this.members = shared.members();
    this.attempts = attempts;
    this.lists = lists;
    this.wakeUpListener = wakeUpListener;
    this.partitions = shared.config().partitions();
  }

  /**
   * Takes an attempt that is to be performed, if its action passes a flow; false where it passes
   * none.
   *
   * @param claimedBy the driver that claimed it, if it waited for a flow
   */
  boolean admit(Perform perform, Optional<FlowDriver> claimedBy) {
    if (directory.isEmpty()) {
      return false;
    }
    Attempt attempt = perform.claim().attempt();
    Optional<Flow> flow =
        directory.of(attempt.collection(), perform.attempt().definition().action(attempt.phase()));
    flow.map(passed -> driver(passed, perform.attempt().destination()))
        .ifPresent(driver -> driver.admit(perform, claimedBy));
    return flow.isPresent();
  }

  /** Whether calls of a destination may pass a flow that their actions do not name. */
  boolean isMatched(Destination destination) {
    return directory.isMatched(destination);
  }

  /** Returns the driver of a destination. Beyond the bound destinations share one lane. */
  private FlowDriver driver(Flow flow, Destination destination) {
    FlowLane lane = FlowLane.of(flow, destination);
    FlowDefinition definition = flow.definition();
    int most = MAX_LANES + (definition.isHost(destination) ? definition.match().size() : 0);
    boolean hasLane =
        drivers.containsKey(lane.key())
            || drivers.values().stream().filter(driver -> driver.isOf(flow)).count() < most;
    return driver(flow, hasLane ? lane : FlowLane.shared(flow));
  }

  private FlowDriver driver(Flow flow, FlowLane lane) {
    return drivers.computeIfAbsent(
        lane.key(), key -> new FlowDriver(shared, attempts, lists, flow, lane, () -> stopped));
  }

  /** A call has ended that passed a flow. */
  void ended(Passage passage, Optional<CallOutcome> call) {
    passage.driver().ended(passage.generation(), call);
  }

  /** Reads the flows anew if they have changed, one reading after the other; never fails. */
  Future<Void> refresh() {
    refreshed = refreshed.compose(before -> read().onFailure(this::later).otherwiseEmpty());
    return refreshed;
  }

  /** Reads the flows before this node claims anything. Fails while Redis is away. */
  Future<Void> begin() {
    Future<Void> begun = refreshed.compose(before -> read().onFailure(this::later));
    refreshed = begun.otherwiseEmpty();
    return begun.recover(RedisLink.unlessUnavailable(null));
  }

  private Future<Void> read() {
    return stores
        .resource()
        .flows()
        .revision()
        .compose(
            current ->
                current == revision
                    ? Future.<Void>succeededFuture()
                    : stores
                        .resource()
                        .flows()
                        .found()
                        .map(found -> apply(readable(found), current)));
  }

  /**
   * The flows. Of one that cannot be read what was read last of it holds; if nothing was, it stops
   * the calls that name it.
   */
  private FlowDirectory readable(NavigableMap<String, FoundResource<Flow>> found) {
    List<Flow> flows = new ArrayList<>();
    found.forEach(
        (key, flow) -> {
          flow.damaged()
              .ifPresent(
                  reason ->
                      LOG.atError()
                          .addKeyValue("flow", key)
                          .addKeyValue("error", reason)
                          .log("stored flow cannot be read; what was read last of it holds"));
          flow.resource()
              .or(() -> directory.find(key))
              .or(() -> stopped(key))
              .ifPresent(flows::add);
        });
    return flows.isEmpty() ? FlowDirectory.EMPTY : new FlowDirectory(flows);
  }

  /** Stops the calls that name a flow; empty for a key that is no name, which no call names. */
  private static Optional<Flow> stopped(String key) {
    try {
      return Optional.of(Flow.unreadable(FlowName.parse(key)));
    } catch (JobException | IndexOutOfBoundsException noName) {
      return Optional.empty();
    }
  }

  private void later(Throwable failure) {
    LOG.atLevel(shared.outages().level(failure))
        .addKeyValue("error", failure.getMessage())
        .log("flows cannot be read; trying again later");
  }

  private Void apply(FlowDirectory read, long current) {
    directory = read;
    revision = current;
    for (FlowDriver driver : List.copyOf(drivers.values())) {
      FlowLane lane = driver.lane();
      Optional<Flow> flow = read.find(lane.flow());
      if (flow.isEmpty()) {
        drivers.remove(lane.key());
        driver.end();
        releaseAll(lane.key());
      } else {
        boolean hasMoved = driver.update(flow.get());
        if (hasMoved) {
          releaseAll(lane.key());
        }
      }
    }
    return null;
  }

  /** What waited for a flow that is gone, or matches other hosts now, is due. */
  private void releaseAll(String lane) {
    for (int partition = 0; partition < partitions; partition++) {
      if (members.rank(partition) == 0) {
        release(partition, lane);
      }
    }
  }

  private void release(int partition, String lane) {
    stores
        .attempt()
        .claims()
        .releaseWaiting(partition, lane, clock.instant())
        .onFailure(this::later)
        .onSuccess(
            moved -> {
              if (moved > 0) {
                wakeUpListener.at(partition, clock.millis(), false);
              }
              if (moved == ClaimStore.SLICE) {
                release(partition, lane);
              } else {
                stores.resource().flows().forget(partition, lane).onFailure(this::later);
              }
            });
  }

  /**
   * Looks at the flows, and at what waits for them in the partitions that are this node's to poll
   * first; never fails.
   */
  Future<Void> look() {
    return refresh()
        .compose(
            known -> {
              drivers.values().forEach(driver -> driver.retain(p -> members.rank(p) == 0));
              removeIdle();
              return revision == 0 || stopped ? Future.succeededFuture() : lookAtLists(0);
            })
        .onFailure(this::later)
        .otherwiseEmpty();
  }

  private void removeIdle() {
    for (FlowDriver driver : List.copyOf(drivers.values())) {
      if (driver.isIdle()) {
        drivers.remove(driver.lane().key());
        driver.end();
      }
    }
  }

  private Future<Void> lookAtLists(int partition) {
    if (partition == partitions) {
      return Future.succeededFuture();
    }
    return members.rank(partition) == 0
        ? stores
            .resource()
            .flows()
            .awaited(partition)
            .compose(
                flows -> Future.join(flows.stream().map(flow -> lookAt(partition, flow)).toList()))
            .compose(seen -> lookAtLists(partition + 1))
        : lookAtLists(partition + 1);
  }

  private Future<Void> lookAt(int partition, String key) {
    FlowLane lane = FlowLane.parse(key);
    Optional<Flow> flow = directory.find(lane.flow());
    if (flow.isEmpty()) {
      release(partition, key);
      return Future.succeededFuture();
    }
    return stores
        .resource()
        .flows()
        .waiting(partition, key)
        .compose(
            waiting -> {
              FlowDriver driver = driver(flow.get(), lane);
              if (driver.isFirstLook(partition) && mayHaveMoved(flow.get(), waiting)) {
                release(partition, key);
              }
              driver.setWaiting(partition, waiting);
              return waiting.count() == 0
                  ? stores.resource().flows().forget(partition, key)
                  : Future.succeededFuture();
            });
  }

  /**
   * Whether some of what waits in a list that another node had may pass the flow no more: it waits
   * since before the flow was changed last, or since so shortly after that the other node may not
   * have known.
   */
  private boolean mayHaveMoved(Flow flow, Waiting waiting) {
    long known = flow.modified().plus(shared.config().settings().node().lease()).toEpochMilli();
    return !flow.definition().match().isEmpty()
        && waiting.score().isPresent()
        && waiting.score().getAsLong() <= known;
  }

  /**
   * Looks at the flows, and asks for all that waits whatever was put off: the step that time brings
   * about, for whoever steps time. Never fails.
   */
  Future<Void> step() {
    return look()
        .onSuccess(
            seen -> {
              drivers.values().forEach(FlowDriver::hurry);
            });
  }

  /**
   * The instant, epoch ms, at which more of what waits may begin, as far as this node knows; empty
   * where nothing waits, or nothing that goes on by itself.
   */
  OptionalLong nextDue() {
    return drivers.values().stream()
        .mapToLong(FlowDriver::nextDue)
        .filter(at -> at < FlowGrant.NEVER)
        .min();
  }

  /**
   * Tells Redis what it has not heard of the calls that have ended: their places are for others at
   * once, not after the lease of this node. Completes when no step of this node is under way any
   * more, which may be never while Redis is away; never fails.
   */
  Future<Void> report() {
    // What ended during a request goes with the next.
    return reported().compose(known -> reported());
  }

  private Future<Void> reported() {
    drivers.values().forEach(FlowDriver::report);
    return shared.inFlight().quiet();
  }

  /** What is kept for a moment and is of a job, or a collection, with this key is due again. */
  void recall(String of) {
    drivers.values().forEach(driver -> driver.recall(of));
  }

  /** Claims nothing from now on; what is kept is due again. */
  void stop() {
    stopped = true;
    drivers.values().forEach(FlowDriver::drain);
  }
}
