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
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Base of tests that write a journal by hand, in milliseconds from noon, and check the verdict. */
abstract class HandWrittenJournal {
  static final Instant T = Instant.parse("2026-11-20T12:00:00Z");

  final List<Change> changes = new ArrayList<>();
  final List<Call> calls = new ArrayList<>();
  final List<Fault> faults = new ArrayList<>();
  final List<Entry> entries = new ArrayList<>();
  final List<Toggle> toggles = new ArrayList<>();
  final SteppedClock clock = new SteppedClock();
  Optional<Duration> latest = Optional.empty();
  Set<String> histories = Set.of();

  Verdict verdict() {
    return Checker.check(
        new Snapshot(changes, toggles, calls, faults, entries, at(60_000)),
        new Checker.Rules(Duration.ofSeconds(5), 2, histories, clock, latest));
  }

  static Instant at(long millis) {
    return T.plusMillis(millis);
  }

  void accepted(String job, Plan plan, long sent) {
    changed(job, plan, sent, Answer.ACCEPTED);
  }

  void changed(String job, Plan plan, long sent, Answer answer) {
    changes.add(new Change(job, plan, false, at(sent), at(sent + 10), answer));
  }

  void called(String job, long nominal, long arrived, String node) {
    called(job, job + nominal, nominal, arrived, node);
  }

  void called(String job, String execution, long nominal, long arrived, String node) {
    int status = job.startsWith(JournaledTarget.FAILING) ? 500 : 200;
    Optional<Instant> answered = Optional.of(at(arrived + 20));
    calls.add(new Call(job, execution, at(nominal), at(arrived), node, answered, status));
  }

  void broken(String place, long from, long until, boolean repeats) {
    faults.add(new Fault("broken", place, at(from), at(until), at(until), repeats));
  }

  void toggled(String collection, boolean closes, long sent) {
    toggles.add(new Toggle(collection, closes, at(sent), at(sent + 10), Answer.ACCEPTED));
  }

  void skipped(String job, long nominal) {
    skipped(job, nominal, "it was changed");
  }

  void skipped(String job, long nominal, String reason) {
    entries.add(new Entry(job, "x", at(nominal), "skipped", 0, "Not performed: " + reason));
  }

  static Plan once(long due) {
    return Plan.once(at(due));
  }

  static Plan eachSecond(int count) {
    return Plan.every(Duration.ofSeconds(1), at(1000), count);
  }
}
