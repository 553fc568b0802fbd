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
 * Tokens of one flow at this node, each good for one call: those that are left, those that are
 * spent for the calls in flight, and what Redis is asked for and told of them. A value like its
 * {@link FlowGate}, which knows what the tokens are for.
 *
 * <p>A token that is not spent within {@link #TTL} is given back, and so are all as soon as the
 * breaker has changed or a client pauses the flow.
 *
 * <p>Where nothing but the number of calls in flight is limited, a call that ends hands its place
 * on to the next attempt of this node, without a request, as long as the node has no more than its
 * share, and the flow is not stopped.
 *
 * <p>All times in epoch milliseconds of the node's clock.
 */
final class FlowTokens {
  /** How long a token may be kept, from when it is asked for. */
  static final long TTL = 50;

  /** How long a token is kept at least, from when it is there: what waits for it can begin. */
  private static final long MIN_TTL = 10;

  /** Within this others are told that a place is free. */
  static final long REPORT_DELAY = 50;

  /** Within this Redis is told what no node waits for. */
  private static final long LAZY_REPORT_DELAY = 1000;

  /** Within this Redis is told of a place where this node's next call lacks nothing else. */
  static final long PLACE_DELAY = 2;

  /** A flow that is stopped is asked for so often. */
  private static final long MAX_RETRY_DELAY = 1000;

  /** Most tokens of a request, and most that are asked for ahead. */
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
   * No tokens yet.
   *
   * @param lease Redis takes the slots of this node for free so long after its last request
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

  /** The generation of the breaker, of which a call that begins now is. */
  long generation() {
    return breaker.generation();
  }

  /** How many calls are in flight. */
  int calls() {
    return calls;
  }

  /** How many can be spent, or set aside. */
  int left() {
    return left;
  }

  /** How many are set aside for claims. */
  int reserved() {
    return reserved;
  }

  /** Calls in flight, and tokens for more: what Redis counts for this node. */
  private int slots() {
    return calls + left + reserved;
  }

  /** How many more are to be asked for, so that so many calls can begin. */
  int missing(int begin) {
    return Math.max(0, Math.min(MAX_TOKENS, begin - left - reserved));
  }

  /** Other limits hold from now on: Redis is told, and what it answered by others is over. */
  void update(Flow now) {
    flow = now;
    askAgainAt = 0;
    worthAskingAt = 0;
    share = 0;
    reportBy = 0;
  }

  /** Spends one for a call that begins, if there is one. */
  boolean spend(long now) {
    if (left == 0 || now > end || isPaused(now)) {
      return false;
    }
    left--;
    calls++;
    breaker.begun();
    return true;
  }

  /** A client's pause holds as soon as it is known here, whatever was granted before. */
  private boolean isPaused(long now) {
    return flow.isPaused(Instant.ofEpochMilli(now));
  }

  /** The call for which one was spent was not begun after all. */
  void giveBack() {
    calls--;
    breaker.notBegun();
    left++;
  }

  /**
   * A call has ended.
   *
   * @param began the generation in which it began
   * @param success whether the destination is well; empty where the call was not begun after all
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
    // Each call needs a token of the rate, so that no place is handed on.
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

  /** None ends before this. */
  void keepUntil(long at) {
    end = Math.max(end, at);
  }

  /** Sets some aside, for a claim. */
  void reserve(int count) {
    left -= count;
    reserved += count;
  }

  /**
   * Those of a claim are as good as others again, unless the breaker has changed since.
   *
   * @param generation of the breaker in which they were set aside
   */
  void free(int count, long generation) {
    if (generation == breaker.generation()) {
      reserve(-count);
    }
  }

  /** When what is left may be spent no more; {@link Long#MAX_VALUE} where nothing is. */
  long expireAt() {
    return left > 0 ? end + 1 : NEVER;
  }

  /** Takes back what may not be spent any more. */
  void expire(long now) {
    if (now > end || isPaused(now)) {
      giveUpLeft(now);
    }
  }

  /** Gives back what is left: none of it is spent any more. */
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

  /** The breaker has changed: what was granted before is no good any more. */
  private void giveUpAll(long now) {
    if (left + reserved > 0) {
      giveUp(left + reserved, now);
      left = 0;
      reserved = 0;
    }
  }

  /** Only of a rate: what is ahead would take places, or probes, from other nodes. */
  boolean mayBeAhead() {
    return flow.definition().rate().isPresent()
        && flow.definition().parallelism().isEmpty()
        && breaker.state() == BreakerState.CLOSED;
  }

  /** Whether a request is under way. */
  boolean isAsking() {
    return isAsking;
  }

  /** Before this there will be no more. */
  long askAgainAt() {
    return askAgainAt;
  }

  /** When Redis is to hear of this node at the latest; {@link Long#MAX_VALUE} for never. */
  long tellBy() {
    long renew = slots() > 0 || reportBy != NEVER ? askedAt + renewal : NEVER;
    return Math.min(reportBy, renew);
  }

  /** What is still to be told is to be told now. */
  void report(long now) {
    if (reportBy != NEVER) {
      reportBy = Math.min(reportBy, now);
    }
  }

  /** Redis is asked, and told, now. */
  void hurry(long now) {
    askAgainAt = 0;
    reportBy = now;
  }

  /**
   * When the next call may begin: a past instant while that is not known yet, {@link
   * FlowGrant#NEVER} where a client has to resume the flow.
   */
  long nextDue() {
    return isAsking || left + reserved > 0 ? 0 : worthAskingAt;
  }

  /** Whether the clock was set back since the last request. */
  boolean isSetBack(long now) {
    return now < askedAt;
  }

  /** Ends what the time before a step back put off or kept: it would last as long as the step. */
  void setBack(long now) {
    askAgainAt = 0;
    end = Math.min(end, now + TTL);
  }

  /**
   * Makes a request; {@link #answered} or {@link #failed} follows.
   *
   * @param want how many more tokens
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

  /** The request is answered. */
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

  /** Whether the request was made by limits that have changed since. */
  private boolean isOutdated() {
    return askedRevision != flow.revision();
  }

  /** Redis did not answer. */
  void failed(long now) {
    isAsking = false;
    askAgainAt = now + MAX_RETRY_DELAY;
  }

  /** Whether none is left, no call in flight, and nothing to be asked or told. */
  boolean isIdle() {
    return slots() == 0 && !isAsking && reportBy == NEVER;
  }
}
