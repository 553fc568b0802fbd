package carillon.life;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.stream.Stream;

/**
 * Record of the flows: calls in flight, tokens that Redis granted, and whether the flows are
 * paused.
 */
final class FlowBook {
  /** Flow that limits the calls in flight. */
  static final String NARROW = "narrow";

  /** Flow that limits the calls in a period. */
  static final String SLOW = "slow";

  static final int PARALLELISM = 2;
  static final int LIMIT = 2;
  static final int SECONDS = 10;

  private static final String FOR_ALL = "{\"collections\":\"*\"}";

  /** Definitions by flow, as clients put them. */
  static final Map<String, String> DEFINITIONS =
      Map.of(
          NARROW,
          "{\"collections\":\"*\",\"parallelism\":" + PARALLELISM + "}",
          BreakerBook.FLOW,
          BreakerBook.DEFINITION,
          SLOW,
          "{\"collections\":\"*\",\"rate\":{\"limit\":"
              + LIMIT
              + ",\"per\":\"PT"
              + SECONDS
              + "S\",\"burst\":"
              + LIMIT
              + "}}");

  /** Unlimited definitions by flow, so that all waiting calls soon finish. */
  static final Map<String, String> RELAXED =
      Map.of(NARROW, FOR_ALL, SLOW, FOR_ALL, BreakerBook.FLOW, FOR_ALL);

  /** Tolerance for rounding. */
  private static final double ROUNDED = 0.01;

  private final BiPredicate<String, Instant> isLiving;
  private final Map<String, Terms> terms = new HashMap<>();

  /** Calls in flight of all flows, keyed by the object that answers them. */
  private final Map<Object, Call> calls = new HashMap<>();

  /** Grants of the flow with a rate, in order. */
  private final List<Grant> grants = new ArrayList<>();

  /** Last request that Redis performed, by process and destination. */
  private final Map<String, Long> takes = new HashMap<>();

  /** Number of resets of its limits, by flow. */
  private final Map<String, Integer> resets = new HashMap<>();

  private final long from;
  private long granted;
  private int begun;
  private boolean isRelaxed;

  /** Instant since which all healthy nodes know of the pause of the flows. Null if not paused. */
  private Instant stopped;

  /**
   * Limits and lanes of a flow.
   *
   * @param lanes by destination, as Redis keys name it
   */
  private record Terms(FlowLimits limits, Map<String, Lane> lanes) {
    Terms() {
      this(new FlowLimits(), new TreeMap<>());
    }
  }

  /** Rules for the calls of a flow to one destination. */
  private record Lane(LateTokens late, RetryAfterBook retryAfter, BreakerBook breaker) {
    Lane(BiPredicate<String, Instant> isLiving, FlowLimits limits, LateTokens late) {
      this(
          late,
          new RetryAfterBook(isLiving, limits, late),
          new BreakerBook(isLiving, limits, late));
    }

    /** Reads the clock of the flow. */
    void clock(long at) {
      retryAfter.clock(at);
      breaker.clock(at);
    }
  }

  /** A call in flight. */
  private record Call(String flow, Lane lane, String node, Instant at) {}

  /**
   * Grant of tokens by Redis.
   *
   * @param returned tokens that the request gave back
   */
  private record Grant(long tokens, long returned, Instant at) {}

  /**
   * Creates an empty book.
   *
   * @param isLiving whether a node has been well since an instant, or longer
   * @param from when the walk begins: tokens granted before do not belong to it
   */
  FlowBook(BiPredicate<String, Instant> isLiving, Instant from) {
    this.isLiving = isLiving;
    this.from = from.toEpochMilli();
    DEFINITIONS.keySet().forEach(flow -> terms.put(flow, new Terms()));
  }

  private Lane lane(String flow, String destination) {
    Terms its = terms.get(flow);
    return its.lanes.computeIfAbsent(
        destination, one -> new Lane(isLiving, its.limits, new LateTokens()));
  }

  private Stream<Lane> lanes() {
    return terms.values().stream().flatMap(its -> its.lanes.values().stream());
  }

  /** Returns the destinations of the flow with a breaker, as Redis keys name them. */
  List<String> breakers() {
    return List.copyOf(terms.get(BreakerBook.FLOW).lanes.keySet());
  }

  /** Returns the breaker of a destination of that flow. */
  BreakerBook breaker(String destination) {
    return lane(BreakerBook.FLOW, destination).breaker;
  }

  /** All nodes that are well know by now that the flows are paused. */
  void stop(Instant now) {
    stopped = stopped == null ? now : stopped;
  }

  /** The flows let all calls through from now on. */
  void relax() {
    isRelaxed = true;
    lanes().forEach(lane -> lane.breaker.relax());
  }

  /** A client asks to resume the flows. */
  void goOn() {
    stopped = null;
  }

  /**
   * Redis answered a node.
   *
   * @param sent a call of flow_take
   * @param reply of the script
   * @param isHeard whether the answer reaches the node
   */
  void take(ScriptCall sent, List<Object> reply, boolean isHeard, Instant now) {
    String flow = flow(sent.key(1));
    Terms its = terms.get(flow);
    Lane lane = lane(flow, sent.argument(17));
    boolean isNew = isNew(sent);
    long tokens = Long.parseLong(reply.get(0).toString());
    long at = Long.parseLong(reply.get(1).toString());
    if (its.limits.read(sent)) {
      its.lanes.values().forEach(one -> one.retryAfter.limited());
      its.lanes.values().forEach(one -> one.breaker.limited());
    }
    if (tokens > 0) {
      lane.late.grant(sent, now);
    }
    its.lanes.values().forEach(one -> one.clock(at));
    if (isNew) {
      lane.retryAfter.take(sent, tokens, at, now);
    }
    if (flow.equals(BreakerBook.FLOW)) {
      lane.breaker.take(sent, reply, isNew, isHeard, now);
    }
    if (isNew) {
      checkGranted(flow, lane, tokens, Long.parseLong(sent.argument(9)));
      grant(flow, sent, tokens, Instant.ofEpochMilli(at));
    }
  }

  private static String flow(String key) {
    return key.substring(key.lastIndexOf('/') + 1);
  }

  /**
   * Whether Redis had performed neither this request nor a later one of the same process before.
   */
  private boolean isNew(ScriptCall sent) {
    String[] call = sent.argument(2).split(" ", -1);
    String process = sent.key(1) + sent.argument(17) + " " + call[0];
    long number = Long.parseLong(call[1]);
    boolean isNew = number > takes.getOrDefault(process, 0L);
    takes.put(process, Math.max(number, takes.getOrDefault(process, 0L)));
    return isNew;
  }

  /** Checks that all tokens are granted if nothing stops or limits a flow. */
  private void checkGranted(String flow, Lane lane, long tokens, long wanted) {
    Terms its = terms.get(flow);
    boolean isBound = Stream.of("limit", "parallelism", "paused").anyMatch(its.limits::has);
    boolean isStopped =
        !lane.retryAfter.left().isZero()
            || (flow.equals(BreakerBook.FLOW) && !lane.breaker.isClosed());
    if (!isRelaxed && !isBound && !isStopped && tokens != wanted) {
      throw new ViolationException(
          Rule.FLOW, tokens + " of " + wanted + " tokens are granted, and nothing stops " + flow);
    }
  }

  /** A client reset the limits of a flow. */
  void reset(String key, boolean wasThere, Instant now) {
    String flow = flow(key);
    resets.merge(flow, 1, Integer::sum);
    Collection<Lane> lanes = terms.get(flow).lanes.values();
    lanes.forEach(lane -> lane.retryAfter.reset());
    if (flow.equals(SLOW)) {
      grants.clear();
    } else if (flow.equals(BreakerBook.FLOW) && wasThere) {
      lanes.forEach(lane -> lane.breaker.reset(now));
    }
  }

  /** Returns the number of resets. */
  int resets(String flow) {
    return resets.getOrDefault(flow, 0);
  }

  private void grant(String flow, ScriptCall sent, long tokens, Instant at) {
    if (!isRelaxed && flow.equals(SLOW)) {
      long returned = Long.parseLong("0" + sent.argument(11));
      boolean isOfThisWalk = Long.parseLong(sent.argument(12)) >= from;
      granted += tokens - (isOfThisWalk ? returned : 0);
      if (!grants.isEmpty() && at.isBefore(grants.get(grants.size() - 1).at)) {
        grants.clear(); // a late request makes the clock of the flow look set back
      }
      grants.add(new Grant(tokens, returned, at));
      checkRate();
    }
  }

  /** Checks that no period up to now has more grants than the rate allows. */
  private void checkRate() {
    Instant now = grants.get(grants.size() - 1).at;
    long sum = 0;
    for (int i = grants.size() - 1; i >= 0; i--) {
      Grant grant = grants.get(i);
      sum += grant.tokens;
      double seconds = (now.toEpochMilli() - grant.at.toEpochMilli()) / 1000.0;
      if (sum > LIMIT + seconds * LIMIT / SECONDS + ROUNDED) {
        throw new ViolationException(
            Rule.FLOW, sum + " tokens are granted in " + seconds + " s: " + grants);
      }
      sum -= grant.returned;
    }
  }

  /**
   * The target is called.
   *
   * @param flow that the call passes
   * @param destination host and port
   * @param node that makes it
   * @param claimed when it was claimed
   * @param call key under which the answer arrives
   */
  void call(
      String flow,
      String destination,
      String run,
      String node,
      Instant claimed,
      Object call,
      Instant now) {
    if (stopped != null && claimed.isAfter(stopped) && isLiving.test(node, stopped)) {
      throw new ViolationException(
          Rule.FLOW, run + " is called by node " + node + ", though its flow is stopped");
    }
    Lane lane = lane(flow, "@" + destination);
    calls.put(call, new Call(flow, lane, node, now));
    lane.retryAfter.call(run, node, claimed, now);
    if (flow.equals(BreakerBook.FLOW)) {
      lane.breaker.call(run, node, claimed, call, now);
      return;
    }
    if (isRelaxed) {
      return;
    }
    if (flow.equals(SLOW)) {
      begun++;
      if (begun > granted) {
        throw new ViolationException(
            Rule.FLOW, run + " is the call " + begun + " for " + granted + " tokens");
      }
      return;
    }
    long open =
        calls.values().stream()
            .filter(other -> other.flow.equals(flow) && isLiving.test(other.node, other.at))
            .count();
    if (open > PARALLELISM) {
      throw new ViolationException(
          Rule.FLOW, run + " is one of " + open + " calls in flight: " + calls.values());
    }
  }

  /** The target answers, and may ask for no calls before an instant. */
  void answer(Object call, boolean fails, Optional<Instant> notBefore, Instant now) {
    Call answered = calls.remove(call);
    if (answered != null) {
      answered.lane.retryAfter.answer(answered.node, notBefore, now);
      answered.lane.breaker.answer(call, fails);
    }
  }

  /** Nodes that are well have read the flows. */
  void looked(List<String> nodes) {
    lanes().forEach(lane -> lane.breaker.looked(nodes));
    lanes().forEach(lane -> lane.retryAfter.looked(nodes));
  }

  /** Fails if these nodes have not yet reported an outcome that they should have reported. */
  void checkTold(List<String> nodes) {
    lanes().forEach(lane -> lane.breaker.checkTold(nodes));
    lanes().forEach(lane -> lane.retryAfter.checkTold(nodes));
  }

  /**
   * Returns how long the breaker of a destination may stay in its state, see {@link
   * BreakerBook#longest}.
   */
  Duration longest(String destination, Duration patience) {
    Lane lane = lane(BreakerBook.FLOW, destination);
    Duration standstill = lane.retryAfter.left();
    Duration longest = lane.breaker.longest(patience);
    return longest.compareTo(standstill) < 0 ? standstill : longest;
  }
}
