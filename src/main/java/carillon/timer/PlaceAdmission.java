package carillon.timer;

import carillon.job.action.Destination;
import carillon.redis.SharedClock;
import carillon.store.Stores;
import carillon.store.attempt.CrowdedDestination;
import carillon.timer.ClaimDecision.Perform;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;
import java.util.function.Predicate;

/**
 * Admission to places at destinations: keeps calls in memory while they wait for a place, and
 * remembers which destinations are crowded. Confined to the timer's event loop.
 */
final class PlaceAdmission implements Admission {
  private final Stores stores;
  private final SharedClock clock;
  private final Places places;
  private final DestinationBulkhead<Perform> bulkhead;
  private final ServingTime servingTime;
  private final CrowdedDestinations crowded;
  private final Deque<Decided> decided = new ArrayDeque<>();

  /**
   * Creates an admission without calls.
   *
   * @param isMatched whether calls of a destination may pass a flow that their actions do not name
   */
  PlaceAdmission(TimerVerticle.Shared shared, Places places, Predicate<Destination> isMatched) {
    this.stores = shared.stores();
    this.clock = shared.clock();
    this.places = places;
    this.bulkhead = places.bulkhead();
    this.servingTime = places.servingTime();
    this.crowded = new CrowdedDestinations(places, isMatched, clock, shared.observer());
  }

  @Override
  public Verdict admit(Perform perform, Optional<WaitingClaim<?>> from) {
    return switch (bulkhead.admit(perform.attempt().destination(), perform, servingTime.millis())) {
      case START -> Verdict.START;
      case KEEP -> Verdict.KEEP;
      default -> Verdict.DEFER;
    };
  }

  @Override
  public Optional<Decided> settle() {
    return Optional.ofNullable(decided.poll());
  }

  @Override
  public Optional<WaitingClaim<?>> nextClaim(int limit, IntPredicate isBusy) {
    return crowded.isWaiting() ? crowded.next(isBusy, limit) : Optional.empty();
  }

  @Override
  public List<Perform> withdraw(Predicate<Perform> which) {
    return bulkhead.withdraw(which);
  }

  /** Current time in milliseconds of the {@link ServingTime}. */
  long servingMillis() {
    return servingTime.millis();
  }

  /** Ends a call. The call that has waited longest for its place begins when it is settled. */
  void ended(Destination destination, long since) {
    bulkhead
        .finished(destination, since, servingTime.millis())
        .ifPresent(next -> decided.add(new Decided(next, Verdict.START)));
  }

  /**
   * Decides to defer the calls that have waited too long. Must be called once per {@link
   * DestinationBulkhead#CHECK_INTERVAL}.
   */
  void expire() {
    servingTime.tick(stores.isUp());
    bulkhead
        .overdue(servingTime.millis())
        .forEach(overdue -> decided.add(new Decided(overdue, Verdict.DEFER)));
  }

  /** Number of kept calls. */
  int kept() {
    return bulkhead.waiting();
  }

  /**
   * Returns the instant at which a deferred attempt is due, epoch ms. Records that its destination
   * is crowded.
   *
   * @param isIndexed whether claims can find it earlier
   */
  long deferUntil(Perform perform, boolean isIndexed) {
    crowded.note(perform);
    Destination destination = perform.attempt().destination();
    long now = servingTime.millis();
    long delay =
        isIndexed ? bulkhead.returnAt(destination, now) - now : places.millisUntilFree(destination);
    return clock.millis() + delay;
  }

  /** Records that deferred calls wait in the index of a partition. */
  void found(int partition, Destination destination) {
    crowded.found(partition, destination);
  }

  /** Whether deferred calls may wait in Redis. */
  boolean isWaiting() {
    return crowded.isWaiting();
  }

  /** Returns the crowded destinations for a claim of due entries, and reserves their places. */
  List<CrowdedDestination> reserve(int limit) {
    return crowded.reserve(limit);
  }

  /** Evaluates the answer to a claim of due entries. Its attempts must be admitted right after. */
  void met(int partition, List<CrowdedDestination> told, List<CrowdedDestination.Met> met) {
    crowded.met(partition, told, met);
  }

  /** Frees the places that were reserved for a claim of due entries. */
  void giveBack(List<CrowdedDestination> reserved) {
    crowded.giveBack(reserved);
  }
}
