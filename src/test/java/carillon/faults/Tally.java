package carillon.faults;

import carillon.faults.Journal.Answer;
import carillon.faults.Journal.Call;
import carillon.faults.Journal.Change;
import carillon.faults.Journal.Fault;
import carillon.faults.Journal.Snapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Counts the findings of the checker. Confined to its thread. */
final class Tally {
  /** Maximum number of problems shown of each kind. */
  private static final int SHOWN = 8;

  final Map<Fault, Set<Call>> repeats = new HashMap<>();
  final List<Duration> outside = new ArrayList<>();
  final List<Duration> inside = new ArrayList<>();
  int owed;
  int skipped;
  int explained;
  int unexplained;
  int places;
  private int lost;
  private int early;
  private int phantom;
  private int disagreements;
  private int tooLate;
  private Duration recovery = Duration.ZERO;
  private final List<String> problems = new ArrayList<>();

  void problem(String text) {
    String kind = text.substring(0, Math.min(8, text.length()));
    if (problems.stream().filter(other -> other.startsWith(kind)).count() < SHOWN) {
      problems.add(text);
    }
  }

  void lost(String what) {
    lost++;
    problem("lost: " + what);
  }

  void early(Call call) {
    early++;
    problem("early: " + call);
  }

  void phantom(String why, Call call) {
    phantom++;
    problem("phantom, " + why + ": " + call);
  }

  void unexplained(int number, List<Call> calls) {
    unexplained += number;
    problem("repeated without a fault: " + calls);
  }

  void disagree(String what) {
    disagreements++;
    problem(what);
  }

  void tooLate(Duration lateness, Call call) {
    tooLate++;
    problem("late by " + lateness.toMillis() + " ms: " + call);
  }

  void recovered(Duration time) {
    recovery = time.compareTo(recovery) > 0 ? time : recovery;
  }

  Verdict verdict(Snapshot seen) {
    outside.sort(null);
    inside.sort(null);
    List<Instant> accepted =
        seen.changes().stream()
            .filter(change -> change.answer() == Answer.ACCEPTED)
            .map(Change::answered)
            .sorted()
            .toList();
    Duration gap = Duration.ZERO;
    for (int i = 1; i < accepted.size(); i++) {
      Duration pause = Duration.between(accepted.get(i - 1), accepted.get(i));
      gap = pause.compareTo(gap) > 0 ? pause : gap;
    }
    double available =
        seen.changes().isEmpty() ? 1 : (double) accepted.size() / seen.changes().size();
    return new Verdict(
        owed,
        lost,
        early,
        explained,
        unexplained,
        phantom,
        skipped,
        disagreements,
        tooLate,
        places,
        List.copyOf(outside),
        List.copyOf(inside),
        recovery,
        available,
        gap,
        List.copyOf(problems));
  }
}
