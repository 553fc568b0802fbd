package carillon.faults;

import carillon.faults.Journal.Answer;
import carillon.faults.Journal.Call;
import carillon.faults.Journal.Change;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/** What one job was to do, as its client knows it: its accepted and unknown changes, in order. */
final class Story {
  /** Between the claim of an occurrence and its call, and between the clocks of two processes. */
  private static final Duration SLACK = Duration.ofMillis(100);

  private final List<Change> changes;
  private final List<Change> runs;

  private final UnaryOperator<Instant> redisClock;

  Story(List<Change> all, UnaryOperator<Instant> redisClock) {
    this.redisClock = redisClock;
    changes = all.stream().filter(change -> !change.isRun()).toList();
    runs = all.stream().filter(Change::isRun).toList();
  }

  /** When the job was first sent. */
  Instant begun() {
    return changes.isEmpty() ? Instant.MIN : changes.get(0).sent();
  }

  /** Whether the job was deleted, or may have been. */
  boolean isGone() {
    return changes.stream().anyMatch(change -> change.plan().equals(Plan.DELETED));
  }

  /**
   * Whether this can be the nominal instant of an occurrence. A job with a single one whose start
   * had passed when it was accepted is due at once.
   */
  private boolean has(Change change, Instant nominal) {
    Plan plan = change.plan();
    return plan.contains(nominal)
        || (plan.isOnce()
            && nominal.isAfter(plan.first())
            && !nominal.isBefore(change.sent().minus(SLACK))
            && (change.answer() == Answer.UNKNOWN
                || !nominal.isAfter(redisClock.apply(change.answered()).plus(SLACK))));
  }

  /** The occurrence that is owed, as the target knows it: its nominal instant. */
  Optional<Instant> nominal(Instant due, Set<Instant> called) {
    return called.contains(due)
        ? Optional.of(due)
        : changes.stream()
            .filter(change -> change.plan().isOnce() && change.plan().first().equals(due))
            .flatMap(change -> called.stream().filter(nominal -> has(change, nominal)))
            .findFirst();
  }

  /** What the target does with the calls of an occurrence. */
  Plan.Behaviour behaviour(Instant nominal) {
    return changes.stream()
        .filter(change -> has(change, nominal))
        .map(change -> change.plan().target())
        .findFirst()
        .orElse(Plan.Behaviour.SUCCEEDS);
  }

  /** So many occurrences from one on, by the plan that has it. */
  List<Instant> from(Instant start, long number) {
    return changes.stream()
        .filter(change -> change.plan().contains(start))
        .findFirst()
        .map(change -> change.plan().from(start, number))
        .orElse(List.of());
  }

  /** Occurrences that had to be called by then. */
  List<Instant> owed(Instant until) {
    List<Instant> owed = new ArrayList<>();
    for (int i = 0; i < changes.size(); i++) {
      Change change = changes.get(i);
      if (change.answer() == Answer.ACCEPTED) {
        Instant begin = redisClock.apply(change.answered());
        Instant end =
            i + 1 < changes.size() ? redisClock.apply(changes.get(i + 1).sent()) : Instant.MAX;
        for (Instant due : change.plan().occurrences()) {
          boolean begun = (i == 0 && change.plan().isOnce()) || due.isAfter(begin);
          boolean safe = end.equals(Instant.MAX) || due.plus(Checker.MOMENT).isBefore(end);
          if (begun && safe && due.isBefore(until)) {
            owed.add(due);
          }
        }
      }
    }
    return owed;
  }

  /** Runs outside the schedule that had to be called. */
  List<Change> owedRuns() {
    return runs.stream()
        .filter(run -> run.answer() == Answer.ACCEPTED)
        .filter(
            run ->
                changes.stream()
                    .noneMatch(
                        change ->
                            change.sent().isAfter(run.sent())
                                && change.sent().isBefore(run.answered().plus(Checker.MOMENT))))
        .toList();
  }

  /** Whether a nominal instant can be that of a run. */
  static boolean isOf(Change run, Instant nominal) {
    return !nominal.isBefore(run.sent().minus(SLACK))
        && (run.answer() == Answer.UNKNOWN || !nominal.isAfter(run.answered().plus(SLACK)));
  }

  /** How many executions the calls of one nominal instant may belong to. */
  int permitted(List<Call> calls) {
    Instant nominal = calls.get(0).nominal();
    Instant first = calls.get(0).arrived();
    int permitted = 0;
    for (int i = 0; i < changes.size(); i++) {
      Change change = changes.get(i);
      if (has(change, nominal) && !first.isBefore(change.sent()) && !first.isAfter(end(i))) {
        permitted++;
      }
    }
    return permitted + (int) runs.stream().filter(run -> isOf(run, nominal)).count();
  }

  /** Until when a change can have effect: a moment after the next one was accepted. */
  private Instant end(int i) {
    return changes.subList(i + 1, changes.size()).stream()
        .filter(next -> next.answer() == Answer.ACCEPTED)
        .findFirst()
        .map(next -> next.answered().plus(Checker.MOMENT))
        .orElse(Instant.MAX);
  }
}
