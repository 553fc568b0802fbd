package carillon.life;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;

/**
 * Record of the {@code Retry-After} of a destination of a flow: how long its calls must wait, and
 * which requests to wait nodes have yet to report.
 */
final class RetryAfterBook {
  /** Time for which a node may hand on the places of ended calls, after it received its share. */
  private static final Duration HANDED_ON = Duration.ofSeconds(1);

  /** Number of reads of the flows by healthy nodes, after which Redis knows all earlier events. */
  private static final int LOOKS = 2;

  private final BiPredicate<String, Instant> isLiving;
  private final FlowLimits limits;
  private final LateTokens late;

  /** Requests of the destination to wait, by the node that received them. */
  private final List<Ask> asks = new ArrayList<>();

  /**
   * End of the pause in epoch ms by the clock of the flow, 0 for none. Its start is by the clock of
   * the walk.
   */
  private long until;

  private Instant since = Instant.MIN;
  private long lastAt;

  /** Request of the destination to a node, and whether the node has yet to report it. */
  private static final class Ask {
    private final String node;
    private final Instant at;
    private final Instant until;
    private boolean isAwaited;
    private int looks;

    Ask(String node, Instant at, Instant until, boolean isAwaited) {
      this.node = node;
      this.at = at;
      this.until = until;
      this.isAwaited = isAwaited;
    }

    /**
     * Whether a node's report is about this request. The node may have received it a little later.
     */
    boolean isToldAs(String teller, Instant told, Instant now) {
      return node.equals(teller)
          && !told.isBefore(until)
          && !told.isAfter(until.plus(Duration.between(at, now)));
    }

    @Override
    public String toString() {
      return "node " + node + " at " + at + " not before " + until;
    }
  }

  /**
   * Creates a book of a destination that asks for nothing.
   *
   * @param isLiving whether a node has been well since an instant, or longer
   */
  RetryAfterBook(BiPredicate<String, Instant> isLiving, FlowLimits limits, LateTokens late) {
    this.isLiving = isLiving;
    this.limits = limits;
    this.late = late;
  }

  /** Reads the clock of the flow. A late request makes it look set back. */
  void clock(long at) {
    until -= Math.max(0, lastAt - at);
    lastAt = at;
  }

  /**
   * Redis answered a node.
   *
   * @param sent a call of flow_take
   * @param tokens that it grants
   * @param at the clock of the flow
   */
  void take(ScriptCall sent, long tokens, long at, Instant now) {
    if (limits.has("ignore_retry_after")) {
      until = 0;
    } else if (!sent.argument(14).isEmpty()) {
      tell(sent.party(), Instant.ofEpochMilli(Long.parseLong(sent.argument(14))), now);
    }
    if (tokens > 0 && at < until) {
      throw violation(tokens + " tokens are granted at " + at);
    }
  }

  private void tell(String node, Instant told, Instant now) {
    if (asks.stream().noneMatch(ask -> ask.isToldAs(node, told, now))) {
      throw violation("node " + node + " tells of " + told + " and was asked " + asks);
    }
    asks.stream()
        .filter(ask -> ask.node.equals(node) && !ask.until.isAfter(told))
        .forEach(ask -> ask.isAwaited = false);
    if (told.toEpochMilli() > until) {
      until = told.toEpochMilli();
      since = now;
    }
  }

  /** Other limits apply from now on, which a node may not know yet. */
  void limited() {
    asks.forEach(ask -> ask.isAwaited = false);
  }

  /** The limits start anew. */
  void reset() {
    until = 0;
  }

  /** The target is called, see {@link FlowBook#call}. */
  void call(String run, String node, Instant claimed, Instant now) {
    Instant known = limits.has("parallelism") ? since.plus(HANDED_ON) : since;
    if (now.toEpochMilli() < until
        && claimed.isAfter(known)
        && isLiving.test(node, since)
        && !late.isFor(node, claimed)) {
      throw violation(run + " is called by node " + node);
    }
  }

  /** The target answers a node, and may ask for no calls before an instant. */
  void answer(String node, Optional<Instant> notBefore, Instant now) {
    boolean isHeeded = !limits.has("ignore_retry_after") && limits.isKnownTo(node);
    notBefore.ifPresent(asked -> asks.add(new Ask(node, now, asked, isHeeded)));
  }

  /** Nodes that are well have read the flows. */
  void looked(List<String> nodes) {
    for (Ask ask : asks) {
      ask.looks += ask.isAwaited && nodes.contains(ask.node) ? 1 : 0;
    }
  }

  /** Fails if these nodes have not yet reported a request that they should have reported. */
  void checkTold(List<String> nodes) {
    for (Ask ask : asks) {
      boolean isOverdue = ask.isAwaited && nodes.contains(ask.node) && ask.looks >= LOOKS;
      if (isOverdue && isLiving.test(ask.node, ask.at)) {
        throw violation("it is not told: " + ask);
      }
    }
  }

  /** Returns the remaining pause. */
  Duration left() {
    return Duration.ofMillis(Math.max(0, until - lastAt));
  }

  private ViolationException violation(String what) {
    return new ViolationException(
        Rule.RETRY_AFTER, what + "; its calls stand still until " + until + ", since " + since);
  }
}
