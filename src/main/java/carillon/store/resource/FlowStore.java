package carillon.store.resource;

import carillon.flow.Flow;
import carillon.flow.Flow.FlowPause;
import carillon.flow.FlowDefinition;
import carillon.flow.FlowEvent;
import carillon.flow.FlowGrant.BreakerState;
import carillon.flow.FlowLane;
import carillon.flow.FlowName;
import carillon.flow.FlowState;
import carillon.flow.FlowState.LaneState;
import carillon.job.Precondition;
import carillon.job.action.Destination;
import carillon.job.name.ErrorCode;
import carillon.job.name.JobException;
import carillon.json.view.FlowCodec;
import carillon.json.view.FlowEventCodec;
import carillon.redis.ConditionalCommands;
import carillon.redis.DamagedKey;
import carillon.redis.Keys;
import carillon.redis.Partitions;
import carillon.redis.RedisLink;
import carillon.redis.Script;
import carillon.store.attempt.WaitingCause;
import carillon.store.attempt.WaitingListStore;
import carillon.store.attempt.WaitingListStore.First;
import carillon.store.attempt.WaitingListStore.Head;
import carillon.store.resource.ResourceStore.FoundResource;
import carillon.store.resource.ResourceStore.Resource;
import io.vertx.core.Future;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Request;
import io.vertx.redis.client.Response;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Store of the definitions of flows. All are in one hash, which every node reads as a whole,
 * because there are few of them. Every future may fail with {@link ErrorCode#STORE_UNAVAILABLE}.
 * Confined to the event loop of its link.
 */
public final class FlowStore {
  private static final Script<Integer> RESET = Script.returningCount("reset_flow");

  /** Maximum number of entries in the log of a flow. */
  static final int LOGGED = 100;

  private static final int MINUTE_MILLIS = 60_000;
  private static final String SLOTS = "slots:";
  private static final String RETRY_AT = "retry_at";

  /** Fields in the state of a flow that exist for each destination. */
  private static final Set<String> OF_LANES = Set.of("breaker", RETRY_AT, "seen");

  private final RedisLink link;
  private final Keys keys;
  private final ResourceStore definitions;
  private final WaitingListStore lists;

  /**
   * Creates a store.
   *
   * @param maxOfGroup maximum number of flows in a group
   * @param lists of waiting attempts
   */
  public FlowStore(RedisLink link, Keys keys, int maxOfGroup, WaitingListStore lists) {
    this.link = link;
    this.keys = keys;
    this.lists = lists;
    this.definitions =
        new ResourceStore(link, keys.flows(), "flow", maxOfGroup, ErrorCode.FLOW_DAMAGED);
  }

  /**
   * A completed write.
   *
   * @param created false if it replaced a flow
   * @param before the replaced flow; empty for a new flow or after a damaged one
   */
  public record Put(Flow flow, boolean created, Optional<Flow> before) {}

  /**
   * Creates or replaces a flow. Fails with {@link ErrorCode#PRECONDITION_FAILED}, and with {@link
   * ErrorCode#CONFLICT} if its group or subscription has too many.
   */
  public Future<Put> put(
      FlowName name,
      FlowDefinition definition,
      Optional<FlowPause> pause,
      Precondition condition,
      Instant now) {
    return definitions
        .put(path(name), FlowCodec.write(definition, pause), condition, now)
        .map(
            put ->
                new Put(
                    read(put.resource()), put.created(), put.before().flatMap(FlowStore::ifSound)));
  }

  private static Optional<Flow> ifSound(Resource stored) {
    try {
      return Optional.of(read(stored));
    } catch (RuntimeException e) {
      return Optional.empty();
    }
  }

  private static String path(FlowName name) {
    return name.subscription() + "/" + name.group() + "/" + name.flow();
  }

  /**
   * Deletes a flow and its state. Waiting attempts continue without it.
   *
   * @return the deleted flow; empty if there was none; fails with {@link
   *     ErrorCode#PRECONDITION_FAILED}
   */
  public Future<Optional<FoundResource<Flow>>> delete(
      FlowName name, Precondition condition, Instant now) {
    return definitions
        .delete(path(name), condition, now)
        .compose(
            deleted ->
                deleted.isEmpty()
                    ? Future.succeededFuture(Optional.empty())
                    : Future.all(
                            link.send(Request.cmd(Command.DEL).arg(keys.flow(name.key()))),
                            link.send(Request.cmd(Command.DEL).arg(keys.flowLog(name.key()))))
                        .map(gone -> deleted.map(FlowStore::found)));
  }

  /** Resets the state of a flow's limits, but not the calls in flight. */
  public Future<Void> reset(FlowName name) {
    return RESET.on(link).key("flow", keys.flow(name.key())).run().mapEmpty();
  }

  /** Returns the failure for a missing flow. */
  public JobException notFound(FlowName name) {
    return definitions.notFound(path(name));
  }

  /**
   * Returns the flow with this name, if there is one. Fails with {@link ErrorCode#FLOW_DAMAGED}.
   */
  public Future<Optional<Flow>> find(FlowName name) {
    return look(name).map(found -> found.map(definitions::readable));
  }

  /** Returns the flow. Fails with {@link ErrorCode#FLOW_DAMAGED} if it cannot be read. */
  public Flow readable(FoundResource<Flow> found) {
    return definitions.readable(found);
  }

  /**
   * Returns the flow with this name, or the reason why it cannot be read; empty if there is none.
   */
  public Future<Optional<FoundResource<Flow>>> look(FlowName name) {
    return definitions.find(path(name)).map(found -> found.map(FlowStore::found));
  }

  /** Returns a number that rises with every change of any flow; 0 before the first one. */
  public Future<Long> revision() {
    return definitions.revision();
  }

  /** Returns all flows by their keys, also damaged ones. Reads them in bounded slices. */
  public Future<NavigableMap<String, FoundResource<Flow>>> found() {
    return definitions
        .all()
        .map(
            stored -> {
              NavigableMap<String, FoundResource<Flow>> flows = new TreeMap<>();
              stored.forEach((key, flow) -> flows.put(key, found(flow)));
              return flows;
            });
  }

  /** Returns all readable flows by their keys. Reads them in bounded slices. */
  public Future<NavigableMap<String, Flow>> all() {
    return found()
        .map(
            found -> {
              NavigableMap<String, Flow> flows = new TreeMap<>();
              found.forEach((key, flow) -> flow.resource().ifPresent(it -> flows.put(key, it)));
              return flows;
            });
  }

  /** Returns a stored flow, or the reason why its definition cannot be read. */
  public static FoundResource<Flow> found(FoundResource<Resource> stored) {
    return FoundResource.of(stored, FlowStore::read);
  }

  private static Flow read(Resource stored) {
    return FlowCodec.read(
        FlowName.parse(stored.name()),
        stored.definition(),
        stored.revision(),
        stored.created(),
        stored.modified());
  }

  /**
   * Adds an event to the log of the flow with this key, and drops the oldest entry beyond {@link
   * #LOGGED}.
   */
  public Future<Void> log(String flow, FlowEvent event) {
    String log = keys.flowLog(flow);
    ConditionalCommands commands =
        new ConditionalCommands()
            .then("LPUSH", log, FlowEventCodec.write(event))
            .then("LTRIM", log, "0", Integer.toString(LOGGED - 1));
    return DamagedKey.write(link, keys, log, () -> commands.run(link, true)).mapEmpty();
  }

  /** Returns the current log of a flow, the newest entry first. */
  public Future<List<FlowEvent>> log(FlowName name, Instant now) {
    return link.send(Request.cmd(Command.LRANGE).arg(keys.flowLog(name.key())).arg(0).arg(-1))
        .map(
            entries -> {
              List<FlowEvent> events = new ArrayList<>();
              entries.forEach(entry -> event(entry).ifPresent(events::add));
              List<FlowEvent> told = FlowEvent.withTimedEnds(events, now);
              return told.subList(0, Math.min(told.size(), LOGGED));
            });
  }

  /** Returns an event; empty if it cannot be read. */
  private static Optional<FlowEvent> event(Response entry) {
    try {
      return Optional.of(FlowEventCodec.read(entry.toString()));
    } catch (RuntimeException e) {
      return Optional.empty();
    }
  }

  /**
   * A flow that stops calls by its breaker or a pause, not only by its limits.
   *
   * @param breaker state of the breaker at the destination that is worst off; closed if the flow is
   *     only paused
   * @param breakers states by destination
   */
  public record Stopped(Flow flow, BreakerState breaker, Map<String, BreakerState> breakers) {
    /** A flow that stops no calls. */
    public static Stopped none(Flow flow) {
      return new Stopped(flow, BreakerState.CLOSED, Map.of());
    }

    /** Returns the state of the breaker for one destination. */
    public BreakerState breaker(Destination destination) {
      BreakerState shared = breakers.getOrDefault("", BreakerState.CLOSED);
      return breakers.getOrDefault(destination.authority(), shared);
    }
  }

  /**
   * Returns the flows that are paused or have a breaker that is not closed.
   *
   * @param prefix prefix of their keys
   */
  public Future<List<Stopped>> stopped(String prefix, Instant now) {
    return all()
        .compose(
            all -> {
              List<Future<Stopped>> asked =
                  all.tailMap(prefix).values().stream()
                      .takeWhile(flow -> flow.name().key().startsWith(prefix))
                      .map(flow -> breakers(flow.at(now)))
                      .toList();
              return Future.join(asked)
                  .map(
                      read ->
                          asked.stream()
                              .map(Future::result)
                              .filter(
                                  one ->
                                      one.breaker != BreakerState.CLOSED
                                          || one.flow.pause().isPresent())
                              .toList());
            });
  }

  private Future<Stopped> breakers(Flow flow) {
    return flow.definition().breaker().isEmpty()
        ? Future.succeededFuture(Stopped.none(flow))
        : link.send(Request.cmd(Command.HGETALL).arg(keys.flow(flow.name().key())))
            .map(hash -> stopped(flow, state(hash, 0, Optional.empty(), 0)));
  }

  private static Stopped stopped(Flow flow, FlowState state) {
    Map<String, BreakerState> breakers = new HashMap<>();
    state.destinations().forEach((authority, lane) -> breakers.put(authority, lane.breaker()));
    return new Stopped(flow, state.breaker(), breakers);
  }

  private static BreakerState breaker(Response word) {
    return Stream.of(BreakerState.values())
        .filter(state -> word != null && state.word().equals(word.toString()))
        .findFirst()
        .orElse(BreakerState.CLOSED);
  }

  /** Returns the calls in flight and the waiting attempts, over all nodes. */
  public Future<FlowState> state(FlowName name, Instant now) {
    Future<Response> hash = link.send(Request.cmd(Command.HGETALL).arg(keys.flow(name.key())));
    return Partitions.all(keys, partition -> waitingInLanes(partition, name.key()))
        .map(lists -> lists.stream().flatMap(List::stream).toList())
        .compose(
            lists ->
                hash.map(
                    state ->
                        state(
                            state,
                            lists.stream().mapToLong(Head::count).sum(),
                            first(lists).flatMap(First::due),
                            now.toEpochMilli())));
  }

  private Future<List<Head>> waitingInLanes(int partition, String flow) {
    return lists
        .all(partition)
        .compose(
            all -> {
              List<Future<Head>> read =
                  all.stream()
                      .filter(list -> list.cause() == WaitingCause.FLOW)
                      .filter(list -> list.lane().flow().equals(flow))
                      .map(list -> lists.head(partition, list))
                      .toList();
              return Future.all(read).map(done -> read.stream().map(Future::result).toList());
            });
  }

  private static Optional<First> first(List<Head> lists) {
    return lists.stream()
        .flatMap(list -> list.first().stream())
        .min(Comparator.comparingLong(First::score));
  }

  private static FlowState state(Response hash, long waiting, Optional<Instant> oldest, long now) {
    SortedMap<String, Integer> inFlight = new TreeMap<>();
    SortedMap<String, LaneState> destinations = new TreeMap<>();
    for (String field : hash.getKeys()) {
      FlowLane lane = FlowLane.parse(field);
      if (field.startsWith(SLOTS)) {
        String[] words = hash.get(field).toString().split(" ", -1);
        int slots = (int) number(words[0]);
        if (slots > 0 && words.length > 2 && number(words[2]) > now) {
          inFlight.merge(lane.flow().substring(SLOTS.length()), slots, Integer::sum);
        }
      } else if (OF_LANES.contains(lane.flow())) {
        destinations.computeIfAbsent(lane.authority(), of -> lane(hash, lane.suffix(), now));
      }
    }
    return new FlowState(
        destinations,
        inFlight,
        waiting,
        oldest,
        begunLastMinute(hash, now),
        Math.min(MINUTE_MILLIS, now - (long) number(hash, "begun_since")));
  }

  private static LaneState lane(Response hash, String suffix, long now) {
    BreakerState breaker = breaker(hash.get("breaker" + suffix));
    return new LaneState(
        breaker,
        breaker == BreakerState.OPEN ? instant(hash, "until" + suffix, 0) : Optional.empty(),
        instant(hash, RETRY_AT + suffix, now));
  }

  private static Optional<Instant> instant(Response hash, String field, long after) {
    return number(hash, field) > after
        ? Optional.of(Instant.ofEpochMilli((long) number(hash, field)))
        : Optional.empty();
  }

  /**
   * Returns how many calls began in the last 60 s, approximately. The previous minute counts by its
   * share in these 60 s.
   */
  private static long begunLastMinute(Response hash, long now) {
    long minute = now / MINUTE_MILLIS;
    double passed = now % MINUTE_MILLIS / (double) MINUTE_MILLIS;
    double last = number(hash, "minute");
    return Math.round(
        last == minute
            ? number(hash, "begun") + (1 - passed) * number(hash, "begun_before")
            : last == minute - 1 ? (1 - passed) * number(hash, "begun") : 0);
  }

  private static double number(Response hash, String field) {
    Response value = hash.get(field);
    return value == null ? 0 : number(value.toString());
  }

  /** Parses a number. An unreadable one is 0, as in the scripts. */
  private static double number(String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      return 0;
    }
  }
}
