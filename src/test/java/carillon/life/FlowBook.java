package carillon.life;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.stream.Stream;

/**
 * What is known of the flows: the calls in flight, the tokens that Redis granted, and whether the
 * flows are stopped.
 */
final class FlowBook {
  /** A flow that bounds the calls in flight. */
  static final String NARROW = "narrow";

  /** A flow that bounds the calls in a time. */
  static final String SLOW = "slow";

  static final int PARALLELISM = 2;
  static final int LIMIT = 2;
  static final int SECONDS = 10;

  /** By flow, as clients put them. */
  static final Map<String, String> DEFINITIONS =
      Map.of(
          NARROW,
          "{\"parallelism\":" + PARALLELISM + "}",
          BreakerBook.FLOW,
          BreakerBook.DEFINITION,
          SLOW,
          "{\"rate\":{\"limit\":"
              + LIMIT
              + ",\"per\":\"PT"
              + SECONDS
              + "S\",\"burst\":"
              + LIMIT
              + "}}");

  /** By flow, so that all that waits is soon over. */
  static final Map<String, String> RELAXED =
      Map.of(NARROW, "{}", SLOW, "{}", BreakerBook.FLOW, "{}");

  /** What is lost in rounding. */
  private static final double ROUNDED = 0.01;

  private final BiPredicate<String, Instant> isLiving;
  private final Map<String, Terms> terms = new HashMap<>();
  private final BreakerBook breaker;

  /** Calls in flight, of all flows, as they are told apart by who answers them. */
  private final Map<Object, Call> calls = new HashMap<>();

  /** Of the flow with a rate, in order. */
  private final List<Grant> grants = new ArrayList<>();

  /** By process the last of its requests that Redis performed. */
  private final Map<String, Long> takes = new HashMap<>();

  /** By flow how often its limits began anew. */
  private final Map<String, Integer> resets = new HashMap<>();

  private final long from;
  private long granted;
  private int begun;
  private boolean isRelaxed;

  /** Since when all nodes that are well know that the flows are stopped; null while they go on. */
  private Instant stopped;

  /** What each flow goes by. */
  private record Terms(FlowLimits limits, LateTokens late, RetryAfterBook retryAfter) {
    static Terms of(BiPredicate<String, Instant> isLiving) {
      FlowLimits limits = new FlowLimits();
      LateTokens late = new LateTokens();
      return new Terms(limits, late, new RetryAfterBook(isLiving, limits, late));
    }
  }

  /** A call in flight. */
  private record Call(String flow, String node, Instant at) {}

  /**
   * What Redis granted.
   *
   * @param returned tokens that it was given back with the request
   */
  private record Grant(long tokens, long returned, Instant at) {}

  /**
   * A book in which nothing is written.
   *
   * @param isLiving whether a node has been well since an instant, or longer
   * @param from when the walk begins: tokens that were granted before are not of it
   */
  FlowBook(BiPredicate<String, Instant> isLiving, Instant from) {
    this.isLiving = isLiving;
    this.from = from.toEpochMilli();
    DEFINITIONS.keySet().forEach(flow -> terms.put(flow, Terms.of(isLiving)));
    Terms fragile = terms.get(BreakerBook.FLOW);
    this.breaker = new BreakerBook(isLiving, fragile.limits, fragile.late);
  }

  /** The flow with a breaker. */
  BreakerBook breaker() {
    return breaker;
  }

  /** All nodes that are well know by now that the flows are stopped. */
  void stop(Instant now) {
    stopped = stopped == null ? now : stopped;
  }

  /** The flows let everything through from now on. */
  void relax() {
    isRelaxed = true;
    breaker.relax();
  }

  /** A client asks for the flows to go on. */
  void goOn() {
    stopped = null;
  }

  /**
   * Redis answered a node.
   *
   * @param sent a call of flow_take
   * @param reply as the script has it
   * @param isHeard whether the answer reaches the node
   */
  void take(ScriptCall sent, List<Object> reply, boolean isHeard, Instant now) {
    String flow = flow(sent.key(1));
    Terms its = terms.get(flow);
    boolean isNew = isNew(sent);
    long tokens = Long.parseLong(reply.get(0).toString());
    long at = Long.parseLong(reply.get(1).toString());
    if (its.limits.read(sent)) {
      its.retryAfter.limited();
      breaker.limited();
    }
    if (tokens > 0) {
      its.late.grant(sent, now);
    }
    its.retryAfter.clock(at);
    if (isNew) {
      its.retryAfter.take(sent, tokens, at, now);
    }
    if (flow.equals(BreakerBook.FLOW)) {
      breaker.take(sent, reply, isNew, isHeard, now);
    }
    if (isNew) {
      checkGranted(flow, tokens, Long.parseLong(sent.argument(9)));
      grant(flow, sent, tokens, Instant.ofEpochMilli(at));
    }
  }

  private static String flow(String key) {
    return key.substring(key.lastIndexOf('/') + 1);
  }

  /** Whether Redis had performed no such request before, nor a later one of the same process. */
  private boolean isNew(ScriptCall sent) {
    String[] call = sent.argument(2).split(" ", -1);
    String process = sent.key(1) + " " + call[0];
    long number = Long.parseLong(call[1]);
    boolean isNew = number > takes.getOrDefault(process, 0L);
    takes.put(process, Math.max(number, takes.getOrDefault(process, 0L)));
    return isNew;
  }

  /** Where nothing stops a flow and nothing bounds it, all is granted. */
  private void checkGranted(String flow, long tokens, long wanted) {
    Terms its = terms.get(flow);
    boolean isBound = Stream.of("limit", "parallelism", "paused").anyMatch(its.limits::has);
    boolean isStopped =
        !its.retryAfter.left().isZero() || (flow.equals(BreakerBook.FLOW) && !breaker.isClosed());
    if (!isRelaxed && !isBound && !isStopped && tokens != wanted) {
      throw new ViolationException(
          Rule.FLOW, tokens + " of " + wanted + " tokens are granted, and nothing stops " + flow);
    }
  }

  /** A client let the limits of a flow begin anew. */
  void reset(String key, boolean wasThere, Instant now) {
    String flow = flow(key);
    resets.merge(flow, 1, Integer::sum);
    terms.get(flow).retryAfter.reset();
    if (flow.equals(SLOW)) {
      grants.clear();
    } else if (flow.equals(BreakerBook.FLOW) && wasThere) {
      breaker.reset(now);
    }
  }

  /** How often that was. */
  int resets(String flow) {
    return resets.getOrDefault(flow, 0);
  }

  private void grant(String flow, ScriptCall sent, long tokens, Instant at) {
    if (!isRelaxed && flow.equals(SLOW)) {
      long returned = Long.parseLong("0" + sent.argument(11));
      boolean isOfThisWalk = Long.parseLong(sent.argument(12)) >= from;
      granted += tokens - (isOfThisWalk ? returned : 0);
      if (!grants.isEmpty() && at.isBefore(grants.get(grants.size() - 1).at)) {
        grants.clear(); // the request was late: the flow takes its clock to be set back
      }
      grants.add(new Grant(tokens, returned, at));
      checkRate();
    }
  }

  /** In no time to now there are more grants than the rate allows. */
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
   * @param node that makes it
   * @param claimed when it was claimed
   * @param call by which it is known when it is answered
   */
  void call(String flow, String run, String node, Instant claimed, Object call, Instant now) {
    if (stopped != null && claimed.isAfter(stopped) && isLiving.test(node, stopped)) {
      throw new ViolationException(
          Rule.FLOW, run + " is called by node " + node + ", though its flow is stopped");
    }
    calls.put(call, new Call(flow, node, now));
    terms.get(flow).retryAfter.call(run, node, claimed, now);
    if (flow.equals(BreakerBook.FLOW)) {
      breaker.call(run, node, claimed, call, now);
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

  /** The target answers, and may ask not to be called before an instant. */
  void answer(Object call, boolean fails, Optional<Instant> notBefore, Instant now) {
    Call answered = calls.remove(call);
    if (answered != null) {
      terms.get(answered.flow).retryAfter.answer(answered.node, notBefore, now);
      breaker.answer(call, fails);
    }
  }

  /** Nodes that are well have looked at the flows. */
  void looked(List<String> nodes) {
    breaker.looked(nodes);
    terms.values().forEach(its -> its.retryAfter.looked(nodes));
  }

  /** What these are to have told by now. */
  void checkTold(List<String> nodes) {
    breaker.checkTold(nodes);
    terms.values().forEach(its -> its.retryAfter.checkTold(nodes));
  }

  /** How long the flow with a breaker may be as it is, see {@link BreakerBook#longest}. */
  Duration longest(Duration patience) {
    Duration standstill = terms.get(BreakerBook.FLOW).retryAfter.left();
    Duration longest = breaker.longest(patience);
    return longest.compareTo(standstill) < 0 ? standstill : longest;
  }
}
