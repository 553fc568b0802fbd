package carillon.faults;

import carillon.faults.Journal.Answer;
import carillon.faults.Journal.Call;
import carillon.faults.Journal.Change;
import carillon.faults.Journal.Entry;
import carillon.faults.Journal.Fault;
import carillon.faults.Journal.Snapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * Judges what was seen. An occurrence is owed when its job was accepted before, and nothing changed
 * the job until a moment after it. An unknown answer owes nothing and forbids nothing; a refused
 * one must have no effect. A call is a duplicate when the target had all calls of its execution
 * already; it is explained only by a fault, of the node that made the earlier call or of Redis,
 * that began no later than {@link #MOMENT} after the earlier call was answered and before the later
 * one came.
 */
final class Checker {
  /** The result of a call is recorded within this time when nothing is broken. */
  static final Duration MOMENT = Duration.ofSeconds(1);

  /** What is due later than this before the end is not waited for. */
  private static final Duration LAST = Duration.ofSeconds(2);

  /** A call that comes so late is late because of a fault. */
  private static final Duration LATE = Duration.ofSeconds(1);

  /** The target notes when it is going to answer, to the millisecond or so. */
  private static final Duration CLOCKS = Duration.ofMillis(5);

  private final Snapshot seen;
  private final Rules rules;
  private final Map<String, List<Call>> calls = new HashMap<>();
  private final Map<String, List<Entry>> entries = new HashMap<>();
  private final Tally tally = new Tally();

  /**
   * What the scenario is judged by.
   *
   * @param settle for so long after a fault its effects are felt: the lease and what a node needs
   *     to act on it
   * @param inFlight most calls that one node has in flight, and so repeats of one node's fault
   * @param histories the jobs whose history was read
   * @param redisClock from an instant of this machine to the latest that Redis' clock may have said
   */
  record Rules(
      Duration settle, int inFlight, Set<String> histories, UnaryOperator<Instant> redisClock) {}

  private Checker(Snapshot seen, Rules rules) {
    this.seen = seen;
    this.rules = rules;
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
    jobs.forEach((job, changes) -> check(job, new Story(changes, rules.redisClock)));
    calls.forEach(
        (job, all) -> {
          if (!jobs.containsKey(job)) {
            all.forEach(call -> tally.phantom("no such job was accepted", call));
          }
        });
    boundRepeats();
    return tally.verdict(seen);
  }

  private void check(String job, Story story) {
    Map<Instant, List<Call>> byNominal = new TreeMap<>();
    for (Call call : calls.getOrDefault(job, List.of())) {
      byNominal.computeIfAbsent(call.nominal(), nominal -> new ArrayList<>()).add(call);
      if (rules.redisClock.apply(call.arrived()).isBefore(call.nominal())) {
        tally.early(call);
      }
    }
    Set<Instant> recorded = recorded(job, story);
    byNominal.forEach(
        (nominal, all) -> {
          all.sort(Comparator.comparing(Call::arrived));
          checkCalls(all, story.permitted(all), story.behaviour(nominal));
        });
    for (Instant due : story.owed(rules.redisClock.apply(seen.readAt()).minus(LAST))) {
      tally.owed++;
      List<Call> made =
          story.nominal(due, byNominal.keySet()).map(byNominal::get).orElse(List.of());
      if (made.isEmpty() && recorded.contains(due)) {
        tally.skipped++;
      } else if (made.isEmpty()) {
        tally.lost(job + " due " + due + " was never called");
      } else {
        late(made.get(0), story);
        if (story.behaviour(due) == Plan.Behaviour.FAILS && made.size() < Plan.ATTEMPTS) {
          tally.lost(job + " due " + due + " had " + made.size() + " attempts");
        }
      }
    }
    story
        .owedRuns()
        .forEach(
            run -> {
              tally.owed++;
              if (byNominal.keySet().stream().noneMatch(nominal -> Story.isOf(run, nominal))) {
                tally.lost(job + " run at " + run.sent() + " was never called");
              }
            });
    if (rules.histories.contains(job)) {
      compare(job, story);
    }
  }

  /** The calls of one nominal instant, in order. */
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

  /** A retry comes no sooner than its interval after the attempt before it has ended. */
  private void checkPauses(List<Call> made) {
    for (int i = 1; i < made.size(); i++) {
      Call retry = made.get(i);
      if (made.get(i - 1)
          .answered()
          .filter(at -> retry.arrived().isBefore(at.plus(Plan.RETRY).minus(CLOCKS)))
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
      boolean inFlight =
          first.answered().map(at -> !at.plus(MOMENT).isBefore(fault.from())).orElse(true);
      if (fault.repeats()
          && there
          && begun
          && inFlight
          && !first.arrived().isAfter(plus(fault.until(), MOMENT))) {
        tally.repeats.merge(fault, 1, Integer::sum);
        tally.explained++;
        return true;
      }
    }
    return false;
  }

  /** A node can have had no more in flight than its places. */
  private void boundRepeats() {
    tally.repeats.forEach(
        (fault, count) -> {
          if (!fault.place().equals(Journal.REDIS) && count > rules.inFlight) {
            tally.explained -= count - rules.inFlight;
            tally.unexplained += count - rules.inFlight;
            tally.problem(fault + " explains " + rules.inFlight + " repeats, there were " + count);
          }
        });
  }

  /** Occurrences that the history says were not performed, and why. */
  private Set<Instant> recorded(String job, Story story) {
    Set<Instant> recorded = new HashSet<>();
    for (Entry entry : entries.getOrDefault(job, List.of())) {
      if (entry.status().equals("skipped")) {
        Missed.parse(entry.message())
            .ifPresentOrElse(
                missed -> recorded.addAll(story.from(missed.from(), missed.count())),
                () -> recorded.add(entry.nominal()));
      } else if (story.behaviour(entry.nominal()) == Plan.Behaviour.TROUBLED) {
        recorded.add(entry.nominal());
      }
    }
    return recorded;
  }

  /** The product's history against what the target saw. */
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
          .filter(call -> call.arrived().isBefore(seen.readAt().minus(LAST)))
          .forEach(call -> tally.disagree("called, not in the history: " + call));
    }
  }

  private void late(Call first, Story story) {
    Instant due = first.nominal();
    Instant from = due.isAfter(story.begun()) ? due : story.begun();
    Duration lateness = Duration.between(from, rules.redisClock.apply(first.arrived()));
    boolean inside = false;
    for (Fault fault : seen.faults()) {
      if (!from.isBefore(redis(fault.from().minus(MOMENT)))
          && from.isBefore(redis(plus(fault.until(), rules.settle)))) {
        inside = true;
      }
    }
    (inside ? tally.inside : tally.outside).add(lateness);
    if (inside && lateness.compareTo(LATE) > 0) {
      tally.recovered(
          seen.faults().stream()
              .map(fault -> fault.until().equals(Instant.MAX) ? fault.from() : fault.until())
              .filter(end -> !end.isAfter(first.arrived()))
              .map(end -> Duration.between(end, first.arrived()))
              .min(Comparator.naturalOrder())
              .orElse(Duration.ZERO));
    }
  }

  private Instant redis(Instant instant) {
    return instant.equals(Instant.MAX) ? instant : rules.redisClock.apply(instant);
  }

  private static Instant plus(Instant instant, Duration time) {
    return instant.equals(Instant.MAX) ? instant : instant.plus(time);
  }
}
