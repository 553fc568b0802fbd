package carillon.timer;

import carillon.flow.Flow;
import carillon.flow.FlowGrant;
import carillon.flow.FlowGrant.BreakerState;
import carillon.flow.FlowRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Tokens of one flow at this node, each good for one call. Counts unspent tokens and calls in
 * flight, and collects the requests and reports to Redis. Pure state like the {@link FlowGate},
 * which decides about the use of the tokens.
 *
 * <p>A token that is not spent within {@link #TTL} is given back. All tokens are given back when
 * the breaker changes or a client pauses the flow.
 *
 * <p>If a flow limits only the number of calls in flight, an ended call hands its place on to the
 * next attempt of this node without a request. The node must not exceed its share, and the flow
 * must not be stopped.
 *
 * <p>All times are in epoch milliseconds of the node's clock.
 */
final class FlowTokens {
  /** Maximum lifetime of a token, from its request. */
  static final long TTL = 50;

  /** Minimum lifetime of a token from its arrival, so that a waiting call can begin. */
  private static final long MIN_TTL = 10;

  /** Maximum delay before other nodes know of a free place. */
  static final long REPORT_DELAY = 50;

  /** Maximum delay of a report that no node waits for. */
  private static final long LAZY_REPORT_DELAY = 1000;

  /**
   * Maximum delay of the report of a free place if it is all that the next call of this node lacks.
   */
  static final long PLACE_DELAY = 2;

  /** Maximum time between two requests to a stopped flow. */
  private static final long MAX_RETRY_DELAY = 1000;

  /** Maximum number of tokens of a request, and of tokens requested ahead. */
  static final int MAX_TOKENS = 256;

  private static final long NEVER = Long.MAX_VALUE;

  private final long renewal;
  private final FlowBreaker breaker = new FlowBreaker();

  private Flow flow;
  private int calls;
  private int left;
  private int reserved;
  private long grantedAt;
  private long end;
  private int unused;
  private long unusedGrantedAt;
  private int share;
  private int handedOn;
  private OptionalLong retryAt = OptionalLong.empty();
  private boolean isAsking;
  private long askedAt;
  private long askedRevision;
  private long askAgainAt;
  private long worthAskingAt;
  private long reportBy = NEVER;

  /**
   * Creates a state without tokens.
   *
   * @param lease time after the last request of this node at which Redis frees its slots
   */
  FlowTokens(Flow flow, Duration lease) {
    this.flow = flow;
    this.renewal = lease.toMillis() / 3;
  }

  Flow flow() {
    return flow;
  }

  BreakerState breaker() {
    return breaker.state();
  }

  /** Generation of the breaker for a call that begins now. */
  long generation() {
    return breaker.generation();
  }

  /** Number of calls in flight. */
  int calls() {
    return calls;
  }

  /** Number of tokens that can be spent or reserved. */
  int left() {
    return left;
  }

  /** Number of tokens reserved for claims. */
  int reserved() {
    return reserved;
  }

  /** Calls in flight plus tokens for more, as Redis counts them for this node. */
  private int slots() {
    return calls + left + reserved;
  }

  /** Number of tokens to request, so that {@code begin} calls can begin. */
  int missing(int begin) {
    return Math.max(0, Math.min(MAX_TOKENS, begin - left - reserved));
  }

  /** Applies changed limits: reports them to Redis and discards answers based on earlier limits. */
  void update(Flow now) {
    flow = now;
    askAgainAt = 0;
    worthAskingAt = 0;
    share = 0;
    reportBy = 0;
  }

  /** Spends a token for a call, if there is one. */
  boolean spend(long now) {
    if (left == 0 || now > end || isPaused(now)) {
      return false;
    }
    left--;
    calls++;
    breaker.begun();
    return true;
  }

  /** Whether a client has paused the flow. This overrides tokens granted before. */
  private boolean isPaused(long now) {
    return flow.isPaused(Instant.ofEpochMilli(now));
  }

  /** Returns the token of a call that was not begun after all. */
  void giveBack() {
    calls--;
    breaker.notBegun();
    left++;
  }

  /**
   * Records the end of a call.
   *
   * @param began generation in which the call began
   * @param success whether the destination is healthy; empty if the call was not begun
   * @param asked epoch ms before which the destination asks not to be called
   * @param hasWaiting whether attempts of this node wait for its place
   */
  void ended(
      long began, Optional<Boolean> success, OptionalLong asked, boolean hasWaiting, long now) {
    calls--;
    switch (breaker.ended(began, success, flow.definition().breaker().isPresent())) {
      case AT_ONCE -> reportBy = Math.min(reportBy, now);
      case LATER -> reportBy = Math.min(reportBy, now + LAZY_REPORT_DELAY);
      case NOTHING -> {}
    }
    if (asked.isPresent() && flow.definition().heedsRetryAfter()) {
      retryAt = OptionalLong.of(Math.max(retryAt.orElse(0), asked.getAsLong()));
      reportBy = now;
    }
    if (hasWaiting && mayHandOn(now)) {
      left++;
      handedOn++;
      keepUntil(now + TTL);
    } else {
      reportBy = Math.min(reportBy, now + reportDelay(hasWaiting));
    }
  }

  private long reportDelay(boolean hasWaiting) {
    if (flow.definition().parallelism().isEmpty()) {
      return LAZY_REPORT_DELAY;
    }
    // With a rate each call needs a token, so no place is handed on.
    boolean isShortOfPlaces =
        flow.definition().rate().isPresent() && 0 < share && share <= slots() + 1;
    return hasWaiting && isShortOfPlaces ? PLACE_DELAY : REPORT_DELAY;
  }

  private boolean mayHandOn(long now) {
    return flow.definition().parallelism().isPresent()
        && flow.definition().rate().isEmpty()
        && breaker.isWell()
        && retryAt.isEmpty()
        && now < askedAt + MAX_RETRY_DELAY
        && slots() < share
        && !isPaused(now);
  }

  /** Keeps all tokens at least until this instant. */
  void keepUntil(long at) {
    end = Math.max(end, at);
  }

  /** Reserves tokens for a claim. */
  void reserve(int count) {
    left -= count;
    reserved += count;
  }

  /**
   * Makes the reserved tokens of a claim available again, unless the breaker has changed since.
   *
   * @param generation generation of the breaker when they were reserved
   */
  void free(int count, long generation) {
    if (generation == breaker.generation()) {
      reserve(-count);
    }
  }

  /** Returns when the remaining tokens expire; {@link Long#MAX_VALUE} if there are none. */
  long expireAt() {
    return left > 0 ? end + 1 : NEVER;
  }

  /** Gives back tokens that may no longer be spent. */
  void expire(long now) {
    if (now > end || isPaused(now)) {
      giveUpLeft(now);
    }
  }

  /** Gives back the remaining tokens. */
  void giveUpLeft(long now) {
    if (left > 0) {
      breaker.unspent(left);
      giveUp(left, now);
      left = 0;
    }
  }

  private void giveUp(int count, long now) {
    unusedGrantedAt = unused == 0 ? grantedAt : Math.min(unusedGrantedAt, grantedAt);
    unused += count;
    reportBy = now;
  }

  /** Gives back all tokens, because a change of the breaker has made them invalid. */
  private void giveUpAll(long now) {
    if (left + reserved > 0) {
      giveUp(left + reserved, now);
      left = 0;
      reserved = 0;
    }
  }

  /**
   * Whether tokens may be requested ahead: only for a rate, because they would take places or
   * probes from other nodes.
   */
  boolean mayBeAhead() {
    return flow.definition().rate().isPresent()
        && flow.definition().parallelism().isEmpty()
        && breaker.state() == BreakerState.CLOSED;
  }

  /** Whether a request is under way. */
  boolean isAsking() {
    return isAsking;
  }

  /** Returns the instant before which a request brings no more tokens. */
  long askAgainAt() {
    return askAgainAt;
  }

  /** Returns when Redis needs the next report at the latest; {@link Long#MAX_VALUE} for never. */
  long tellBy() {
    long renew = slots() > 0 || reportBy != NEVER ? askedAt + renewal : NEVER;
    return Math.min(reportBy, renew);
  }

  /** Makes outstanding reports due now. */
  void report(long now) {
    if (reportBy != NEVER) {
      reportBy = Math.min(reportBy, now);
    }
  }

  /** Makes a request and a report due now. */
  void hurry(long now) {
    askAgainAt = 0;
    reportBy = now;
  }

  /**
   * Returns when the next call may begin. A past instant means unknown. {@link FlowGrant#NEVER}
   * means that a client must resume the flow.
   */
  long nextDue() {
    return isAsking || left + reserved > 0 ? 0 : worthAskingAt;
  }

  /** Whether the clock was set back since the last request. */
  boolean isSetBack(long now) {
    return now < askedAt;
  }

  /**
   * Ends delays and lifetimes from before a step back of the clock. They would last as long as the
   * step.
   */
  void setBack(long now) {
    askAgainAt = 0;
    end = Math.min(end, now + TTL);
  }

  /**
   * Makes a request. {@link #answered} or {@link #failed} must follow.
   *
   * @param want number of additional tokens
   * @param oldest see {@link FlowRequest#oldest}
   */
  FlowRequest request(int want, OptionalLong oldest, long now) {
    FlowRequest request =
        new FlowRequest(
            slots(), want, oldest, unused, unusedGrantedAt, breaker.report(), handedOn, retryAt);
    isAsking = true;
    askedAt = now;
    askedRevision = flow.revision();
    unused = 0;
    handedOn = 0;
    retryAt = OptionalLong.empty();
    reportBy = NEVER;
    return request;
  }

  /** Handles the answer to the request. */
  void answered(FlowGrant grant, long now) {
    isAsking = false;
    askAgainAt = isOutdated() ? 0 : askedAt + Math.min(MAX_RETRY_DELAY, grant.again() - grant.at());
    worthAskingAt = isOutdated() ? 0 : grant.again();
    share = isOutdated() ? 0 : grant.share();
    if (breaker.update(grant)) {
      giveUpAll(now);
    }
    if (grant.tokens() > 0) {
      left += grant.tokens();
      grantedAt = grant.at();
      end = Math.max(askedAt + TTL, now + MIN_TTL);
    }
  }

  /** Whether the limits have changed since the request. */
  private boolean isOutdated() {
    return askedRevision != flow.revision();
  }

  /** Handles a missing answer. */
  void failed(long now) {
    isAsking = false;
    askAgainAt = now + MAX_RETRY_DELAY;
  }

  /** Whether there is no token, no call in flight, and nothing to request or report. */
  boolean isIdle() {
    return slots() == 0 && !isAsking && reportBy == NEVER;
  }
}
