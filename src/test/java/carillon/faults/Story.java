package carillon.faults;

import carillon.faults.Journal.Answer;
import carillon.faults.Journal.Call;
import carillon.faults.Journal.Change;
import carillon.faults.Journal.Toggle;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * Expected behaviour of one job, as its client knows it: its accepted and unknown changes, in
 * order. A change happens at one moment between its request and its answer. Occurrences due before
 * that moment belong to the old plan, later ones to the new plan. Occurrences due between request
 * and answer may belong to either.
 */
final class Story {
  /**
   * Maximum difference between the clock of Redis, as a node knows it, and this machine's clock.
   */
  private static final Duration CLOCKS = Duration.ofMillis(50);

  /** Tolerance for a job that is due as soon as it is stored, because no plan gives its instant. */
  private static final Duration BEHIND = Duration.ofMillis(500);

  /**
   * Maximum time in which a claimed entry is still called after its job or collection is disabled:
   * 100 ms until it is returned, and as long to the target on a busy machine.
   */
  static final Duration GIVEN_BACK = Duration.ofMillis(200);

  private static final Change NONE =
      new Change("", Plan.NOTHING, false, Instant.MIN, Instant.MIN, Answer.ACCEPTED);

  private final List<Change> changes;
  private final List<Change> runs;
  private final List<Toggle> toggles;
  private final SteppedClock clock;
  private final Function<Instant, Duration> patience;

  /**
   * Creates a story.
   *
   * @param all changes of the job
   * @param toggles of its collection
   * @param patience maximum lateness of an occurrence, by its due instant on this machine: within
   *     it, a deletion may explain a missing call, because the history is gone too
   */
  Story(
      List<Change> all,
      List<Toggle> toggles,
      SteppedClock clock,
      Function<Instant, Duration> patience) {
    this.clock = clock;
    this.patience = patience;
    this.toggles = toggles;
    changes = all.stream().filter(change -> !change.isRun()).toList();
    runs = all.stream().filter(Change::isRun).toList();
  }

  /** Returns when the job was first sent. */
  Instant begun() {
    return changes.isEmpty() ? Instant.MIN : changes.get(0).sent();
  }

  /** Whether the job was deleted, or may have been. */
  boolean isGone() {
    return changes.stream().anyMatch(change -> change.plan().equals(Plan.DELETED));
  }

  /** Returns the earliest instant at which a change may be in force. */
  private static Instant possible(Change change) {
    return change.equals(NONE) ? Instant.MIN : change.sent().minus(CLOCKS);
  }

  /**
   * Returns when a change is in force for certain; for a change without an answer, when the next
   * one is.
   */
  private Instant certain(int i) {
    return changes.subList(i, changes.size()).stream()
        .filter(change -> change.answer() == Answer.ACCEPTED)
        .findFirst()
        .map(Change::answered)
        .orElse(Instant.MAX);
  }

  /** Changes of which exactly one is in force at an instant of this machine. */
  private List<Change> inForce(Instant instant) {
    List<Change> found = new ArrayList<>(List.of(NONE));
    for (int i = 0; i < changes.size(); i++) {
      Change change = changes.get(i);
      if (change.answer() == Answer.ACCEPTED && certain(i).isBefore(instant)) {
        found.clear();
      }
      if (!possible(change).isAfter(instant)) {
        found.add(change);
      }
    }
    return found;
  }

  /** Returns when, by this machine, the occurrence of a call was due. */
  private Instant due(Call call) {
    Instant since = clock.dueSince(call.nominal(), call.arrived());
    return since.isBefore(call.arrived()) ? since : call.arrived();
  }

  /**
   * Whether this can be the nominal instant of an occurrence. A one-time job whose start had passed
   * when it was accepted is due immediately.
   */
  private boolean has(Change change, Instant nominal) {
    Plan plan = change.plan();
    return plan.contains(nominal)
        || (plan.isOnce()
            && nominal.isAfter(plan.first())
            && !nominal.isBefore(clock.earliest(change.sent()).minus(BEHIND))
            && (change.answer() == Answer.UNKNOWN
                || !nominal.isAfter(clock.latest(change.answered()).plus(CLOCKS))));
  }

  /** Returns the nominal instant of the owed occurrence, as the target knows it. */
  Optional<Instant> nominal(Instant due, Set<Instant> called) {
    return called.contains(due)
        ? Optional.of(due)
        : changes.stream()
            .filter(change -> change.plan().isOnce() && change.plan().first().equals(due))
            .flatMap(change -> called.stream().filter(nominal -> has(change, nominal)))
            .findFirst();
  }

  /** Returns how the target answers the calls of an occurrence. */
  Plan.Behaviour behaviour(Instant nominal) {
    return changes.stream()
        .filter(change -> has(change, nominal))
        .map(change -> change.plan().target())
        .findFirst()
        .orElse(Plan.Behaviour.SUCCEEDS);
  }

  /** Returns {@code number} occurrences from {@code start} on, by the plan that contains it. */
  List<Instant> from(Instant start, long number) {
    return changes.stream()
        .filter(change -> change.plan().contains(start))
        .findFirst()
        .map(change -> change.plan().from(start, number))
        .orElse(List.of());
  }

  /**
   * Occurrences that had to be called until an instant of this machine, because every plan that may
   * have been in force contains them.
   */
  SortedSet<Instant> owed(Instant until) {
    SortedSet<Instant> owed = new TreeSet<>();
    for (int i = 0; i < changes.size(); i++) {
      Change change = changes.get(i);
      if (change.answer() != Answer.ACCEPTED) {
        continue;
      }
      if (change.plan().isOnce()) {
        Instant first = change.plan().first();
        if (clock.reached(first).isBefore(until) && !isChangedBeforeDue(i)) {
          owed.add(first);
        }
        continue;
      }
      for (Instant due : change.plan().occurrences()) {
        Instant reached = clock.reached(due);
        if (!reached.isBefore(until)) {
          break;
        }
        if (inForce(reached).stream().allMatch(each -> each.plan().contains(due))) {
          owed.add(due);
        }
      }
    }
    return owed;
  }

  private boolean isChangedBeforeDue(int i) {
    Change change = changes.get(i);
    Instant first = clock.reached(change.plan().first());
    Instant due = first.isAfter(change.answered()) ? first : change.answered();
    return changes.subList(i + 1, changes.size()).stream()
        .anyMatch(next -> !possible(next).isAfter(due));
  }

  /**
   * Whether the record of an occurrence may be gone, because the job was deleted with its history.
   */
  boolean isForgotten(Instant due) {
    Instant at = clock.reached(due);
    return changes.stream()
        .filter(change -> change.plan().equals(Plan.DELETED))
        .anyMatch(
            change ->
                !change.answered().isBefore(at)
                    && change.sent().isBefore(at.plus(patience.apply(at))));
  }

  /**
   * Whether a change of the job or a disabled collection explains a skipped occurrence. A disabled
   * collection does not skip one-time jobs: they wait.
   */
  boolean explainsSkip(Instant due) {
    Instant at = clock.reached(due);
    return changes.stream()
            .skip(1)
            .anyMatch(
                change ->
                    (change.answer() == Answer.UNKNOWN || !change.answered().isBefore(at))
                        && change.sent().isBefore(at.plus(Checker.MOMENT)))
        || toggles.stream()
            .anyMatch(
                toggle ->
                    toggle.closes()
                        && !changes.get(0).plan().isOnce()
                        && toggle.sent().isBefore(at.plus(Checker.MOMENT))
                        && mayLast(toggle, at));
  }

  /** Whether a collection that was disabled may still have been disabled at an instant. */
  private boolean mayLast(Toggle closing, Instant instant) {
    return toggles.stream()
        .noneMatch(
            opening ->
                !opening.closes()
                    && opening.answer() == Answer.ACCEPTED
                    && opening.sent().isAfter(closing.answered())
                    && opening.answered().isBefore(instant));
  }

  /** Runs outside the schedule that had to be called or recorded. */
  List<Change> owedRuns() {
    return runs.stream()
        .filter(run -> run.answer() == Answer.ACCEPTED)
        .filter(
            run ->
                changes.stream()
                    .noneMatch(
                        change ->
                            change.plan().equals(Plan.DELETED)
                                && change.sent().isAfter(run.sent())
                                && change
                                    .sent()
                                    .isBefore(run.answered().plus(patience.apply(run.answered())))))
        .toList();
  }

  /** Whether a nominal instant can belong to a run. */
  boolean isOf(Change run, Instant nominal) {
    return !nominal.isBefore(clock.earliest(run.sent()).minus(BEHIND))
        && (run.answer() == Answer.UNKNOWN
            || !nominal.isAfter(clock.latest(run.answered()).plus(CLOCKS)));
  }

  /**
   * Returns how many executions the calls of a nominal instant may belong to. It is one, whatever
   * was changed, and one more for each run outside the schedule that may have begun then.
   */
  int permitted(Call call) {
    Instant nominal = call.nominal();
    boolean mayBe =
        inForce(due(call)).stream().anyMatch(change -> change.plan().contains(nominal))
            || changes.stream()
                .anyMatch(change -> !change.plan().contains(nominal) && has(change, nominal));
    return (mayBe ? 1 : 0) + (int) runs.stream().filter(run -> isOf(run, nominal)).count();
  }

  /** Returns why this call must not be made although its instant is right: its job was disabled. */
  Optional<String> forbids(Call call) {
    if (runs.stream().anyMatch(run -> isOf(run, call.nominal()))) {
      return Optional.empty();
    }
    boolean ended =
        changes.stream()
            .anyMatch(
                change ->
                    change.plan().count() == 0
                        && change.answer() == Answer.ACCEPTED
                        && !due(call).isAfter(change.answered())
                        && call.arrived().isAfter(change.answered().plus(GIVEN_BACK)));
    if (ended) {
      return Optional.of("its job was deleted or disabled before");
    }
    return toggles.stream().anyMatch(closing -> rests(closing, call.arrived()))
        ? Optional.of("its collection was disabled")
        : Optional.empty();
  }

  /** Whether the collection that this request disabled is certainly disabled at an instant. */
  private boolean rests(Toggle closing, Instant instant) {
    return closing.closes()
        && closing.answer() == Answer.ACCEPTED
        && closing.answered().plus(GIVEN_BACK).isBefore(instant)
        && toggles.stream()
            .noneMatch(
                opening ->
                    !opening.closes()
                        && opening.answer() != Answer.REFUSED
                        && !opening.answered().isBefore(closing.sent())
                        && !opening.sent().isAfter(instant));
  }

  /**
   * Returns when the collection was enabled again, if it was disabled at {@code due} and held the
   * occurrence back; otherwise empty.
   */
  Optional<Instant> opened(Instant due) {
    Collection<Toggle> openings =
        toggles.stream().filter(toggle -> !toggle.closes() && toggle.sent().isAfter(due)).toList();
    return toggles.stream()
        .filter(
            toggle -> toggle.closes() && toggle.answered().isBefore(due) && mayLast(toggle, due))
        .findFirst()
        .flatMap(closing -> openings.stream().map(Toggle::answered).min(Instant::compareTo));
  }
}
