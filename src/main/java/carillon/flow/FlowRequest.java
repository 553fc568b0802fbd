package carillon.flow;

import java.util.Optional;
import java.util.OptionalLong;

/**
 * Report of a node's calls in a flow, and its request for more tokens.
 *
 * @param slots calls in flight, and tokens that are kept
 * @param want number of tokens, each good for one call
 * @param oldest score of the first waiting attempt at this node: epoch ms, less for a priority
 * @param unused number of tokens that are given back
 * @param granted when the oldest of these was granted, see {@link FlowGrant#at}, epoch ms
 * @param outcomes outcomes of calls that have ended since the last request
 * @param handedOn calls that began in the place of one that ended, without a token of Redis
 * @param retryAt epoch ms before which the destination asks not to be called
 */
public record FlowRequest(
    int slots,
    int want,
    OptionalLong oldest,
    int unused,
    long granted,
    Optional<Outcomes> outcomes,
    int handedOn,
    OptionalLong retryAt) {

  /**
   * Outcomes of calls, in the order in which they ended.
   *
   * @param generation generation of the breaker in which they began; outcomes of others do not
   *     count
   * @param failedLast number of failures after the last success
   * @param probes calls in flight that began in this generation, of a breaker that is half open
   * @param notBegun probes that did not begin, because their attempts were skipped or their tokens
   *     were not spent in time
   */
  public record Outcomes(
      long generation, int succeeded, int failed, int failedLast, int probes, int notBegun) {
    /** No call yet. */
    public static Outcomes none(long generation) {
      return new Outcomes(generation, 0, 0, 0, 0, 0);
    }

    /** Returns a copy with one more outcome. */
    public Outcomes plus(boolean success) {
      return success
          ? new Outcomes(generation, succeeded + 1, failed, 0, probes, notBegun)
          : new Outcomes(generation, succeeded, failed + 1, failedLast + 1, probes, notBegun);
    }

    /** Returns a copy with more probes that were not begun. */
    public Outcomes plusNotBegun(int more) {
      return new Outcomes(generation, succeeded, failed, failedLast, probes, notBegun + more);
    }

    /** Returns a copy with this number of probes in flight. */
    public Outcomes withProbes(int inFlight) {
      return new Outcomes(generation, succeeded, failed, failedLast, inFlight, notBegun);
    }

    /** Whether there is nothing to report. */
    public boolean isEmpty() {
      return succeeded + failed + probes + notBegun == 0;
    }
  }
}
