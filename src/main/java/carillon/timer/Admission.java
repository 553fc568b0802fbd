package carillon.timer;

import carillon.flow.CallOutcome;
import carillon.flow.FlowLane;
import carillon.store.attempt.ClaimStore;
import carillon.store.attempt.ClaimStore.ClaimReply;
import carillon.timer.ClaimDecision.Perform;
import io.vertx.core.Future;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;
import java.util.function.Predicate;

/**
 * Admission of calls to a limited resource: {@link PlaceAdmission} for places at destinations,
 * {@link FlowControl} for flows. It only decides: {@link AttemptStarter} begins, parks, defers and
 * releases attempts, and {@link Claimer} makes claims. Confined to the timer's event loop.
 */
interface Admission {

  /** Step to take with an attempt. */
  enum AdmissionStep {
    /** Ask the next admission: this one does not limit the call. */
    PASS,
    /** Begin the call: its place or token is taken. */
    START,
    /** Do nothing: the attempt is kept here until it is settled or withdrawn. */
    KEEP,
    /** Park the attempt in Redis until the flow has tokens. */
    PARK,
    /** Defer the attempt until its destination probably has a place, or a claim finds one. */
    DEFER,
    /** Defer the attempt until its destination probably has a place. */
    DEFER_UNINDEXED,
    /** Make the attempt due again. */
    RELEASE
  }

  /**
   * Decision about an attempt.
   *
   * @param passage passage to end with the call, if a call begins that passes a flow
   * @param parking only for {@link AdmissionStep#PARK}
   */
  record Verdict(AdmissionStep step, Optional<Passage> passage, Optional<Parking> parking) {
    static final Verdict PASS = of(AdmissionStep.PASS);
    static final Verdict START = of(AdmissionStep.START);
    static final Verdict KEEP = of(AdmissionStep.KEEP);
    static final Verdict DEFER = of(AdmissionStep.DEFER);
    static final Verdict DEFER_UNINDEXED = of(AdmissionStep.DEFER_UNINDEXED);
    static final Verdict RELEASE = of(AdmissionStep.RELEASE);

    private static Verdict of(AdmissionStep step) {
      return new Verdict(step, Optional.empty(), Optional.empty());
    }

    static Verdict start(Passage passage) {
      return new Verdict(AdmissionStep.START, Optional.of(passage), Optional.empty());
    }

    static Verdict park(Parking parking) {
      return new Verdict(AdmissionStep.PARK, Optional.empty(), Optional.of(parking));
    }
  }

  /** Decision about a kept attempt. */
  record Decided(Perform perform, Verdict verdict) {}

  /** Passage of a call through a flow. */
  interface Passage {
    /**
     * Ends the passage.
     *
     * @param call outcome of the call, if it was made
     */
    void ended(Optional<CallOutcome> call);
  }

  /**
   * Place of an attempt in the waiting lists of a lane.
   *
   * @param parked takes the partition when the attempt is in its list
   */
  record Parking(FlowLane lane, long score, IntConsumer parked) {}

  /**
   * Claim of waiting attempts, with places or tokens that are reserved for them. {@link #answered}
   * or {@link #failed} must follow, and the claimed attempts must be admitted right after.
   */
  interface WaitingClaim<R extends ClaimReply> {
    int partition();

    /** Maximum number of attempts. */
    int limit();

    /**
     * Whether it claims from a list, which owns its attempts. If not, it claims entries of {@code
     * due}, and counts as the poll of its partition.
     */
    boolean isOfList();

    Future<R> send(ClaimStore claims, Instant now);

    void answered(R reply);

    void failed();
  }

  /**
   * Decides about an attempt that no admission keeps.
   *
   * @param from the claim that took it from a list or an index, if any
   */
  Verdict admit(Perform perform, Optional<WaitingClaim<?>> from);

  /**
   * Returns a decision about one kept attempt, which is then no longer kept. It must be carried out
   * before the next one is pulled, because it changes what the next one may be.
   */
  Optional<Decided> settle();

  /**
   * Returns the next claim of waiting attempts, if any wait and can be served.
   *
   * @param limit maximum number of attempts
   * @param isBusy whether no further claim from {@code due} can be made in a partition now
   */
  Optional<WaitingClaim<?>> nextClaim(int limit, IntPredicate isBusy);

  /** Removes the kept attempts that match, to be released. */
  List<Perform> withdraw(Predicate<Perform> which);
}
