package carillon.timer;

import carillon.flow.Flow;
import carillon.flow.FlowGrant;
import carillon.flow.FlowGrant.BreakerState;
import carillon.flow.FlowRequest;
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
 * Gate of one flow at this node: lets a call begin for each token that Redis granted, and knows
 * what else waits. A value that is told what happens and when: knows no clock, Redis or thread.
 *
 * <p>An attempt that has just become due begins at once where there is a token and a place at its
 * destination. Where it is the request for tokens, or a place, that it lacks for a moment, it is
 * kept in the {@link FlowLine}. Where the flow is at its limit, and where more wait than get done
 * in a moment, it waits in Redis, in the waiting list of its partition. Who has waited longest goes
 * first, kept here or there: the oldest of the lists is claimed once there are tokens for it. What
 * Redis granted, and what it is asked for and told, is in the {@link FlowTokens}.
 *
 * <p>All times in epoch milliseconds of the node's clock.
 *
 * @param <W> an attempt that is kept
 */
final class FlowGate<W> {
  /** No list is claimed for so long after a claim that was not answered. */
  private static final long CLAIM_RETRY_DELAY = 1000;

  /** Most attempts that are kept. */
  private static final int MAX_KEPT = 512;

  private static final long NEVER = Long.MAX_VALUE;

  private final AttemptFacts<W> attempts;
  private final FlowLine<W> kept;
  private final FlowWaitingLists lists = new FlowWaitingLists();
  private final FlowRoom room = new FlowRoom();
  private final FlowTokens tokens;
  private CompletionRate ends = new CompletionRate(0);
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

  /**
   * A gate without calls.
   *
   * @param lease Redis takes the slots of this node for free so long after its last request
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

  /** Other limits hold from now on: Redis is told, and what it answered by others is over. */
  void update(Flow now) {
    tokens.update(now);
  }

  /** Decides about an attempt that has just become due. */
  Admission admit(W attempt, long now) {
    kept.arrived(attempt, now);
    if (!hasWaiting() && spend(now)) {
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
    return isPutOff(now) || kept.hasPlace(attempt) ? Admission.PARK : waitingForPlace(attempt);
  }

  /**
   * What waits for a slow destination does not do so in a list of the flow: it would stand in the
   * way of others there.
   */
  private Admission waitingForPlace(W attempt) {
    return attempts.isQuick(attempts.destination(attempt)) ? Admission.PARK : Admission.PUT_OFF;
  }

  /** Keeps an attempt that can be expected to begin in a moment; false for one that cannot. */
  private boolean keep(W attempt, long now) {
    boolean hasRoom = lists.isEmpty() && room.at(now) > 0 && kept.hasPlace(attempt);
    int most = hasRoom ? MAX_KEPT : Math.min(MAX_KEPT, ends.perWindow(now));
    if (isPutOff(now) || kept.size() + lists.size() >= most) {
      return false;
    }
    kept.add(attempt, now);
    return true;
  }

  /** Whether there will be no token for a while. */
  private boolean isPutOff(long now) {
    return now < Math.max(tokens.askAgainAt(), backOffUntil);
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
    boolean isSpent = tokens.spend(now);
    if (isSpent) {
      room.begun();
    }
    return isSpent;
  }

  /** A call for which a token was spent was not begun after all. */
  void giveBack() {
    tokens.giveBack();
    room.notBegun();
  }

  /**
   * A call of the flow has found no place.
   *
   * @param until when there may be one though none of them ends; asked only when that is not known
   */
  void full(long now, LongSupplier until) {
    room.full(now, tokens.calls(), until);
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
    return hasWaiting() ? tokens.nextDue() : FlowGrant.NEVER;
  }

  /** Whatever was put off is to be done now: time does not pass by itself. */
  void hurry(long now) {
    if (!isIdle()) {
      tokens.hurry(now);
      backOffUntil = 0;
      room.reset();
    }
  }

  /** The generation of the breaker, of which a call that begins now is. */
  long generation() {
    return tokens.generation();
  }

  /**
   * A call has ended.
   *
   * @param began the generation in which it began
   * @param success whether the destination is well; empty where the call was not begun after all
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

  /** How many tokens there is use for now. */
  private int want(long now) {
    return want(now < backOffUntil ? 0 : room.at(now));
  }

  private int want(int places) {
    int begin = Math.min(kept.withPlace() + lists.size(), places);
    return tokens.missing(begin);
  }

  /**
   * Tokens for attempts that are likely to become due before a token ends, so that a steady stream
   * of them asks once in that time and not for each.
   */
  private int ahead(long now) {
    return !kept.isEmpty() && lists.isEmpty() && tokens.mayBeAhead()
        ? Math.min(kept.arrivals(now), FlowTokens.MAX_TOKENS)
        : 0;
  }

  /** What is still to be told is to be told now. */
  void report(long now) {
    tokens.report(now);
  }

  /** When this gate is to be looked at next; {@link Long#MAX_VALUE} for never. */
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

  /** The request that is to be made now, if any; {@link #answered} or {@link #failed} follows. */
  Optional<FlowRequest> request(long now) {
    boolean isSetBack = tokens.isSetBack(now);
    if (isSetBack) {
      // What was put off, or kept, by the time before would be for as long as the step.
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

  /** The request is answered. */
  void answered(FlowGrant grant, long now) {
    tokens.answered(grant, now);
  }

  /** Redis did not answer. What is kept is to wait there, see {@link #leave}. */
  void failed(long now) {
    tokens.failed(now);
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
   * A claim is answered, or has failed: the tokens that were set aside for it can be spent, in this
   * turn of the event loop at least.
   *
   * @param taken how many attempts it brought
   * @param oldest score of the first that is left, empty when nothing is
   */
  void claimed(ListClaim claim, int taken, OptionalLong oldest, long now) {
    tokens.free(claim.limit(), claim.generation());
    tokens.keepUntil(now);
    lists.claimed(claim, taken, oldest);
  }

  /** A claim was not answered: what it was about still waits, or is found later. */
  void claimFailed(ListClaim claim, long now) {
    tokens.free(claim.limit(), claim.generation());
    lists.claimFailed(claim);
    backOffUntil = now + CLAIM_RETRY_DELAY;
  }

  /** Keeps only the lists of partitions that this node serves. */
  void retain(IntPredicate serves) {
    lists.retain(serves);
  }

  /** Asks for nothing more and gives back what it has, but for claims and calls under way. */
  void stop(long now) {
    lists.retain(partition -> false);
    tokens.giveUpLeft(now);
  }

  /** Whether nothing is in flight, waits, or is to be told. */
  boolean isIdle() {
    return !hasWaiting() && tokens.isIdle();
  }
}
