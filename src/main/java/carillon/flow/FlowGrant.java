package carillon.flow;

import carillon.job.WireWord;
import java.util.Optional;

/**
 * Tokens of a flow that a node is granted, and the state of the flow.
 *
 * @param tokens each good for one call that begins soon
 * @param at when they were granted, epoch ms
 * @param again when it is worth asking for more, epoch ms; {@code at} where all was granted, {@link
 *     #NEVER} for a flow that is paused without end
 * @param share calls that the node may have in flight, beyond which others wait for its places; 0
 *     while the flow is stopped
 * @param generation of the breaker
 * @param breaker whether calls are let through
 * @param reason why the request that is answered has changed that, if it has
 */
public record FlowGrant(
    int tokens,
    long at,
    long again,
    int share,
    long generation,
    BreakerState breaker,
    Optional<Reason> reason) {
  /** Instant later than all others, epoch ms, and exact as a number of Lua. */
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
    /** A probe was lost: others go through. */
    PROBE_LOST,
    /** The flow has no breaker any more: it is closed. */
    NO_BREAKER
  }
}
