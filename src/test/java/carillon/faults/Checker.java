package carillon.faults;

import carillon.faults.Journal.Answer;
import carillon.faults.Journal.Call;
import carillon.faults.Journal.Change;
import carillon.faults.Journal.Entry;
import carillon.faults.Journal.Fault;
import carillon.faults.Journal.Snapshot;
import carillon.faults.Journal.Toggle;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Judges the observations of a scenario. An occurrence is owed when each plan that may have been in
 * force at its instant has it: {@link Story}. An unknown answer owes nothing and forbids nothing; a
 * refused request must have no effect.
 *
 * <p>A call is a duplicate when the target already had all calls of its execution. Only a fault
 * explains a duplicate: a fault of Redis or of the node of the earlier call, while that call was in
 * flight. Each fault explains a call only once. Only a fault, a change of its job or a disabled
 * collection justifies a skipped occurrence.
 */
final class Checker {
  /** Lateness from which a call is no longer in time. */
  static final Duration MOMENT = Duration.ofSeconds(1);

  /** Maximum time in which a result reaches Redis, and from there a replica. */
  private static final Duration RECORDED = Duration.ofMillis(250);

  /** Maximum pause of a node before it connects to a restarted Redis: reconnectMax. */
  private static final Duration RECONNECTS = Duration.ofMillis(500);

  /** Maximum time that a call takes to reach the target. */
  private static final Duration ARRIVES = Duration.ofMillis(100);

  /**
   * Time after which an unanswered call is abandoned, a little longer than the timeout of the
   * nodes.
   */
  private static final Duration GIVEN_UP = Duration.ofMillis(3500);

  /** Precision with which the target records the time of its answer. */
  private static final Duration CLOCKS = Duration.ofMillis(5);

  private final Snapshot seen;
  private final Rules rules;
  private final Map<String, List<Call>> calls = new HashMap<>();
  private final Map<String, List<Entry>> entries = new HashMap<>();
  private final Map<String, List<Toggle>> toggles;
  private final Tally tally = new Tally();

  /**
   * Parameters of the judgement.
   *
   * @param settle how long the effects of a fault last: the lease, and the time in which a node
   *     reacts to it
   * @param inFlight maximum number of calls that one node has in flight, and so of repeats that a
   *     fault of this node explains
   * @param histories the jobs whose history was read
   * @param clock the clock of Redis
   * @param latest maximum lateness of a call, if the scenario has such a limit
   */
  record Rules(
      Duration settle,
      int inFlight,
      Set<String> histories,
      SteppedClock clock,
      Optional<Duration> latest) {}

  private Checker(Snapshot seen, Rules rules) {
    this.seen = seen;
    this.rules = rules;
    toggles = seen.toggles().stream().collect(Collectors.groupingBy(Toggle::collection));
    seen.calls()
        .forEach(call -> calls.computeIfAbsent(call.job(), job -> new ArrayList<>()).add(call));
    seen.entries()
        .forEach(
            entry -> entries.computeIfAbsent(entry.job(), job -> new ArrayList<>()).add(entry));
  }

  static Verdict check(Snapshot seen, Rules rules) {
    return new Checker(seen, rules).check();
  }

  private Verdict check() {
    Map<String, List<Change>> jobs =
        seen.changes().stream()
            .filter(change -> change.answer() != Answer.REFUSED)
            .sorted(Comparator.comparing(Change::sent))
            .collect(Collectors.groupingBy(Change::job));
    jobs.forEach((job, changes) -> check(job, story(job, changes)));
    calls.forEach(
        (job, all) -> {
          if (!jobs.containsKey(job)) {
            all.forEach(call -> tally.phantom("no such job was accepted", call));
          }
        });
    boundRepeats();
    tally.places = Capacity.missing(seen.calls());
    return tally.verdict(seen);
  }

  private boolean isEarly(Call call) {
    return rules.clock.latest(call.arrived()).isBefore(call.nominal());
  }

  private Story story(String job, List<Change> changes) {
    return new Story(
        changes,
        toggles.getOrDefault(Driver.collection(job), List.of()),
        rules.clock,
        at -> isInside(at) ? rules.settle : MOMENT);
  }

  private void check(String job, Story story) {
    Map<Instant, List<Call>> byNominal = new TreeMap<>();
    for (Call call : calls.getOrDefault(job, List.of())) {
      byNominal.computeIfAbsent(call.nominal(), nominal -> new ArrayList<>()).add(call);
      story.forbids(call).ifPresent(why -> tally.phantom(why, call));
    }
    byNominal.forEach(
        (nominal, all) -> {
          all.sort(Comparator.comparing(Call::arrived));
          checkCalls(all, story.permitted(all.get(0)), story.behaviour(nominal));
        });
    Set<Instant> recorded = recorded(job, story);
    for (Instant due : story.owed(seen.readAt())) {
      List<Call> made =
          story.nominal(due, byNominal.keySet()).map(byNominal::get).orElse(List.of());
      checkOwed(job, story, due, made, recorded.contains(due));
    }
    for (Change run : story.owedRuns()) {
      tally.owed++;
      boolean isRecorded = recorded.stream().anyMatch(nominal -> story.isOf(run, nominal));
      if (!isRecorded
          && byNominal.keySet().stream().noneMatch(nominal -> story.isOf(run, nominal))) {
        tally.lost(job + " run at " + run.sent() + " was never called");
      }
    }
    if (rules.histories.contains(job)) {
      compare(job, story);
    }
  }

  private void checkOwed(
      String job, Story story, Instant due, List<Call> made, boolean isRecorded) {
    if (made.isEmpty() && story.isForgotten(due)) {
      return;
    }
    tally.owed++;
    if (!made.isEmpty()) {
      late(made.get(0), story);
      if (story.behaviour(due) == Plan.Behaviour.FAILS && made.size() < Plan.ATTEMPTS) {
        tally.lost(job + " due " + due + " had " + made.size() + " attempts");
      }
    } else if (!isRecorded) {
      tally.lost(job + " due " + due + " was never called");
    } else if (isInside(rules.clock.reached(due)) || story.explainsSkip(due)) {
      tally.skipped++;
    } else {
      tally.lost(job + " due " + due + " was skipped, and nothing was broken");
    }
  }

  /** Checks the calls of one nominal instant, in order. */
  private void checkCalls(List<Call> all, int permitted, Plan.Behaviour behaviour) {
    Map<String, List<Call>> executions =
        all.stream().collect(Collectors.groupingBy(Call::execution));
    if (executions.size() > permitted) {
      tally.phantom(executions.size() + " executions, " + permitted + " permitted", all.get(0));
    }
    executions
        .values()
        .forEach(
            made -> {
              if (isEarly(made.get(0))) {
                made.forEach(tally::early);
              }
              int expected =
                  switch (behaviour) {
                    case SUCCEEDS -> 1;
                    case FAILS -> Plan.ATTEMPTS;
                    case TROUBLED -> upToSuccess(made);
                  };
              if (behaviour == Plan.Behaviour.FAILS && made.size() == expected) {
                checkPauses(made);
              }
              int extra = made.size() - expected;
              int found = 0;
              for (int i = made.size() - 1; i > 0 && found < extra; i--) {
                if (explain(made.get(i - 1), made.get(i))) {
                  found++;
                }
              }
              if (found < extra) {
                tally.unexplained(extra - found, made);
              }
            });
  }

  /** Checks that no retry comes earlier than its interval after the end of the previous attempt. */
  private void checkPauses(List<Call> made) {
    for (int i = 1; i < made.size(); i++) {
      Call retry = made.get(i);
      Instant arrived = rules.clock.latest(retry.arrived());
      if (made.get(i - 1)
          .answered()
          .map(rules.clock::earliest)
          .filter(at -> arrived.isBefore(at.plus(Plan.RETRY).minus(CLOCKS)))
          .isPresent()) {
        tally.early(retry);
      }
    }
  }

  private static int upToSuccess(List<Call> made) {
    for (int i = 0; i < made.size(); i++) {
      if (made.get(i).answered().isPresent() && made.get(i).status() < 300) {
        return i + 1;
      }
    }
    return made.size();
  }

  private boolean explain(Call first, Call second) {
    for (Fault fault : seen.faults()) {
      boolean there = fault.place().equals(first.node()) || fault.place().equals(Journal.REDIS);
      boolean begun = !fault.from().isAfter(second.arrived());
      if (fault.repeats()
          && there
          && begun
          && isInFlight(first, fault)
          && tally.repeats.computeIfAbsent(fault, none -> new HashSet<>()).add(first)) {
        tally.explained++;
        return true;
      }
    }
    return false;
  }

  /**
   * Whether a call began before the fault was over and was not yet recorded when the fault began.
   */
  private boolean isInFlight(Call call, Fault fault) {
    Instant over = call.answered().map(this::recordedBy).orElse(call.arrived().plus(GIVEN_UP));
    return !over.isBefore(fault.from()) && !call.arrived().isAfter(plus(fault.silent(), ARRIVES));
  }

  /**
   * Returns the latest instant at which the result of a call answered at {@code answered} is in
   * Redis. A node that is not connected again yet pauses once more before it records the result.
   */
  private Instant recordedBy(Instant answered) {
    Instant sent =
        seen.faults().stream()
            .filter(fault -> fault.place().equals(Journal.REDIS))
            .filter(fault -> !answered.isBefore(fault.from()))
            .filter(fault -> !answered.isAfter(plus(fault.until(), RECONNECTS)))
            .map(fault -> plus(fault.until(), RECONNECTS.multipliedBy(2)))
            .reduce(answered, (one, other) -> one.isAfter(other) ? one : other);
    return plus(sent, RECORDED);
  }

  /**
   * Limits the repeats that a fault of a node explains: it cannot have had more calls in flight
   * than slots.
   */
  private void boundRepeats() {
    tally.repeats.forEach(
        (fault, firsts) -> {
          int more = firsts.size() - rules.inFlight;
          if (!fault.place().equals(Journal.REDIS) && more > 0) {
            tally.explained -= more;
            tally.unexplained += more;
            tally.problem(
                fault + " explains " + rules.inFlight + " repeats, there were " + firsts.size());
          }
        });
  }

  /** Occurrences that the history lists as not performed, with a reason. */
  private Set<Instant> recorded(String job, Story story) {
    Set<Instant> recorded = new HashSet<>();
    for (Entry entry : entries.getOrDefault(job, List.of())) {
      if ((entry.status().equals("skipped") && entry.message().matches("Not performed: \\S.*"))
          || (entry.status().equals("failed") && entry.message().startsWith("Interrupted: "))) {
        Missed.parse(entry.message())
            .ifPresentOrElse(
                missed -> recorded.addAll(story.from(missed.from(), missed.count())),
                () -> recorded.add(entry.nominal()));
      }
    }
    return recorded;
  }

  /** Compares the product's history with the calls that the target saw. */
  private void compare(String job, Story story) {
    Set<String> called = new HashSet<>();
    calls.getOrDefault(job, List.of()).forEach(call -> called.add(call.execution()));
    Set<String> records = new HashSet<>();
    for (Entry entry : entries.getOrDefault(job, List.of())) {
      records.add(entry.execution());
      if (entry.status().equals("completed") && !called.contains(entry.execution())) {
        tally.disagree("completed by the history, never called: " + entry);
      }
    }
    if (!story.isGone()) {
      called.removeAll(records);
      calls.getOrDefault(job, List.of()).stream()
          .filter(call -> called.contains(call.execution()))
          .forEach(call -> tally.disagree("called, not in the history: " + call));
    }
  }

  /** Checks how late a call is. Calls at a slow target have no known lateness and are ignored. */
  private void late(Call first, Story story) {
    if (JournaledTarget.isSlow(first.job())) {
      return;
    }
    Instant due = rules.clock.dueSince(first.nominal(), first.arrived());
    Instant from = due.isAfter(story.begun()) ? due : story.begun();
    Optional<Instant> opened = story.opened(first.nominal());
    Duration since = Duration.between(opened.orElse(from), first.arrived());
    // The node cannot know yet that the clock was set back.
    Duration lateness = since.isNegative() && !isEarly(first) ? Duration.ZERO : since;
    Optional<Duration> bound = opened.isPresent() ? Optional.of(Story.GIVEN_BACK) : rules.latest;
    if (bound.filter(most -> lateness.compareTo(most) > 0).isPresent()
        && !isStalled(opened.orElse(from), first.arrived())) {
      tally.tooLate(lateness, first);
    }
    boolean inside = isInside(from);
    (inside ? tally.inside : tally.outside).add(lateness);
    if (inside && lateness.compareTo(MOMENT) > 0) {
      tally.recovered(
          seen.faults().stream()
              .map(fault -> fault.until().equals(Instant.MAX) ? fault.from() : fault.until())
              .filter(end -> !end.isAfter(first.arrived()))
              .map(end -> Duration.between(end, first.arrived()))
              .min(Comparator.naturalOrder())
              .orElse(Duration.ZERO));
    }
  }

  /** Whether the machine was overloaded at some time in this period. */
  private boolean isStalled(Instant from, Instant until) {
    return seen.faults().stream()
        .filter(fault -> fault.place().equals(Journal.MACHINE))
        .anyMatch(fault -> fault.from().isBefore(until) && fault.until().isAfter(from));
  }

  /** Whether effects of a fault last at an instant of this machine's clock. */
  private boolean isInside(Instant instant) {
    return seen.faults().stream()
        .anyMatch(
            fault ->
                !instant.isBefore(fault.from().minus(MOMENT))
                    && instant.isBefore(plus(fault.until(), rules.settle)));
  }

  private static Instant plus(Instant instant, Duration time) {
    return instant.equals(Instant.MAX) ? instant : instant.plus(time);
  }
}
