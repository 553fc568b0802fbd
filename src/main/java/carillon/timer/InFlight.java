package carillon.timer;

import carillon.job.action.Destination;
import carillon.job.attempt.Claim;
import carillon.timer.Admission.Passage;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * Counts what this node has in flight. A place is room for one claimed attempt, or for one call in
 * flight at its destination. Counts the places reserved for claims under way, the claimed attempts,
 * those with a place at their destination, and the steps under way. Two claims of one attempt count
 * twice: each has its place, and each ends. Confined to the timer's event loop.
 */
final class InFlight {
  private final int max;
  private final Set<Claim> claimed = new HashSet<>();
  private final Map<Claim, Started> performed = new HashMap<>();
  private int reserved;
  private int steps;
  private final List<Waiter> waiters = new ArrayList<>();

  /**
   * Place of an attempt at its destination.
   *
   * @param since when the attempt got it
   * @param flow passage whose token was spent for it, if it passes a flow
   */
  record Started(Destination destination, long since, Optional<Passage> flow) {}

  private record Waiter(BooleanSupplier condition, Promise<Void> done) {}

  /**
   * Creates an empty count.
   *
   * @param max maximum number of claimed attempts
   */
  InFlight(int max) {
    this.max = max;
  }

  /** Number of claimed attempts that have not ended. */
  int size() {
    return claimed.size();
  }

  /** Number of attempts that may still be claimed. */
  int freePlaces() {
    return max - claimed.size() - reserved;
  }

  boolean contains(Claim claim) {
    return claimed.contains(claim);
  }

  /**
   * Whether a claim in Redis is in flight here. In Redis the attempt may already have moved to a
   * later occurrence, while the answer is still on its way to this node.
   */
  boolean knows(Claim claim) {
    return contains(claim) || claimed.stream().anyMatch(one -> isMoved(one, claim));
  }

  private static boolean isMoved(Claim claimed, Claim stored) {
    return claimed.token().equals(stored.token())
        && claimed.attempt().movedTo(stored.attempt().dueAt()).equals(stored.attempt());
  }

  /** Reserves places for a claim, or frees them if negative. */
  void reserve(int places) {
    reserved += places;
  }

  /** Adds a claimed attempt. Returns false if it is already in flight. */
  boolean add(Claim claim) {
    return claimed.add(claim);
  }

  /** Records that the attempt has a place at its destination. */
  void begin(Claim claim, Destination destination, long now, Optional<Passage> flow) {
    performed.put(claim, new Started(destination, now, flow));
  }

  /** Moves an attempt to another nominal instant. */
  void move(Claim from, Claim to) {
    claimed.remove(from);
    claimed.add(to);
    Optional.ofNullable(performed.remove(from)).ifPresent(started -> performed.put(to, started));
  }

  /** Ends an attempt and returns the place that it had at its destination, if any. */
  Optional<Started> end(Claim claim) {
    claimed.remove(claim);
    return Optional.ofNullable(performed.remove(claim));
  }

  /** Counts a step as under way until it completes, then notifies the waiters. */
  <T> Future<T> during(Future<T> step) {
    steps++;
    return step.onComplete(
        done -> {
          steps--;
          notifyWaiters();
        });
  }

  /** Completes when no step is under way: all claimed attempts are handed out or released. */
  Future<Void> quiet() {
    return when(() -> steps == 0);
  }

  /** Completes when no step is under way and no attempt is in flight. */
  Future<Void> idle() {
    return when(() -> steps == 0 && claimed.isEmpty());
  }

  private Future<Void> when(BooleanSupplier condition) {
    Waiter waiter = new Waiter(condition, Promise.promise());
    waiters.add(waiter);
    notifyWaiters();
    return waiter.done.future();
  }

  /**
   * Completes the futures whose condition holds. Must be called when an attempt has ended and the
   * next one in its place has begun.
   */
  void notifyWaiters() {
    if (waiters.isEmpty()) {
      return;
    }
    List<Waiter> met = waiters.stream().filter(waiter -> waiter.condition.getAsBoolean()).toList();
    waiters.removeAll(met);
    met.forEach(waiter -> waiter.done.complete());
  }
}
