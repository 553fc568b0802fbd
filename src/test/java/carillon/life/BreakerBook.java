package carillon.life;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What is known of a flow with a breaker: the state that Redis told last, and the calls that begin
 * in it. Finds changes that its limits do not allow, and calls that it should have stopped.
 */
final class BreakerBook {
  /** The flow. */
  static final String FLOW = "fragile";

  static final int CONSECUTIVE = 2;

  private static final String CLOSED = "closed";
  private static final String OPEN = "open";
  private static final String HALF_OPEN = "halfOpen";

  /** Breakers by what is said of them; the first is that of the beginning. */
  private static final List<Named> BREAKERS =
      List.of(
          new Named("opens for 4 s, then for 8 s", breaker("PT4S", "PT8S", 1)),
          new Named("opens for 2 s", breaker("PT2S", "PT2S", 1)),
          new Named("opens for 9 s", breaker("PT9S", "PT9S", 1)),
          new Named("lets two probes through", breaker("PT4S", "PT4S", 2)),
          new Named(
              "lets one call through at once", "\"parallelism\":1," + breaker("PT3S", "PT6S", 1)),
          new Named("is gone", ""));

  static final List<String> NAMES = BREAKERS.stream().map(Named::name).toList();
  static final String DEFINITION = definition(NAMES.get(0));

  /** How long a node may keep a token, beside the time that its request took. */
  private static final Duration KEPT = Duration.ofMillis(50);

  private static final Pattern LIMIT = Pattern.compile("(\\S+)=(\\d+)\\S*");

  /** All are well and look at the flows, twice: what happened by then is known to Redis. */
  private static final int LOOKS = 2;

  private final BiPredicate<String, Instant> isLiving;
  private Map<String, Long> limits = Map.of();
  private long revision = -1;
  private String state = CLOSED;
  private long generation;

  /** When the state changed, by the clock of the walk. */
  private Instant since = Instant.MIN;

  /** When it opened, and the last answer, by the clock of the flow. */
  private long openedAt;

  private long lastAt;
  private int opens;

  /** Of the generation. */
  private long probes;

  private int begun;
  private int succeeded;
  private final List<Call> failed = new ArrayList<>();
  private final List<Grant> granted = new ArrayList<>();

  private final Map<Object, Call> calls = new HashMap<>();

  /** By node: until when it may begin what it was granted by a request that took long. */
  private final Map<String, Instant> delayed = new HashMap<>();

  /** Since when no call has succeeded, as far as nodes may not have told of it. */
  private Instant failing = Instant.MIN;

  private boolean hasSucceeded;
  private int looks;
  private boolean isRelaxed;

  private record Named(String name, String definition) {}

  /** A call in flight, and whether it began as a probe. */
  private record Call(String node, Instant at, long generation, boolean isProbe) {}

  /** Tokens for probes, and whether the node heard of them. */
  private record Grant(String node, Instant at, boolean isHeard) {}

  /**
   * A book of a breaker that is closed.
   *
   * @param isLiving whether a node has been well since an instant, or longer
   */
  BreakerBook(BiPredicate<String, Instant> isLiving) {
    this.isLiving = isLiving;
  }

  private static String breaker(String pause, String maxPause, int probes) {
    return "\"breaker\":{\"consecutive\":%d,\"pause\":\"%s\",\"maxPause\":\"%s\",\"probes\":%d}"
        .formatted(CONSECUTIVE, pause, maxPause, probes);
  }

  /** The flow with a breaker, as a client puts it. */
  static String definition(String name) {
    return BREAKERS.stream()
        .filter(breaker -> breaker.name.equals(name))
        .map(breaker -> "{" + breaker.definition + "}")
        .findFirst()
        .orElseThrow();
  }

  /** It lets everything through from now on. */
  void relax() {
    isRelaxed = true;
  }

  /**
   * Redis answered a node.
   *
   * @param sent a call of flow_take
   * @param reply as the script has it
   * @param isHeard whether the answer reaches the node
   */
  void take(ScriptCall sent, List<Object> reply, boolean isHeard, Instant now) {
    if (isRelaxed) {
      return;
    }
    readLimits(sent);
    long at = number(reply.get(1));
    openedAt -= Math.max(0, lastAt - at); // a late request: the flow takes its clock to be set back
    lastAt = at;
    if (number(reply.get(4)) != generation) {
      change(reply.get(5).toString(), reply.size() > 6 ? reply.get(6).toString() : "", now);
      generation = number(reply.get(4));
    }
    if (state.equals(OPEN) && at >= openedAt + openMillis()) {
      throw violation("the breaker is open at " + at + ", since " + openedAt);
    }
    probes = Math.max(probes, limit("probes"));
    if (number(reply.get(0)) > 0) {
      grant(sent, isHeard, now);
    }
  }

  private void readLimits(ScriptCall sent) {
    long told = number(sent.argument(7));
    if (told >= revision) {
      revision = told;
      limits =
          LIMIT
              .matcher(sent.argument(6))
              .results()
              .collect(Collectors.toMap(match -> match.group(1), BreakerBook::value));
    }
  }

  private static long value(MatchResult match) {
    return number(match.group(2));
  }

  private static long number(Object text) {
    return Long.parseLong(text.toString());
  }

  private long limit(String name) {
    return limits.getOrDefault(name, 0L);
  }

  private long openMillis() {
    return Math.min(limit("pause") << Math.max(0, opens - 1), limit("max_pause"));
  }

  private void change(String next, String reason, Instant now) {
    if (!isAllowed(next, reason)) {
      throw violation(
          "the breaker changes from %s to %s at %d (%s): open since %d, %d of its calls failed, %d did not"
              .formatted(state, next, lastAt, reason, openedAt, failed.size(), succeeded));
    }
    if (next.equals(OPEN)) {
      openedAt = lastAt;
      opens++;
    } else if (next.equals(CLOSED)) {
      opens = 0;
    }
    state = next;
    since = now;
    probes = 0;
    begun = 0;
    succeeded = 0;
    failed.clear();
    granted.clear();
    begin(now);
  }

  private boolean isAllowed(String next, String reason) {
    return switch (reason) {
      case "failures" -> isFrom(CLOSED, next, OPEN) && failed.size() >= CONSECUTIVE;
      case "pauseOver" -> isFrom(OPEN, next, HALF_OPEN) && lastAt >= openedAt + openMillis();
      case "probeFailed" -> isFrom(HALF_OPEN, next, OPEN) && !failed.isEmpty();
      case "probesSucceeded" -> isFrom(HALF_OPEN, next, CLOSED) && succeeded >= limit("probes");
      case "probeLost" -> isFrom(HALF_OPEN, next, HALF_OPEN);
      case "noBreaker" -> next.equals(CLOSED) && limit("probes") == 0;
      default -> false;
    };
  }

  private boolean isFrom(String from, String next, String to) {
    return state.equals(from) && next.equals(to);
  }

  private void grant(ScriptCall sent, boolean isHeard, Instant now) {
    granted.add(new Grant(sent.party(), now, isHeard));
    if (sent.at().isBefore(now)) {
      delayed.put(sent.party(), now.plus(Duration.between(sent.at(), now)).plus(KEPT));
    }
  }

  /**
   * The target is called.
   *
   * @param node that makes the call
   * @param claimed when it was claimed
   * @param call by which it is known when it is answered
   */
  void call(String run, String node, Instant claimed, Object call, Instant now) {
    boolean isProbe = state.equals(HALF_OPEN) && isLiving.test(node, since);
    calls.put(call, new Call(node, now, generation, isProbe));
    if (isRelaxed) {
      return;
    }
    boolean isLate = !claimed.isAfter(delayed.getOrDefault(node, Instant.MIN));
    if (state.equals(OPEN) && claimed.isAfter(since) && !isLate && isLiving.test(node, since)) {
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

  /** The target answers. */
  void answer(Object call, boolean fails) {
    Call answered = calls.remove(call);
    if (answered != null) {
      hasSucceeded |= !fails;
      if (answered.generation == generation) {
        succeeded += fails ? 0 : 1;
        if (fails) {
          failed.add(answered);
        }
      }
    }
  }

  /** Nodes that are well have looked at the flows. */
  void looked(List<String> nodes, Instant now) {
    if (hasSucceeded || nodes.stream().anyMatch(node -> !isLiving.test(node, failing))) {
      begin(now);
    } else if (!isRelaxed && isOverdue() && ++looks >= LOOKS) {
      throw violation("the breaker is closed after " + failed);
    }
  }

  private boolean isOverdue() {
    return state.equals(CLOSED)
        && limit("probes") > 0
        && failed.stream().filter(call -> !call.at.isBefore(failing)).count() >= CONSECUTIVE;
  }

  private void begin(Instant now) {
    failing = now;
    hasSucceeded = false;
    looks = 0;
  }

  boolean isClosed() {
    return state.equals(CLOSED);
  }

  /** How often it has changed. */
  long generation() {
    return generation;
  }

  /** How long it may be as it is, with a target that is well, and something that waits. */
  Duration longest(Duration patience) {
    if (state.equals(OPEN)) {
      return Duration.ofMillis(openMillis());
    }
    boolean mayWait = limits.containsKey("parallelism") || granted.stream().anyMatch(this::isLost);
    return mayWait ? patience : Duration.ZERO;
  }

  private boolean isLost(Grant grant) {
    return !grant.isHeard || !isLiving.test(grant.node, grant.at);
  }

  private ViolationException violation(String what) {
    return new ViolationException(Rule.BREAKER, what + "; generation " + generation);
  }
}
