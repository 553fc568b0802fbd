package carillon.life;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;

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
  private final BreakerBook breaker;

  /** Calls in flight, of all flows, as they are told apart by who answers them. */
  private final Map<Object, Call> calls = new HashMap<>();

  /** Of the flow with a rate, in order. */
  private final List<Grant> grants = new ArrayList<>();

  private final Set<String> takes = new HashSet<>();
  private long granted;
  private int begun;
  private boolean isRelaxed;

  /** Since when all nodes that are well know that the flows are stopped; null while they go on. */
  private Instant stopped;

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
   */
  FlowBook(BiPredicate<String, Instant> isLiving) {
    this.isLiving = isLiving;
    this.breaker = new BreakerBook(isLiving);
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
    if (sent.key(1).endsWith(BreakerBook.FLOW)) {
      breaker.take(sent, reply, isHeard, now);
    } else {
      long at = Long.parseLong(reply.get(1).toString());
      grant(sent, Long.parseLong(reply.get(0).toString()), Instant.ofEpochMilli(at));
    }
  }

  private void grant(ScriptCall sent, long tokens, Instant at) {
    boolean isNew = takes.add(sent.party() + " " + sent.argument(2));
    if (isNew && !isRelaxed && sent.key(1).endsWith(SLOW)) {
      long returned = Long.parseLong("0" + sent.argument(11));
      granted += tokens - returned;
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
    if (flow.equals(BreakerBook.FLOW)) {
      breaker.call(run, node, claimed, call, now);
      return;
    }
    calls.put(call, new Call(flow, node, now));
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

  /** The target answers. */
  void answer(Object call, boolean fails) {
    calls.remove(call);
    breaker.answer(call, fails);
  }
}
