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
 * What one job was to do, as its client knows it: its accepted and unknown changes, in order. A
 * change happens at one moment between its request and its answer; what is due before belongs to
 * the plan before, what is due afterwards to the new one. Only of what is due between the two it is
 * not known to which.
 */
final class Story {
  /** Between the clock of Redis, as a node knows it, and this machine's. */
  private static final Duration CLOCKS = Duration.ofMillis(50);

  /**
   * The same where no plan says which instants may be: a job that is due as soon as it is stored.
   */
  private static final Duration BEHIND = Duration.ofMillis(500);

  /**
   * What was claimed before a job or its collection rests is given back within 100 ms; and as long
   * for the way to the target, on a machine with little to spare.
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
   * A story.
   *
   * @param all changes of the job
   * @param toggles of its collection
   * @param patience how late what is due at an instant of this machine may be called: for so long
   *     nobody knows why a job that was deleted then was not, as its history is gone
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

  /** When the job was first sent. */
  Instant begun() {
    return changes.isEmpty() ? Instant.MIN : changes.get(0).sent();
  }

  /** Whether the job was deleted, or may have been. */
  boolean isGone() {
    return changes.stream().anyMatch(change -> change.plan().equals(Plan.DELETED));
  }

  /** From when on a change may be in force. */
  private static Instant possible(Change change) {
    return change.equals(NONE) ? Instant.MIN : change.sent().minus(CLOCKS);
  }

  /** When a change is in force for certain; one without an answer is when the next one is. */
  private Instant certain(int i) {
    return changes.subList(i, changes.size()).stream()
        .filter(change -> change.answer() == Answer.ACCEPTED)
        .findFirst()
        .map(Change::answered)
        .orElse(Instant.MAX);
  }

  /** One of these is in force at an instant of this machine. */
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

  /** When, by this machine, what a call is for was due. */
  private Instant due(Call call) {
    Instant since = clock.dueSince(call.nominal(), call.arrived());
    return since.isBefore(call.arrived()) ? since : call.arrived();
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
            && !nominal.isBefore(clock.earliest(change.sent()).minus(BEHIND))
            && (change.answer() == Answer.UNKNOWN
                || !nominal.isAfter(clock.latest(change.answered()).plus(CLOCKS))));
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

  /**
   * Occurrences that had to be called until an instant of this machine: whichever plan was in
   * force, it has them.
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

  /** Whether what was due then may have gone with the job and its history. */
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
   * Whether a change of the job, or a disabled collection, is why an occurrence was skipped;
   * one-time jobs wait for it.
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

  /** Whether a collection that was closed may still have been at an instant. */
  private boolean mayLast(Toggle closing, Instant instant) {
    return toggles.stream()
        .noneMatch(
            opening ->
                !opening.closes()
                    && opening.answer() == Answer.ACCEPTED
                    && opening.sent().isAfter(closing.answered())
                    && opening.answered().isBefore(instant));
  }

  /** Runs outside the schedule that had to be called, or to be recorded. */
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

  /** Whether a nominal instant can be that of a run. */
  boolean isOf(Change run, Instant nominal) {
    return !nominal.isBefore(clock.earliest(run.sent()).minus(BEHIND))
        && (run.answer() == Answer.UNKNOWN
            || !nominal.isAfter(clock.latest(run.answered()).plus(CLOCKS)));
  }

  /**
   * How many executions the calls of a nominal instant may belong to: one, whatever was changed,
   * and one for each run outside the schedule that may have begun then.
   */
  int permitted(Call call) {
    Instant nominal = call.nominal();
    boolean mayBe =
        inForce(due(call)).stream().anyMatch(change -> change.plan().contains(nominal))
            || changes.stream()
                .anyMatch(change -> !change.plan().contains(nominal) && has(change, nominal));
    return (mayBe ? 1 : 0) + (int) runs.stream().filter(run -> isOf(run, nominal)).count();
  }

  /** Why this call must not be made, although its instant is right: its job was at rest. */
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

  /** Whether the collection that this closes is closed at an instant, for certain. */
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

  /** When the collection was enabled that kept what was due then waiting; empty when it did not. */
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
