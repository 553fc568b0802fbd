package carillon.life;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Record of the breaker of a flow for one destination: the last state from Redis, and the calls
 * that begin in it. Finds changes against its limits, and calls that it should have stopped.
 */
final class BreakerBook {
  /** The flow. */
  static final String FLOW = "fragile";

  private static final int CONSECUTIVE = 2;

  private static final String CLOSED = "closed";
  private static final String OPEN = "open";
  private static final String HALF_OPEN = "halfOpen";

  /** Breakers by their descriptions. The first one applies at the beginning. */
  private static final List<Named> BREAKERS =
      List.of(
          new Named("opens for 4 s, then for 8 s", breaker("PT4S", "PT8S", 1)),
          new Named("opens for 2 s", breaker("PT2S", "PT2S", 1)),
          new Named("opens for 9 s", breaker("PT9S", "PT9S", 1)),
          new Named("lets two probes through", breaker("PT4S", "PT4S", 2)),
          new Named(
              "lets one call through at once", "\"parallelism\":1," + breaker("PT3S", "PT6S", 1)),
          new Named("opens when half of 3 calls fail in 6 s", ratio("0.5", 3)),
          new Named(
              "opens when 60 % of 4 calls fail in 6 s, or 3 in a row",
              ratio("0.6,\"consecutive\":3", 4)),
          new Named("heeds no Retry-After", "\"retryAfter\":false," + breaker("PT4S", "PT8S", 1)),
          new Named("is gone", ""));

  static final List<String> NAMES = BREAKERS.stream().map(Named::name).toList();
  static final String DEFINITION = definition(NAMES.get(0));

  /**
   * Numbers of a generation: its number, successes, failures, and failures since the last success.
   */
  private static final Pattern OUTCOMES = Pattern.compile("(\\d+) (\\d+) (\\d+) (\\d+) .*");

  /** Number of reads of the flows by healthy nodes, after which Redis knows all earlier events. */
  private static final int LOOKS = 2;

  private final BiPredicate<String, Instant> isLiving;
  private final FlowLimits limits;
  private final LateTokens late;
  private final Counts counts = new Counts();
  private String state = CLOSED;
  private long generation;

  /** When the state changed, by the clock of the walk. */
  private Instant since = Instant.MIN;

  /** When the breaker opened, and then the last answer, both by the clock of the flow. */
  private long openedAt;

  private long lastAt;
  private int opens;

  /** Maximum number of probes that the limits allowed in this generation. */
  private long probes;

  private int begun;
  private int succeeded;
  private final List<Call> failed = new ArrayList<>();
  private final List<Grant> granted = new ArrayList<>();

  private final Map<Object, Call> calls = new HashMap<>();

  /** Last generation that each node knows, by node. */
  private final Map<String, Long> heard = new HashMap<>();

  /** Ended calls that nodes have not reported yet. */
  private final List<Untold> untold = new ArrayList<>();

  private boolean isRelaxed;

  private record Named(String name, String definition) {}

  /** Call in flight, whether it began as a probe, and whether its node knew the generation. */
  private record Call(String node, Instant at, long generation, boolean isProbe, boolean isKnown) {}

  /** Ended call that its node has yet to report. */
  private static final class Untold {
    private final Call call;
    private final boolean fails;
    private int looks;

    Untold(Call call, boolean fails) {
      this.call = call;
      this.fails = fails;
    }
  }

  /** Tokens for probes, and whether the node received them. */
  private record Grant(String node, Instant at, boolean isHeard) {}

  /**
   * Creates a book of a closed breaker.
   *
   * @param isLiving whether a node has been well since an instant, or longer
   */
  BreakerBook(BiPredicate<String, Instant> isLiving, FlowLimits limits, LateTokens late) {
    this.isLiving = isLiving;
    this.limits = limits;
    this.late = late;
  }

  private static String breaker(String pause, String maxPause, int probes) {
    return "\"breaker\":{\"consecutive\":%d,\"pause\":\"%s\",\"maxPause\":\"%s\",\"probes\":%d}"
        .formatted(CONSECUTIVE, pause, maxPause, probes);
  }

  private static String ratio(String ratio, int calls) {
    return "\"breaker\":{\"ratio\":%s,\"calls\":%d,\"window\":\"PT6S\",\"pause\":\"PT3S\"}"
        .formatted(ratio, calls);
  }

  /** Returns the definition of the flow with a breaker, as a client puts it. */
  static String definition(String name) {
    return BREAKERS.stream()
        .filter(breaker -> breaker.name.equals(name))
        .map(
            breaker ->
                "{\"collections\":\"*\""
                    + (breaker.definition.isEmpty() ? "" : "," + breaker.definition)
                    + "}")
        .findFirst()
        .orElseThrow();
  }

  /** The breaker lets all calls through from now on. */
  void relax() {
    isRelaxed = true;
  }

  /**
   * Redis answered a node.
   *
   * @param sent a call of flow_take
   * @param reply as the script has it
   * @param isNew whether Redis had not performed it before
   * @param isHeard whether the answer reaches the node
   */
  void take(ScriptCall sent, List<Object> reply, boolean isNew, boolean isHeard, Instant now) {
    if (isRelaxed) {
      return;
    }
    long at = number(reply.get(1));
    boolean isTooMany = isNew && tell(sent);
    if (number(reply.get(4)) != generation) {
      change(
          reply.get(5).toString(), reply.size() > 6 ? reply.get(6).toString() : "", isTooMany, now);
      generation = number(reply.get(4));
    } else if (isTooMany || !state.equals(reply.get(5).toString())) {
      throw violation("the breaker is " + reply.get(5) + ", and not " + state + ": " + counts);
    }
    if (isHeard) {
      heard.put(sent.party(), generation);
    }
    if (state.equals(OPEN) && at >= openedAt + openMillis()) {
      throw violation("the breaker is open at " + at + ", since " + openedAt);
    }
    probes = Math.max(probes, limits.of("probes"));
    if (number(reply.get(0)) > 0) {
      granted.add(new Grant(sent.party(), now, isHeard));
    }
  }

  /** Reads the clock of the flow. A late request makes it look set back. */
  void clock(long at) {
    openedAt -= Math.max(0, lastAt - at);
    counts.window -= Math.max(0, lastAt - at);
    lastAt = at;
  }

  private static long number(Object text) {
    return Long.parseLong(text.toString());
  }

  /** Other limits apply from now on. */
  void limited() {
    untold.clear(); // nodes without these limits may not count
  }

  /** Records the ended calls that a node reports. Returns whether too many have failed by now. */
  private boolean tell(ScriptCall sent) {
    Matcher told = OUTCOMES.matcher(sent.argument(13));
    if (!limits.has("probes") || !told.matches() || number(told.group(1)) != generation) {
      return false;
    }
    forget(sent.party(), false, Integer.parseInt(told.group(2)));
    forget(sent.party(), true, Integer.parseInt(told.group(3)));
    return state.equals(CLOSED) && counts.add(told, lastAt, limits);
  }

  private void forget(String node, boolean fails, int count) {
    counts.told += count;
    if (counts.told > succeeded + failed.size()) {
      throw violation(
          counts.told
              + " calls are told of, and "
              + succeeded
              + " ended well, "
              + failed
              + " did not");
    }
    for (int i = 0; i < count; i++) {
      untold.stream()
          .filter(one -> one.fails == fails && one.call.node.equals(node))
          .findFirst()
          .ifPresent(untold::remove);
    }
  }

  /** Counts of Redis in a generation: a plain interpreter of the limits. */
  private static final class Counts {
    private int told;
    private int row;
    private long window;
    private long calls;
    private long failures;

    void begin() {
      told = 0;
      row = 0;
      window = 0;
      calls = 0;
      failures = 0;
    }

    /** Adds the outcomes of one report. Returns whether the breaker must open. */
    boolean add(Matcher outcomes, long at, FlowLimits limits) {
      long succeeded = number(outcomes.group(2));
      long failed = number(outcomes.group(3));
      row = (int) (succeeded > 0 ? number(outcomes.group(4)) : row + failed);
      if (at - window >= limits.of("window")) {
        window = at;
        calls = 0;
        failures = 0;
      }
      calls += succeeded + failed;
      failures += failed;
      boolean isRow = limits.has("consecutive") && row >= limits.of("consecutive");
      boolean isShare = limits.has("ratio") && calls >= limits.of("calls");
      return isRow || (isShare && failures >= limits.exact("ratio") * calls);
    }

    @Override
    public String toString() {
      return "%d of %d calls failed since %d, %d in a row".formatted(failures, calls, window, row);
    }
  }

  private long openMillis() {
    return Math.min(limits.of("pause") << Math.max(0, opens - 1), limits.of("max_pause"));
  }

  private void change(String next, String reason, boolean isTooMany, Instant now) {
    if (!isAllowed(next, reason, isTooMany)) {
      throw violation(
          "the breaker changes from %s to %s at %d (%s): open since %d, %d of its calls failed, %d did not, %s"
              .formatted(state, next, lastAt, reason, openedAt, failed.size(), succeeded, counts));
    }
    if (next.equals(OPEN)) {
      openedAt = lastAt;
      opens++;
    } else if (next.equals(CLOSED)) {
      opens = 0;
    }
    begin(next, now);
  }

  private void begin(String next, Instant now) {
    state = next;
    since = now;
    probes = 0;
    begun = 0;
    succeeded = 0;
    failed.clear();
    granted.clear();
    untold.clear();
    counts.begin();
  }

  /** The limits start anew. */
  void reset(Instant now) {
    opens = 0;
    begin(CLOSED, now);
    generation++;
  }

  private boolean isAllowed(String next, String reason, boolean isTooMany) {
    return switch (reason) {
      case "failures" -> isFrom(CLOSED, next, OPEN) && isTooMany;
      case "pauseOver" -> isFrom(OPEN, next, HALF_OPEN) && lastAt >= openedAt + openMillis();
      case "probeFailed" -> isFrom(HALF_OPEN, next, OPEN) && !failed.isEmpty();
      case "probesSucceeded" -> isFrom(HALF_OPEN, next, CLOSED) && succeeded >= limits.of("probes");
      case "probeLost" -> isFrom(HALF_OPEN, next, HALF_OPEN);
      case "noBreaker" -> next.equals(CLOSED) && limits.of("probes") == 0;
      default -> false;
    };
  }

  private boolean isFrom(String from, String next, String to) {
    return state.equals(from) && next.equals(to);
  }

  /**
   * The target is called.
   *
   * @param node that makes the call
   * @param claimed when it was claimed
   * @param call key under which the answer arrives
   */
  void call(String run, String node, Instant claimed, Object call, Instant now) {
    boolean isProbe = state.equals(HALF_OPEN) && isLiving.test(node, since);
    boolean isKnown = heard.getOrDefault(node, -1L) == generation;
    calls.put(call, new Call(node, now, generation, isProbe, isKnown));
    if (isRelaxed) {
      return;
    }
    if (state.equals(OPEN)
        && claimed.isAfter(since)
        && !late.isFor(node, claimed)
        && isLiving.test(node, since)) {
      throw violation(run + " is called by node " + node + ", though its breaker is open");
    }
    if (isProbe) {
      begun++;
      long open = calls.values().stream().filter(this::isProbeInFlight).count();
      if (begun > probes || open > probes) {
        throw violation(
            run + " is probe " + begun + ", and one of " + open + " in flight, of " + probes);
      }
    }
  }

  private boolean isProbeInFlight(Call call) {
    return call.isProbe && isLiving.test(call.node, call.at);
  }

  void answer(Object call, boolean fails) {
    Call answered = calls.remove(call);
    if (answered == null || answered.generation != generation) {
      return;
    }
    succeeded += fails ? 0 : 1;
    if (fails) {
      failed.add(answered);
    }
    if (isToBeTold(answered)) {
      untold.add(new Untold(answered, fails));
    }
  }

  /** Whether the node of the call knew the breaker and its generation. */
  private boolean isToBeTold(Call call) {
    return limits.has("probes")
        && limits.isKnownTo(call.node)
        && call.isKnown
        && call.at.isAfter(since);
  }

  /** Nodes that are well have read the flows. */
  void looked(List<String> nodes) {
    for (Untold one : isRelaxed ? List.<Untold>of() : untold) {
      one.looks += nodes.contains(one.call.node) ? 1 : 0;
    }
  }

  /** Fails if these nodes have not yet reported an ended call that they should have reported. */
  void checkTold(List<String> nodes) {
    for (Untold one : isRelaxed ? List.<Untold>of() : untold) {
      boolean isOverdue = nodes.contains(one.call.node) && one.looks >= LOOKS;
      if (isOverdue && isLiving.test(one.call.node, one.call.at)) {
        throw violation(
            "it is not told that a call " + (one.fails ? "failed: " : "succeeded: ") + one.call);
      }
    }
  }

  boolean isClosed() {
    return state.equals(CLOSED);
  }

  /** Returns the number of changes of the breaker. */
  long generation() {
    return generation;
  }

  /** Returns how long the breaker may stay in its state while the target is well and calls wait. */
  Duration longest(Duration patience) {
    if (state.equals(OPEN)) {
      return Duration.ofMillis(openMillis());
    }
    boolean mayWait = limits.has("parallelism") || granted.stream().anyMatch(this::isLost);
    return mayWait ? patience : Duration.ZERO;
  }

  private boolean isLost(Grant grant) {
    return !grant.isHeard || !isLiving.test(grant.node, grant.at);
  }

  private ViolationException violation(String what) {
    return new ViolationException(Rule.BREAKER, what + "; generation " + generation);
  }
}
