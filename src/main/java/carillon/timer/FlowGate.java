package carillon.timer;

import carillon.flow.Flow;
import carillon.flow.FlowGrant;
import carillon.flow.FlowGrant.BreakerState;
import carillon.flow.FlowRequest;
import carillon.timer.Admission.AdmissionStep;
import carillon.timer.FlowLine.AttemptFacts;
import carillon.timer.FlowWaitingLists.ListClaim;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.IntPredicate;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * Gate of one flow at this node: lets one call begin for each token that Redis granted, and counts
 * the waiting attempts. Pure state: uses no clock, Redis or threads.
 *
 * <p>A due attempt begins immediately if there is a token and a place at its destination. If it
 * lacks only tokens already requested or a place, for a moment, it is kept in the {@link FlowLine}.
 * If the flow is at its limit, or if more attempts wait than complete in a moment, it is parked in
 * Redis, in the waiting list of its partition. The attempt that has waited longest goes first,
 * whether kept or parked: the oldest list is claimed when there are tokens for it. The {@link
 * FlowTokens} hold what Redis granted, and what to request and report.
 *
 * <p>All times are in epoch milliseconds of the node's clock.
 *
 * @param <W> a kept attempt
 */
final class FlowGate<W> {
  /** Delay of the next claim of a list after a claim that was not answered. */
  private static final long CLAIM_RETRY_DELAY = 1000;

  /** Maximum number of kept attempts. */
  private static final int MAX_KEPT = 512;

  private static final long NEVER = Long.MAX_VALUE;

  private final AttemptFacts<W> attempts;
  private final FlowLine<W> kept;
  private final FlowWaitingLists lists = new FlowWaitingLists();
  private final FlowRoom room = new FlowRoom();
  private final FlowTokens tokens;
  private CompletionRate ends = new CompletionRate(0);
  private long backOffUntil;

  /**
   * Creates a gate without calls.
   *
   * @param lease time after the last request of this node at which Redis frees its slots
   */
  FlowGate(Flow flow, Duration lease, AttemptFacts<W> attempts) {
    this.attempts = attempts;
    this.kept = new FlowLine<>(attempts);
    this.tokens = new FlowTokens(flow, lease);
  }

  Flow flow() {
    return tokens.flow();
  }

  BreakerState breaker() {
    return tokens.breaker();
  }

  /** Applies changed limits: reports them to Redis and discards answers based on earlier limits. */
  void update(Flow now) {
    tokens.update(now);
  }

  /** Decides about an attempt that has just become due. */
  AdmissionStep admit(W attempt, long now) {
    kept.arrived(attempt, now);
    if (!hasWaiting() && spend(now)) {
      return AdmissionStep.START;
    }
    return keepOrNot(attempt, now);
  }

  /** Decides about an attempt that does not begin now. */
  AdmissionStep keepOrNot(W attempt, long now) {
    return keep(attempt, now) ? AdmissionStep.KEEP : leaving(attempt, now);
  }

  /** Decides about an attempt that has a token but no place. */
  AdmissionStep keepForPlace(W attempt, long now) {
    return keep(attempt, now) ? AdmissionStep.KEEP : waitingForPlace(attempt);
  }

  /** Decides about an attempt that is no longer kept. */
  AdmissionStep leaving(W attempt, long now) {
    return isOutOfTokens(now) || kept.hasPlace(attempt)
        ? AdmissionStep.PARK
        : waitingForPlace(attempt);
  }

  /**
   * Defers attempts for slow destinations, because they would block others in a list of the flow.
   */
  private AdmissionStep waitingForPlace(W attempt) {
    return attempts.isQuick(attempts.destination(attempt))
        ? AdmissionStep.PARK
        : AdmissionStep.DEFER;
  }

  /** Keeps an attempt that can probably begin in a moment. Returns false otherwise. */
  private boolean keep(W attempt, long now) {
    boolean hasRoom = lists.isEmpty() && room.at(now) > 0 && kept.hasPlace(attempt);
    int most = hasRoom ? MAX_KEPT : Math.min(MAX_KEPT, ends.perWindow(now));
    if (isOutOfTokens(now) || kept.size() + lists.size() >= most) {
      return false;
    }
    kept.add(attempt, now);
    return true;
  }

  /** Whether no token is available for a while. */
  private boolean isOutOfTokens(long now) {
    return now < Math.max(tokens.askAgainAt(), backOffUntil);
  }

  /**
   * Returns the first kept attempt that finds a place, with a token spent for it. Empty if there is
   * none, if there is no token or no room, or if a listed attempt has waited longer.
   *
   * @param takesPlace takes a place for a call; false if its destination has none
   */
  Optional<W> nextKept(long now, Predicate<W> takesPlace) {
    long oldest = lists.oldest().orElse(NEVER);
    return kept.next(
        first -> first <= oldest && room.at(now) > 0 && spend(now),
        attempt -> {
          boolean hasPlace = takesPlace.test(attempt);
          if (!hasPlace) {
            giveBack();
          }
          return hasPlace;
        });
  }

  /** Removes the attempts that were kept too long, or all if no token is available for a while. */
  List<W> leave(long now) {
    return isOutOfTokens(now) ? drain() : kept.overdue(now);
  }

  /** Spends a token for a call, if there is one. */
  boolean spend(long now) {
    boolean isSpent = tokens.spend(now);
    if (isSpent) {
      room.begun();
    }
    return isSpent;
  }

  /** Returns the token of a call that was not begun after all. */
  void giveBack() {
    tokens.giveBack();
    room.notBegun();
  }

  /**
   * Records that a call of the flow found no place.
   *
   * @param until when a place may be free even if no call ends; evaluated only if unknown
   */
  void full(long now, LongSupplier until) {
    room.full(now, tokens.calls(), until);
  }

  /**
   * Records that this node has no place for listed attempts. Kept attempts have their own places.
   */
  void fullForLists(long now, long until) {
    if (kept.isEmpty() && !isIdle()) {
      full(now, () -> until);
    }
  }

  /**
   * Returns when more waiting attempts may begin, for a virtual clock. A past instant means
   * unknown. {@link FlowGrant#NEVER} means that nothing waits or that a client must resume the
   * flow.
   */
  long nextDue() {
    return hasWaiting() ? tokens.nextDue() : FlowGrant.NEVER;
  }

  /** Ends all delays, because time does not pass under a virtual clock. */
  void hurry(long now) {
    if (!isIdle()) {
      tokens.hurry(now);
      backOffUntil = 0;
      room.reset();
    }
  }

  /** Generation of the breaker for a call that begins now. */
  long generation() {
    return tokens.generation();
  }

  /**
   * Records the end of a call.
   *
   * @param began generation in which the call began
   * @param success whether the destination is healthy; empty if the call was not begun
   * @param asked epoch ms before which the destination asks not to be called
   */
  void ended(long began, Optional<Boolean> success, OptionalLong asked, long now) {
    tokens.ended(began, success, asked, hasWaiting(), now);
    ends.done(now);
    room.ended(kept.isEmpty() || !lists.isEmpty() ? tokens.calls() : 0);
  }

  private boolean hasWaiting() {
    return !(kept.isEmpty() && lists.isEmpty());
  }

  /** Number of tokens to request for waiting attempts. */
  private int want(long now) {
    return want(now < backOffUntil ? 0 : room.at(now));
  }

  private int want(int places) {
    int begin = Math.min(kept.withPlace() + lists.size(), places);
    return tokens.missing(begin);
  }

  /**
   * Number of tokens for attempts that will probably become due before a token expires. A steady
   * stream of attempts then needs one request in that time, not one for each.
   */
  private int ahead(long now) {
    return !kept.isEmpty() && lists.isEmpty() && tokens.mayBeAhead()
        ? Math.min(kept.arrivals(now), FlowTokens.MAX_TOKENS)
        : 0;
  }

  /** Makes outstanding reports due now. */
  void report(long now) {
    tokens.report(now);
  }

  /** Returns when to check this gate next; {@link Long#MAX_VALUE} for never. */
  long wakeAt() {
    long next = Math.min(kept.overdueAt(), tokens.expireAt());
    if (!kept.isEmpty() && room.known() == 0) {
      next = Math.min(next, room.fullUntil());
    }
    return tokens.isAsking() ? next : Math.min(next, askAt());
  }

  private long askAt() {
    long ask = NEVER;
    if (want(room.known()) > 0) {
      ask = Math.max(tokens.askAgainAt(), kept.isEmpty() ? backOffUntil : 0);
    } else if (want(FlowRoom.ANY) > 0) {
      ask = Math.max(Math.max(tokens.askAgainAt(), backOffUntil), room.fullUntil());
    }
    return Math.min(ask, tokens.tellBy());
  }

  /** Returns the request to make now, if any. {@link #answered} or {@link #failed} must follow. */
  Optional<FlowRequest> request(long now) {
    boolean isSetBack = tokens.isSetBack(now);
    if (isSetBack) {
      // Delays based on the time before would last as long as the step.
      backOffUntil = 0;
      room.reset();
      ends = new CompletionRate(now);
      tokens.setBack(now);
    }
    tokens.expire(now);
    if (tokens.isAsking() || (now < askAt() && !isSetBack)) {
      return Optional.empty();
    }
    return Optional.of(tokens.request(want(now) + ahead(now), oldest(now), now));
  }

  private OptionalLong oldest(long now) {
    long first = Math.min(kept.first().orElse(NEVER), lists.oldest().orElse(NEVER));
    return want(now) == 0 ? OptionalLong.empty() : OptionalLong.of(first);
  }

  /** Handles the answer to the request. */
  void answered(FlowGrant grant, long now) {
    tokens.answered(grant, now);
  }

  /** Handles a missing answer. Kept attempts are then parked, see {@link #leave}. */
  void failed(long now) {
    tokens.failed(now);
  }

  /** Number of kept attempts. */
  int kept() {
    return kept.size();
  }

  /** Removes all kept attempts. */
  List<W> drain() {
    return withdraw(attempt -> true);
  }

  /** Removes the kept attempts that match. */
  List<W> withdraw(Predicate<W> filter) {
    return kept.withdraw(filter);
  }

  /** Records an attempt in a list that this node serves. */
  void parked(int partition, long score) {
    lists.add(partition, score);
  }

  /**
   * Updates the waiting list of a partition that this node serves.
   *
   * @param oldest score of the first attempt; empty if none waits
   */
  void setWaiting(int partition, OptionalLong oldest, int count) {
    lists.set(partition, oldest, count);
  }

  /**
   * Returns the next claim to make, and reserves tokens for it. {@link #claimed} must follow.
   * Tokens beyond the size of its list can serve another list at the same time.
   */
  Optional<ListClaim> claim(long now, int places) {
    tokens.expire(now);
    int limit = Math.min(tokens.left(), Math.min(places, room.at(now) - tokens.reserved()));
    if (limit <= 0 || now < backOffUntil) {
      return Optional.empty();
    }
    Optional<ListClaim> claim = lists.claim(limit, tokens.generation());
    claim.ifPresent(made -> tokens.reserve(made.limit()));
    return claim;
  }

  /**
   * Handles the answer to a claim. Its reserved tokens can be spent at least in this turn of the
   * event loop.
   *
   * @param taken number of claimed attempts
   * @param oldest score of the first remaining attempt; empty if none remains
   */
  void claimed(ListClaim claim, int taken, OptionalLong oldest, long now) {
    tokens.free(claim.limit(), claim.generation());
    tokens.keepUntil(now);
    lists.claimed(claim, taken, oldest);
  }

  /** Handles a claim without an answer. Its attempts still wait, or are found later. */
  void claimFailed(ListClaim claim, long now) {
    tokens.free(claim.limit(), claim.generation());
    lists.claimFailed(claim);
    backOffUntil = now + CLAIM_RETRY_DELAY;
  }

  /** Keeps only the lists of partitions that this node serves. */
  void retain(IntPredicate serves) {
    lists.retain(serves);
  }

  /** Stops requesting and gives back tokens, except for claims and calls under way. */
  void stop(long now) {
    lists.retain(partition -> false);
    tokens.giveUpLeft(now);
  }

  /** Whether nothing is in flight, waits, or must be reported. */
  boolean isIdle() {
    return !hasWaiting() && tokens.isIdle();
  }
}
