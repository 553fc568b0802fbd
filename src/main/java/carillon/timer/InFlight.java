package carillon.timer;

import carillon.job.Claim;
import carillon.job.Destination;
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
 * Count of what this node has in flight. A place is room for one attempt that was claimed, or for
 * one call in flight at its destination. Counted are the places reserved for claims on their way,
 * the attempts that it has claimed and not ended, those of them that are performed at their
 * destinations, and the steps under way. Two claims of one attempt are two: each has its place, and
 * each ends. Confined to the timer's event loop.
 */
final class InFlight {
  private final int max;
  private final Set<Claim> claimed = new HashSet<>();
  private final Map<Claim, Started> performed = new HashMap<>();
  private int reserved;
  private int steps;
  private final List<Waiter> waiters = new ArrayList<>();

  /**
   * The place that an attempt has at its destination.
   *
   * @param since when it got it
   * @param flow whose token was spent for it, if it passes one
   */
  record Started(Destination destination, long since, Optional<FlowDriver.Passage> flow) {}

  private record Waiter(BooleanSupplier condition, Promise<Void> told) {}

  /**
   * An empty count.
   *
   * @param max attempts claimed at once
   */
  InFlight(int max) {
    this.max = max;
  }

  /** How many attempts are claimed and not ended. */
  int size() {
    return claimed.size();
  }

  /** How many more may be claimed. */
  int freePlaces() {
    return max - claimed.size() - reserved;
  }

  boolean contains(Claim claim) {
    return claimed.contains(claim);
  }

  /**
   * Whether a claim that stands in Redis is in flight here, also where the attempt stands for a
   * later occurrence there, and the answer that tells this node has not come yet.
   */
  boolean knows(Claim claim) {
    return contains(claim) || claimed.stream().anyMatch(one -> isMoved(one, claim));
  }

  private static boolean isMoved(Claim claimed, Claim stored) {
    return claimed.token().equals(stored.token())
        && claimed.attempt().movedTo(stored.attempt().dueAt()).equals(stored.attempt());
  }

  /** Keeps places for what a claim may bring, or gives them back where it is negative. */
  void reserve(int places) {
    reserved += places;
  }

  /** Takes an attempt that was claimed; false when it is in flight already. */
  boolean add(Claim claim) {
    return claimed.add(claim);
  }

  /** The attempt has a place at its destination from now on. */
  void begin(Claim claim, Destination destination, long now, Optional<FlowDriver.Passage> flow) {
    performed.put(claim, new Started(destination, now, flow));
  }

  /** From now on the attempt is known under another nominal instant. */
  void move(Claim from, Claim to) {
    claimed.remove(from);
    claimed.add(to);
    Optional.ofNullable(performed.remove(from)).ifPresent(started -> performed.put(to, started));
  }

  /** Lets go of an attempt; the place that it had at its destination, if any. */
  Optional<Started> end(Claim claim) {
    claimed.remove(claim);
    return Optional.ofNullable(performed.remove(claim));
  }

  /** Counts a step as under way until it completes, and whoever waits for its end was told. */
  <T> Future<T> during(Future<T> step) {
    steps++;
    return step.onComplete(
        done -> {
          steps--;
          tell();
        });
  }

  /** Completes as soon as no step is under way: what was claimed is handed out or released. */
  Future<Void> quiet() {
    return when(() -> steps == 0);
  }

  /** Completes as soon as no step is under way and no attempt is in flight. */
  Future<Void> idle() {
    return when(() -> steps == 0 && claimed.isEmpty());
  }

  private Future<Void> when(BooleanSupplier condition) {
    Waiter waiter = new Waiter(condition, Promise.promise());
    waiters.add(waiter);
    tell();
    return waiter.told.future();
  }

  /**
   * Completes the futures whose condition holds. To be called when an attempt has ended and the
   * next one on its place has begun.
   */
  void tell() {
    if (waiters.isEmpty()) {
      return;
    }
    List<Waiter> met = waiters.stream().filter(waiter -> waiter.condition.getAsBoolean()).toList();
    waiters.removeAll(met);
    met.forEach(waiter -> waiter.told.complete());
  }
}
