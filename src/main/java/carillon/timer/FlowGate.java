package carillon.timer;

import carillon.flow.Flow;
import carillon.flow.FlowGrant;
import carillon.flow.FlowGrant.BreakerState;
import carillon.flow.FlowRequest;
import carillon.job.Destination;
import carillon.timer.FlowWaitingLists.ListClaim;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.IntPredicate;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * Gate of one flow at this node: lets a call begin for each token that Redis granted, and knows
 * what else waits. A value that is told what happens and when: knows no clock, Redis or thread.
 *
 * <p>An attempt that has just become due begins at once where there is a token and a place at its
 * destination. Where it is the request for tokens, or a place, that it lacks for a moment, it is
 * kept in the {@link FlowLine}. Where the flow is at its limit, and where more wait than get done
 * in a moment, it waits in Redis, in the waiting list of its partition. Who has waited longest goes
 * first, kept here or there: the oldest of the lists is claimed once there are tokens for it. A
 * token that is not spent within {@link #TOKEN_TTL} is given back.
 *
 * <p>Where nothing but the number of calls in flight is limited, a call that ends hands its place
 * on to the next attempt of this node, without a request, as long as the node has no more than its
 * share, and the flow is not stopped.
 *
 * <p>All times in epoch milliseconds of the node's clock.
 *
 * @param <W> an attempt that is kept
 */
final class FlowGate<W> {
  /** How long a token may be kept, from when it is asked for. */
  static final long TOKEN_TTL = 50;

  /** The same from when it is there, however long Redis has taken: what waits for it can begin. */
  private static final long MIN_TOKEN_TTL = 10;

  /** Within this others are told that a place is free. */
  static final long REPORT_DELAY = 50;

  /** The same where nobody waits for that. */
  private static final long LAZY_REPORT_DELAY = 1000;

  /** A flow that is stopped is asked for so often. */
  private static final long MAX_RETRY_DELAY = 1000;

  /** Most attempts that are kept. */
  private static final int MAX_KEPT = 512;

  /** Most tokens of a request, but for those that are asked for ahead. */
  private static final int MAX_TOKENS = 256;

  private static final long NEVER = Long.MAX_VALUE;

  private final long renewal;
  private final AttemptFacts<W> attempts;
  private final FlowLine<W> kept;
  private final FlowWaitingLists lists = new FlowWaitingLists();
  private final Arrivals arrivals = new Arrivals();
  private final FlowRoom room = new FlowRoom();
  private final FlowBreaker breaker = new FlowBreaker();
  private CompletionRate ends = new CompletionRate(0);

  private Flow flow;
  private int calls;
  private int tokens;
  private int reserved;
  private long grantedAt;
  private long tokensEnd;
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
  private long backOffUntil;

  /** What is to be done with an attempt that has just become due. */
  enum Admission {
    /** Begin its call: a token is spent for it. */
    START,
    /** Nothing: it is kept here, see {@link #beginKept}. */
    KEEP,
    /** Let it wait in Redis for the flow. */
    PARK,
    /** Let it be due again when its destination can be expected to have a place. */
    PUT_OFF
  }

  /** What a gate wants to know of attempts. */
  interface AttemptFacts<W> {
    /** Where it stands in line: the least is first. */
    long score(W attempt);

    /** What it calls. */
    Destination destination(W attempt);

    /** How many more calls of a destination can begin at this node. */
    int places(Destination destination);

    /** Whether places at a destination become free so fast that others can wait for it. */
    boolean isQuick(Destination destination);
  }

  /**
   * A gate without calls.
   *
   * @param lease Redis takes the slots of this node for free so long after its last request
   */
  FlowGate(Flow flow, Duration lease, AttemptFacts<W> attempts) {
    this.flow = flow;
    this.attempts = attempts;
    this.kept = new FlowLine<>(attempts::destination);
    this.renewal = lease.toMillis() / 3;
  }

  Flow flow() {
    return flow;
  }

  BreakerState breaker() {
    return breaker.state();
  }

  /** Other limits hold from now on: Redis is told, and what it answered by others is over. */
  void update(Flow now) {
    flow = now;
    askAgainAt = 0;
    worthAskingAt = 0;
    share = 0;
    reportBy = 0;
  }

  /** Decides about an attempt that has just become due. */
  Admission admit(W attempt, long now) {
    if (hasPlace(attempt)) {
      arrivals.add(now);
    }
    if (kept.isEmpty() && lists.isEmpty() && spend(now)) {
      return Admission.START;
    }
    return keepOrNot(attempt, now);
  }

  /** Decides about an attempt that does not begin now. */
  Admission keepOrNot(W attempt, long now) {
    return keep(attempt, now) ? Admission.KEEP : leaving(attempt, now);
  }

  /** Decides about an attempt for which there is a token, but no place. */
  Admission keepForPlace(W attempt, long now) {
    return keep(attempt, now) ? Admission.KEEP : waitingForPlace(attempt);
  }

  /** What is to be done with an attempt that is kept no longer. */
  Admission leaving(W attempt, long now) {
    return isPutOff(now) || hasPlace(attempt) ? Admission.PARK : waitingForPlace(attempt);
  }

  /**
   * What waits for a slow destination does not do so in a list of the flow: it would stand in the
   * way of others there.
   */
  private Admission waitingForPlace(W attempt) {
    return attempts.isQuick(attempts.destination(attempt)) ? Admission.PARK : Admission.PUT_OFF;
  }

  private boolean hasPlace(W attempt) {
    return attempts.places(attempts.destination(attempt)) > 0;
  }

  /** Keeps an attempt that can be expected to begin in a moment; false for one that cannot. */
  private boolean keep(W attempt, long now) {
    boolean hasRoom = lists.isEmpty() && room.at(now) > 0 && hasPlace(attempt);
    int most = hasRoom ? MAX_KEPT : Math.min(MAX_KEPT, ends.perWindow(now));
    if (isPutOff(now) || kept.size() + lists.size() >= most) {
      return false;
    }
    kept.add(attempt, attempts.score(attempt), now);
    return true;
  }

  /** Whether there will be no token for a while. */
  private boolean isPutOff(long now) {
    return now < Math.max(askAgainAt, backOffUntil);
  }

  /**
   * Begins the calls of attempts that are kept, while there are tokens and places, and nobody in a
   * list has waited for longer.
   *
   * @param begins makes a call; false where its destination has no place for it
   */
  void beginKept(long now, Predicate<W> begins) {
    long oldest = lists.oldest().orElse(NEVER);
    kept.offer(
        first -> first <= oldest && room.at(now) > 0 && spend(now),
        attempt -> {
          boolean hasBegun = begins.test(attempt);
          if (!hasBegun) {
            giveBack();
          }
          return hasBegun;
        });
  }

  /** Removes the attempts that have been kept too long, all where there will be no token. */
  List<W> leave(long now) {
    return isPutOff(now) ? drain() : kept.overdue(now);
  }

  /** Spends a token for a call that begins, if there is one. */
  boolean spend(long now) {
    if (tokens == 0 || now > tokensEnd || isPaused(now)) {
      return false;
    }
    tokens--;
    calls++;
    room.begun();
    breaker.begun();
    return true;
  }

  /** A client's pause holds as soon as it is known here, whatever was granted before. */
  private boolean isPaused(long now) {
    return flow.isPaused(Instant.ofEpochMilli(now));
  }

  /** A call for which a token was spent was not begun after all. */
  void giveBack() {
    calls--;
    room.notBegun();
    breaker.notBegun();
    tokens++;
  }

  /** See {@link FlowRoom#full}. */
  void full(long now, LongSupplier until) {
    room.full(now, calls, until);
  }

  /** This node has no place for what waits in the lists; what is kept has its own. */
  void fullForLists(long now, long until) {
    if (kept.isEmpty() && !isIdle()) {
      full(now, () -> until);
    }
  }

  /**
   * When more of what waits may begin, for whoever steps time: a past instant while that is not
   * known yet, {@link FlowGrant#NEVER} where nothing waits or a client has to resume the flow.
   */
  long nextDue() {
    if (kept.isEmpty() && lists.isEmpty()) {
      return FlowGrant.NEVER;
    }
    return isAsking || tokens + reserved > 0 ? 0 : worthAskingAt;
  }

  /** Whatever was put off is to be done now: time does not pass by itself. */
  void hurry(long now) {
    if (!isIdle()) {
      askAgainAt = 0;
      backOffUntil = 0;
      room.reset();
      reportBy = now;
    }
  }

  /** The generation of the breaker, of which a call that begins now is. */
  long generation() {
    return breaker.generation();
  }

  /**
   * A call has ended.
   *
   * @param began the generation in which it began
   * @param success whether the destination is well; empty where the call was not begun after all
   * @param asked epoch ms before which the destination asks not to be called
   */
  void ended(long began, Optional<Boolean> success, OptionalLong asked, long now) {
    calls--;
    ends.done(now);
    room.ended(kept.isEmpty() || !lists.isEmpty() ? calls : 0);
    switch (breaker.ended(began, success, flow.definition().breaker().isPresent())) {
      case AT_ONCE -> reportBy = Math.min(reportBy, now);
      case LATER -> reportBy = Math.min(reportBy, now + LAZY_REPORT_DELAY);
      case NOTHING -> {}
    }
    if (asked.isPresent() && flow.definition().heedsRetryAfter()) {
      retryAt = OptionalLong.of(Math.max(retryAt.orElse(0), asked.getAsLong()));
      reportBy = now;
    }
    if (mayHandOn(now)) {
      tokens++;
      handedOn++;
      tokensEnd = Math.max(tokensEnd, now + TOKEN_TTL);
    } else {
      boolean isWaitedFor = flow.definition().parallelism().isPresent();
      reportBy = Math.min(reportBy, now + (isWaitedFor ? REPORT_DELAY : LAZY_REPORT_DELAY));
    }
  }

  private boolean mayHandOn(long now) {
    return !(lists.isEmpty() && kept.isEmpty())
        && flow.definition().parallelism().isPresent()
        && flow.definition().rate().isEmpty()
        && breaker.isWell()
        && retryAt.isEmpty()
        && now < askedAt + MAX_RETRY_DELAY
        && slots() < share
        && !isPaused(now);
  }

  /** Calls in flight, and tokens for more: what Redis counts for this node. */
  private int slots() {
    return calls + tokens + reserved;
  }

  /** How many tokens there is use for now. */
  private int want(long now) {
    return want(now < backOffUntil ? 0 : room.at(now));
  }

  private int want(int places) {
    int begin = Math.min(kept.withPlace(attempts::places) + lists.size(), places);
    return Math.max(0, Math.min(MAX_TOKENS, begin - tokens - reserved));
  }

  /**
   * Tokens for attempts that are likely to become due before a token ends, so that a steady stream
   * of them asks once in that time and not for each. Only of a rate: what is ahead would take
   * places, or probes, from other nodes.
   */
  private int ahead(long now) {
    boolean isOnlyRate =
        flow.definition().rate().isPresent()
            && flow.definition().parallelism().isEmpty()
            && breaker.state() == BreakerState.CLOSED;
    return isOnlyRate && !kept.isEmpty() && lists.isEmpty()
        ? Math.min(arrivals.ofLastSlice(now), MAX_TOKENS)
        : 0;
  }

  /** Count of the attempts that become due within the life of a token. */
  private static final class Arrivals {
    private long slice;
    private int count;
    private int before;

    void add(long now) {
      turn(now);
      count++;
    }

    /** How many there were in the slice of time before this one. */
    int ofLastSlice(long now) {
      turn(now);
      return before;
    }

    private void turn(long now) {
      long current = now / TOKEN_TTL;
      if (current != slice) {
        before = current == slice + 1 ? count : 0;
        count = 0;
        slice = current;
      }
    }
  }

  /** Takes back tokens that may not be spent any more. */
  private void expire(long now) {
    if (tokens > 0 && (now > tokensEnd || isPaused(now))) {
      breaker.unspent(tokens);
      giveUp(tokens, now);
      tokens = 0;
    }
  }

  private void giveUp(int count, long now) {
    unusedGrantedAt = unused == 0 ? grantedAt : Math.min(unusedGrantedAt, grantedAt);
    unused += count;
    reportBy = now;
  }

  /** What is still to be told is to be told now. */
  void report(long now) {
    if (reportBy != NEVER) {
      reportBy = Math.min(reportBy, now);
    }
  }

  /** When this gate is to be looked at next; {@link Long#MAX_VALUE} for never. */
  long wakeAt() {
    long next = Math.min(kept.overdueAt(), tokens > 0 ? tokensEnd + 1 : NEVER);
    if (!kept.isEmpty() && room.known() == 0) {
      next = Math.min(next, room.fullUntil());
    }
    return isAsking ? next : Math.min(next, askAt());
  }

  private long askAt() {
    long ask = NEVER;
    if (want(room.known()) > 0) {
      ask = Math.max(askAgainAt, kept.isEmpty() ? backOffUntil : 0);
    } else if (want(FlowRoom.ANY) > 0) {
      ask = Math.max(Math.max(askAgainAt, backOffUntil), room.fullUntil());
    }
    long renew = slots() > 0 || reportBy != NEVER ? askedAt + renewal : NEVER;
    return Math.min(Math.min(ask, reportBy), renew);
  }

  /** The request that is to be made now, if any; {@link #answered} or {@link #failed} follows. */
  Optional<FlowRequest> request(long now) {
    boolean isSetBack = now < askedAt; // the clock
    if (isSetBack) {
      // What was put off, or kept, by the time before would be for as long as the step.
      backOffUntil = 0;
      room.reset();
      ends = new CompletionRate(now);
      askAgainAt = 0;
      tokensEnd = Math.min(tokensEnd, now + TOKEN_TTL);
    }
    expire(now);
    if (isAsking || (now < askAt() && !isSetBack)) {
      return Optional.empty();
    }
    FlowRequest request =
        new FlowRequest(
            slots(),
            want(now) + ahead(now),
            oldest(now),
            unused,
            unusedGrantedAt,
            breaker.report(),
            handedOn,
            retryAt);
    isAsking = true;
    askedAt = now;
    askedRevision = flow.revision();
    unused = 0;
    handedOn = 0;
    retryAt = OptionalLong.empty();
    reportBy = NEVER;
    return Optional.of(request);
  }

  private OptionalLong oldest(long now) {
    long first = Math.min(kept.first().orElse(NEVER), lists.oldest().orElse(NEVER));
    return want(now) == 0 ? OptionalLong.empty() : OptionalLong.of(first);
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
      tokens += grant.tokens();
      grantedAt = grant.at();
      tokensEnd = Math.max(askedAt + TOKEN_TTL, now + MIN_TOKEN_TTL);
    }
  }

  /** The breaker has changed: what was granted before is no good any more. */
  private void giveUpAll(long now) {
    if (tokens + reserved > 0) {
      giveUp(tokens + reserved, now);
      tokens = 0;
      reserved = 0;
    }
  }

  /** Whether the request was made by limits that have changed since. */
  private boolean isOutdated() {
    return askedRevision != flow.revision();
  }

  /** Redis did not answer. What is kept is to wait there, see {@link #leave}. */
  void failed(long now) {
    isAsking = false;
    askAgainAt = now + MAX_RETRY_DELAY;
  }

  /** How many attempts are kept. */
  int kept() {
    return kept.size();
  }

  /** Removes the attempts that are kept. */
  List<W> drain() {
    return withdraw(attempt -> true);
  }

  /** Removes the attempts that are kept and match. */
  List<W> withdraw(Predicate<W> filter) {
    return kept.withdraw(filter);
  }

  /** An attempt waits in a list that this node serves. */
  void parked(int partition, long score) {
    lists.add(partition, score);
  }

  /**
   * What Redis has in the waiting list of a partition that this node serves.
   *
   * @param oldest score of the first, empty when nothing waits
   */
  void setWaiting(int partition, OptionalLong oldest, int count) {
    lists.set(partition, oldest, count);
  }

  /**
   * The next claim to be made, for which tokens are set aside; {@link #claimed} follows. What is
   * more than its list has is for another list, at the same time.
   */
  Optional<ListClaim> claim(long now, int places) {
    expire(now);
    int limit = Math.min(tokens, Math.min(places, room.at(now) - reserved));
    if (limit <= 0 || now < backOffUntil) {
      return Optional.empty();
    }
    Optional<ListClaim> claim = lists.claim(limit, breaker.generation());
    claim.ifPresent(made -> reserve(made.limit()));
    return claim;
  }

  private void reserve(int count) {
    tokens -= count;
    reserved += count;
  }

  /** The tokens of a claim are as good as others again, unless the breaker has changed since. */
  private void free(ListClaim claim) {
    if (claim.generation() == breaker.generation()) {
      reserve(-claim.limit());
    }
  }

  /**
   * A claim is answered, or has failed: the tokens that were set aside for it can be spent, in this
   * turn of the event loop at least.
   *
   * @param taken how many attempts it brought
   * @param oldest score of the first that is left, empty when nothing is
   */
  void claimed(ListClaim claim, int taken, OptionalLong oldest, long now) {
    free(claim);
    tokensEnd = Math.max(tokensEnd, now);
    lists.claimed(claim, taken, oldest);
  }

  /** A claim was not answered: what it was about still waits, or is found later. */
  void claimFailed(ListClaim claim, long now) {
    free(claim);
    lists.claimFailed(claim);
    backOffUntil = now + MAX_RETRY_DELAY;
  }

  /** Keeps only the lists of partitions that this node serves. */
  void retain(IntPredicate serves) {
    lists.retain(serves);
  }

  /** Whether nothing is in flight, waits, or is to be told. */
  boolean isIdle() {
    return slots() == 0 && kept.isEmpty() && lists.isEmpty() && !isAsking && reportBy == NEVER;
  }
}
