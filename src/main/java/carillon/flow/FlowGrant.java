package carillon.flow;

import carillon.job.name.WireWord;
import java.util.Optional;

/**
 * Tokens that a node is granted for a flow, and the state of the flow.
 *
 * @param tokens number of tokens, each good for one call that begins soon
 * @param at when they were granted, epoch ms
 * @param again when it is worth asking for more, epoch ms; {@code at} if all were granted, {@link
 *     #NEVER} for a flow that is paused without end
 * @param share maximum number of calls in flight at the node before new ones wait for its places; 0
 *     while the flow is stopped
 * @param generation generation of the breaker
 * @param breaker whether calls are let through
 * @param reason why the request has changed the breaker, if it has
 */
public record FlowGrant(
    int tokens,
    long at,
    long again,
    int share,
    long generation,
    BreakerState breaker,
    Optional<Reason> reason) {
  /** Instant after all others, epoch ms. Exact as a number in Lua. */
  public static final long NEVER = 1L << 52;

  /** State of a circuit breaker. */
  public enum BreakerState implements WireWord {
    CLOSED,
    OPEN,
    HALF_OPEN
  }

  /** Reason for which a circuit breaker changes its state. */
  public enum Reason implements WireWord {
    /** Too many calls failed: it opens. */
    FAILURES,
    /** A probe failed: it opens again. */
    PROBE_FAILED,
    /** All probes succeeded: it closes. */
    PROBES_SUCCEEDED,
    /** The planned time of the open breaker or of the pause is over: calls go through. */
    PAUSE_OVER,
    /** No node reported a probe any more: others go through. */
    PROBE_LOST,
    /** The flow has no breaker any more: it is closed. */
    NO_BREAKER
  }
}
