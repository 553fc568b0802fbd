package carillon.timer;

import carillon.bounded.AsyncLoops;
import carillon.flow.Flow;
import carillon.flow.FlowDefinition;
import carillon.flow.FlowDirectory;
import carillon.flow.FlowGrant;
import carillon.flow.FlowLane;
import carillon.flow.FlowName;
import carillon.job.action.Destination;
import carillon.job.attempt.Attempt;
import carillon.job.name.JobException;
import carillon.redis.RedisLink;
import carillon.store.Stores;
import carillon.store.attempt.WaitingCause;
import carillon.store.attempt.WaitingList;
import carillon.store.attempt.WaitingListStore.Head;
import carillon.store.resource.ResourceStore.FoundResource;
import carillon.timer.ClaimDecision.Perform;
import io.vertx.core.Future;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Admission to flows. Attempts whose action passes a flow begin when their {@link FlowGate} admits
 * them, and the others are parked in Redis until there are tokens for them. Costs nothing if there
 * are no flows. Confined to the timer's event loop.
 */
final class FlowControl implements Admission {
  private static final Logger LOG = LoggerFactory.getLogger(FlowControl.class);

  /** Maximum number of lanes of a flow, in addition to one per named host. */
  private static final int MAX_LANES = 32;

  private final TimerVerticle.Shared shared;
  private final Stores stores;
  private final Membership members;
  private final Places places;
  private final Runnable onDecided;
  private final ListReleaser releaser;
  private final int partitions;

  /** Drivers by lane key. */
  private final Map<String, FlowDriver> drivers = new HashMap<>();

  /** Drivers with decisions or claims to pull. */
  private final Deque<FlowDriver> looking = new ArrayDeque<>();

  /** Attempts of drivers that have ended, to be released. */
  private final Deque<Perform> dropped = new ArrayDeque<>();

  private FlowDirectory directory = FlowDirectory.EMPTY;
  private long revision;
  private Future<Void> refreshed = Future.succeededFuture();
  private boolean stopped;

  /**
   * Creates an admission without flows.
   *
   * @param onDecided called to pull {@link #settle} and {@link #nextClaim} until both are empty
   */
  FlowControl(
      TimerVerticle.Shared shared, Places places, ListReleaser releaser, Runnable onDecided) {
    this.shared = shared;
    this.stores = shared.stores();
    this.members = shared.members();
    this.places = places;
    this.onDecided = onDecided;
    this.releaser = releaser;
    this.partitions = shared.config().partitions();
  }

  @Override
  public Verdict admit(Perform perform, Optional<WaitingClaim<?>> from) {
    if (directory.isEmpty()) {
      return Verdict.PASS;
    }
    Attempt attempt = perform.claim().attempt();
    return directory
        .of(attempt.collection(), perform.attempt().definition().action(attempt.phase()))
        .map(flow -> driver(flow, perform.attempt().destination()).admit(perform, from))
        .orElse(Verdict.PASS);
  }

  @Override
  public Optional<Decided> settle() {
    if (!dropped.isEmpty()) {
      return Optional.of(new Decided(dropped.remove(), Verdict.RELEASE));
    }
    for (FlowDriver driver : looking) {
      Optional<Decided> next = driver.settle();
      if (next.isPresent()) {
        return next;
      }
    }
    return Optional.empty();
  }

  @Override
  public Optional<WaitingClaim<?>> nextClaim(int limit, IntPredicate isBusy) {
    while (!looking.isEmpty()) {
      Optional<WaitingClaim<?>> claim = looking.peek().nextClaim(limit);
      if (claim.isPresent()) {
        return claim;
      }
      looking.remove();
    }
    return Optional.empty();
  }

  @Override
  public List<Perform> withdraw(Predicate<Perform> which) {
    return drivers.values().stream().flatMap(driver -> driver.withdraw(which).stream()).toList();
  }

  private void pull(FlowDriver driver) {
    if (!looking.contains(driver)) {
      looking.add(driver);
    }
    onDecided.run();
  }

  /** Whether calls of a destination may pass a flow that their actions do not name. */
  boolean isMatched(Destination destination) {
    return directory.isMatched(destination);
  }

  /** Returns the driver of a destination. Destinations beyond the maximum share one lane. */
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
        lane.key(), key -> new FlowDriver(shared, places, flow, lane, this::pull, () -> stopped));
  }

  /** Reads the flows if they have changed, one read at a time. Never fails. */
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
   * Returns the flows. The last readable version replaces an unreadable flow. Without such a
   * version, the flow stops the calls that name it.
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

  /** Returns a flow that stops its calls; empty for an invalid name, because no call has it. */
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
        dropped.addAll(driver.end());
        onDecided.run();
        releaseAll(lane);
      } else {
        boolean hasMoved = driver.update(flow.get());
        if (hasMoved) {
          releaseAll(lane);
        }
      }
    }
    return null;
  }

  /** Releases attempts waiting for a deleted flow, or for one that matches other hosts now. */
  private void releaseAll(FlowLane lane) {
    for (int partition = 0; partition < partitions; partition++) {
      if (members.rank(partition) == 0) {
        releaser.release(partition, WaitingList.ofFlow(lane));
      }
    }
  }

  /**
   * Checks the flows and their waiting attempts in the partitions that this node polls first. Never
   * fails.
   */
  Future<Void> look() {
    return refresh()
        .compose(
            known -> {
              drivers.values().forEach(driver -> driver.retain(p -> members.rank(p) == 0));
              removeIdle();
              return revision == 0 || stopped
                  ? Future.succeededFuture()
                  : AsyncLoops.each(
                      IntStream.range(0, partitions).boxed().toList(), this::lookAtLists);
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
    return members.rank(partition) != 0
        ? Future.succeededFuture()
        : stores
            .attempt()
            .lists()
            .all(partition)
            .compose(
                lists ->
                    Future.join(
                        lists.stream()
                            .filter(list -> list.cause() == WaitingCause.FLOW)
                            .map(list -> lookAt(partition, list))
                            .toList()))
            .mapEmpty();
  }

  private Future<Void> lookAt(int partition, WaitingList list) {
    FlowLane lane = list.lane();
    Optional<Flow> flow = directory.find(lane.flow());
    if (flow.isEmpty()) {
      releaser.release(partition, list);
      return Future.succeededFuture();
    }
    return stores
        .attempt()
        .lists()
        .head(partition, list)
        .<Void>map(
            waiting -> {
              FlowDriver driver = driver(flow.get(), lane);
              boolean isMoved = driver.isFirstLook(partition) && mayHaveMoved(flow.get(), waiting);
              if (isMoved || waiting.count() == 0) {
                releaser.release(partition, list); // an empty list loses its entry
              }
              driver.setWaiting(partition, waiting);
              return null;
            });
  }

  /**
   * Whether attempts in a list taken over from another node may no longer pass the flow. They may
   * not if they were parked before its last change, or so soon after it that the other node may not
   * have known the change.
   */
  private boolean mayHaveMoved(Flow flow, Head waiting) {
    long known = flow.modified().plus(shared.config().settings().node().lease()).toEpochMilli();
    return !flow.definition().match().isEmpty()
        && waiting.score().isPresent()
        && waiting.score().getAsLong() <= known;
  }

  /**
   * Checks the flows and requests tokens for all waiting attempts, ignoring delays. Used when a
   * virtual clock advances. Never fails.
   */
  Future<Void> step() {
    return look()
        .onSuccess(
            seen -> {
              drivers.values().forEach(FlowDriver::hurry);
            });
  }

  /**
   * Returns the instant, epoch ms, at which more waiting attempts may begin, as far as this node
   * knows. Empty if no attempt waits, or none can continue automatically.
   */
  OptionalLong nextDue() {
    return drivers.values().stream()
        .mapToLong(FlowDriver::nextDue)
        .filter(at -> at < FlowGrant.NEVER)
        .min();
  }

  /**
   * Reports ended calls to Redis, so that their places are free for others immediately instead of
   * after the lease of this node. Completes when no step of this node is under way, which may never
   * happen while Redis is away. Never fails.
   */
  Future<Void> report() {
    // The second request reports calls that ended during the first.
    return reported().compose(known -> reported());
  }

  private Future<Void> reported() {
    drivers.values().forEach(FlowDriver::report);
    return shared.inFlight().quiet();
  }

  /** Stops claiming. */
  void stop() {
    stopped = true;
  }
}
