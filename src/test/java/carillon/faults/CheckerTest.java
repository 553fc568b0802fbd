package carillon.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
import org.junit.jupiter.api.Test;

/** Journals written by hand: each kind of fault is found, and what is well is left alone. */
class CheckerTest {
  private static final Instant T = Instant.parse("2026-11-20T12:00:00Z");

  private final List<Change> changes = new ArrayList<>();
  private final List<Call> calls = new ArrayList<>();
  private final List<Fault> faults = new ArrayList<>();
  private final List<Entry> entries = new ArrayList<>();
  private final List<Toggle> toggles = new ArrayList<>();
  private final SteppedClock clock = new SteppedClock();
  private Optional<Duration> latest = Optional.empty();
  private Set<String> histories = Set.of();

  private Verdict verdict() {
    return Checker.check(
        new Snapshot(changes, toggles, calls, faults, entries, at(60_000)),
        new Checker.Rules(Duration.ofSeconds(5), 2, histories, clock, latest));
  }

  private static Instant at(long millis) {
    return T.plusMillis(millis);
  }

  private void accepted(String job, Plan plan, long sent) {
    changed(job, plan, sent, Answer.ACCEPTED);
  }

  private void changed(String job, Plan plan, long sent, Answer answer) {
    changes.add(new Change(job, plan, false, at(sent), at(sent + 10), answer));
  }

  private void called(String job, long nominal, long arrived, String node) {
    called(job, job + nominal, nominal, arrived, node);
  }

  private void called(String job, String execution, long nominal, long arrived, String node) {
    int status = job.startsWith(JournaledTarget.FAILING) ? 500 : 200;
    Optional<Instant> answered = Optional.of(at(arrived + 20));
    calls.add(new Call(job, execution, at(nominal), at(arrived), node, answered, status));
  }

  private void broken(String place, long from, long until, boolean repeats) {
    faults.add(new Fault("broken", place, at(from), at(until), at(until), repeats));
  }

  private void toggled(String collection, boolean closes, long sent) {
    toggles.add(new Toggle(collection, closes, at(sent), at(sent + 10), Answer.ACCEPTED));
  }

  private void skipped(String job, long nominal) {
    entries.add(new Entry(job, "x", at(nominal), "skipped", 0, "Not performed: it was changed"));
  }

  private static Plan once(long due) {
    return Plan.once(at(due));
  }

  private static Plan eachSecond(int count) {
    return Plan.every(Duration.ofSeconds(1), at(1000), count);
  }

  @Test
  void whatIsCalledOnceInTimeIsWell() {
    accepted("a", once(1000), 0);
    called("a", 1000, 1003, "n");
    accepted("r", eachSecond(3), 0);
    for (int i = 1; i <= 3; i++) {
      called("r", 1000L * i, 1000L * i + 5, "n");
    }

    Verdict verdict = verdict();

    assertTrue(verdict.holds(), verdict::toString);
    assertEquals(4, verdict.owed());
    assertEquals(
        List.of(3L, 5L, 5L, 5L), verdict.outside().stream().map(Duration::toMillis).toList());
    assertEquals(1, verdict.available());
  }

  @Test
  void anOwedOccurrenceWithoutACallIsLost() {
    accepted("a", once(1000), 0);
    accepted("r", eachSecond(3), 0);
    called("r", 1000, 1005, "n");
    called("r", 3000, 3005, "n");

    assertEquals(2, verdict().lost());
  }

  @Test
  void whatAFaultExplainsIsLostAllTheSame() {
    accepted("a", once(1000), 0);
    broken(Journal.REDIS, 500, 2000, true);

    assertEquals(1, verdict().lost());
  }

  @Test
  void anUnknownOrRefusedJobIsOwedNothing() {
    changed("u", once(1000), 0, Answer.UNKNOWN);
    changed("r", once(1000), 0, Answer.REFUSED);

    assertTrue(verdict().holds());
    assertEquals(0, verdict().owed());
    assertEquals(0, verdict().available());
  }

  @Test
  void anUnknownJobMayRun() {
    changed("u", once(1000), 0, Answer.UNKNOWN);
    called("u", 1000, 1005, "n");

    assertTrue(verdict().holds());
  }

  @Test
  void aRefusedOrUnheardOfJobMustNotRun() {
    changed("r", once(1000), 0, Answer.REFUSED);
    called("r", 1000, 1005, "n");
    called("x", 1000, 1005, "n");

    assertEquals(2, verdict().phantom());
  }

  @Test
  void anOccurrenceThatIsNotOneOfTheJobsIsAPhantom() {
    accepted("r", eachSecond(2), 0);
    called("r", 1000, 1005, "n");
    called("r", 1500, 1505, "n");
    called("r", 2000, 2005, "n");
    called("r", 3000, 3005, "n");

    assertEquals(2, verdict().phantom());
  }

  @Test
  void aCallBeforeItsInstantIsEarlyHoweverLittle() {
    accepted("a", once(1000), 0);
    called("a", 1000, 999, "n");

    assertEquals(1, verdict().early());
  }

  @Test
  void earlyIsByTheClockOfRedis() {
    clock.step(at(500), Duration.ofMinutes(5));
    accepted("a", once(30_000), 0);
    accepted("b", once(30_000), 0);
    called("a", 30_000, 2000, "n");
    called("b", 30_000, 400, "n");

    assertEquals(1, verdict().early());
  }

  @Test
  void afterAStepBackANodeKnowsTheOldTimeForAMomentOnly() {
    clock.step(at(500), Duration.ofMillis(900));
    clock.step(at(5000), Duration.ZERO);
    accepted("a", once(6500), 0);
    called("a", 6500, 5700, "n");
    accepted("b", once(7500), 0);
    called("b", 7500, 6700, "n");

    assertEquals(1, verdict().early());
  }

  @Test
  void latenessDoesNotCountWhileTheInstantIsNotReachedAgain() {
    latest = Optional.of(Duration.ofSeconds(2));
    clock.step(at(500), Duration.ofMinutes(5));
    clock.step(at(5000), Duration.ZERO);
    accepted("waits", once(10_000), 0);
    called("waits", 10_000, 10_100, "n");
    accepted("late", once(4000), 0);
    called("late", 4000, 5100, "n");

    Verdict verdict = verdict();

    assertEquals(1, verdict.tooLate(), verdict::toString);
    assertEquals(List.of(100L, 4600L), verdict.outside().stream().map(Duration::toMillis).toList());
  }

  @Test
  void aCallLaterThanTheBoundIsTooLate() {
    latest = Optional.of(Duration.ofSeconds(2));
    accepted("a", once(1000), 0);
    called("a", 1000, 3001, "n");
    accepted(JournaledTarget.SLOW, once(1000), 0);
    called(JournaledTarget.SLOW, 1000, 9000, "n");

    assertEquals(1, verdict().tooLate());
    assertFalse(verdict().holds());
  }

  @Test
  void aSecondCallWithoutAFaultIsUnexplained() {
    accepted("a", once(1000), 0);
    called("a", 1000, 1005, "n");
    called("a", 1000, 5000, "m");

    assertEquals(1, verdict().unexplained());
  }

  @Test
  void aSecondCallIsExplainedByAFaultOfTheFirstCaller() {
    accepted("a", once(1000), 0);
    called("a", 1000, 1005, "n");
    called("a", 1000, 5000, "m");
    broken("n", 1010, 9000, true);

    assertEquals(0, verdict().unexplained());
    assertEquals(1, verdict().explained());
  }

  @Test
  void aFaultOfAnotherNodeExplainsNothing() {
    accepted("a", once(1000), 0);
    called("a", 1000, 1005, "n");
    called("a", 1000, 5000, "m");
    broken("m", 1010, 9000, true);

    assertEquals(1, verdict().unexplained());
  }

  @Test
  void aFaultLongAfterTheAnswerOrAfterTheRepeatExplainsNothing() {
    accepted("a", once(1000), 0);
    called("a", 1000, 1005, "n");
    called("a", 1000, 5000, "m");
    broken("n", 2030, 9000, true);
    broken("n", 5001, 9000, true);

    assertEquals(1, verdict().unexplained());
  }

  @Test
  void aFaultThatNeedNotRepeatExplainsNothing() {
    accepted("a", once(1000), 0);
    called("a", 1000, 1005, "n");
    called("a", 1000, 5000, "m");
    broken("n", 1010, 9000, false);

    assertEquals(1, verdict().unexplained());
  }

  @Test
  void aNodesFaultExplainsNoMoreThanItHadInFlight() {
    for (int i = 0; i < 3; i++) {
      accepted("a" + i, once(1000), 0);
      called("a" + i, 1000, 1005, "n");
      called("a" + i, 1000, 5000, "m");
    }
    broken("n", 1010, 9000, true);

    assertEquals(2, verdict().explained());
    assertEquals(1, verdict().unexplained());
  }

  @Test
  void anotherExecutionOfTheSameOccurrenceIsAPhantomWhateverIsBroken() {
    accepted("a", once(1000), 0);
    called("a", "one", 1000, 1005, "n");
    called("a", "two", 1000, 5000, "m");
    broken("n", 1010, 9000, true);

    assertEquals(1, verdict().phantom());
  }

  @Test
  void retriesAreCountedAndTimed() {
    Plan fails = once(1000).with(Plan.Behaviour.FAILS);
    accepted("fail-well", fails, 0);
    accepted("fail-few", fails, 0);
    accepted("fail-many", fails, 0);
    accepted("fail-fast", fails, 0);
    for (String job : List.of("fail-well", "fail-many", "fail-few")) {
      called(job, 1000, 1005, "n");
      called(job, 1000, 2030, "n");
    }
    called("fail-well", 1000, 3060, "n");
    called("fail-many", 1000, 3060, "n");
    called("fail-many", 1000, 4090, "n");
    called("fail-fast", 1000, 1005, "n");
    called("fail-fast", 1000, 1500, "n");
    called("fail-fast", 1000, 3060, "n");

    Verdict verdict = verdict();

    assertEquals(1, verdict.lost(), verdict::toString);
    assertEquals(1, verdict.unexplained(), verdict::toString);
    assertEquals(1, verdict.early(), verdict::toString);
  }

  @Test
  void aRetryGoesByTheClockAsItIsThen() {
    clock.step(at(500), Duration.ofSeconds(25));
    clock.step(at(6000), Duration.ZERO);
    accepted("fail", once(30_000).with(Plan.Behaviour.FAILS), 0);
    called("fail", 30_000, 5990, "n");
    called("fail", 30_000, 7050, "n");
    called("fail", 30_000, 8090, "n");

    assertEquals(0, verdict().early());
  }

  @Test
  void callsOfATargetInTroubleEndWithTheFirstSuccess() {
    accepted("t", once(1000).with(Plan.Behaviour.TROUBLED), 0);
    calls.add(new Call("t", "t1000", at(1000), at(1005), "n", Optional.empty(), 200));
    called("t", 1000, 5005, "n");

    assertTrue(verdict().holds());

    called("t", 1000, 6005, "n");

    assertEquals(1, verdict().unexplained());
  }

  @Test
  void aFaultExplainsOnlyWhatWasInFlight() {
    accepted("before", once(1000), 0);
    called("before", 1000, 1005, "n");
    called("before", 1000, 9000, "n");
    accepted("in-flight", once(1000), 0);
    called("in-flight", 1000, 1995, "n");
    called("in-flight", 1000, 9000, "n");
    accepted("after", once(1000), 0);
    called("after", 1000, 3105, "n");
    called("after", 1000, 9000, "n");
    broken(Journal.REDIS, 2000, 3000, true);

    assertEquals(1, verdict().explained());
    assertEquals(2, verdict().unexplained());
  }

  @Test
  void aNodeThatIsDeadMakesNoCallsForItsFaultToExplain() {
    accepted("a", once(1000), 0);
    called("a", 1000, 5000, "n");
    called("a", 1000, 9000, "n");
    faults.add(new Fault("kill -9", "n", at(2000), at(2001), at(8000), true));

    assertEquals(1, verdict().unexplained());
  }

  @Test
  void aFaultExplainsOneRepeatOfACall() {
    accepted("a", once(1000), 0);
    called("a", 1000, 1995, "n");
    called("a", 1000, 5000, "n");
    called("a", 1000, 9000, "n");
    broken(Journal.REDIS, 2000, 3000, true);

    assertEquals(1, verdict().explained());
    assertEquals(1, verdict().unexplained());
  }

  @Test
  void whatIsDueBeforeADeletionIsCalledInAMomentAndNothingAfterwards() {
    accepted("r", eachSecond(10), 0);
    called("r", 1000, 1005, "n");
    accepted("r", Plan.DELETED, 2500);
    called("r", 2000, 2705, "n");

    assertTrue(verdict().holds(), verdict()::toString);

    called("r", 3000, 3005, "n");

    assertEquals(1, verdict().phantom());
  }

  @Test
  void whatWasDueBeforeAndIsCalledLongAfterTheEndOfItsJobIsAPhantom() {
    accepted("r", eachSecond(10), 0);
    called("r", 1000, 1005, "n");
    called("r", 2000, 2715, "n");
    accepted("r", Plan.NOTHING, 2500);

    assertEquals(1, verdict().phantom());
  }

  @Test
  void whatIsDueBeforeAChangeIsOwedUpToItsRequest() {
    accepted("r", eachSecond(10), 0);
    accepted("r", Plan.NOTHING, 2055);

    assertEquals(2, verdict().lost());
  }

  @Test
  void whatIsDueAsAChangeIsUnderWayMayBelongToEitherPlan() {
    accepted("r", eachSecond(10), 0);
    accepted("r", Plan.NOTHING, 995);

    assertEquals(0, verdict().owed());

    called("r", 1000, 1002, "n");

    assertTrue(verdict().holds(), verdict()::toString);
  }

  @Test
  void whatBothPlansHaveIsOwedHoweverTheChangeFalls() {
    accepted("r", eachSecond(2), 0);
    accepted("r", eachSecond(2), 1995);
    called("r", 1000, 1005, "n");

    assertEquals(1, verdict().lost());
  }

  @Test
  void aChangeDoesNotLetAnInstantRunTwice() {
    accepted("r", eachSecond(2), 0);
    accepted("r", eachSecond(2), 1995);
    called("r", 1000, 1005, "n");
    called("r", "old", 2000, 2001, "n");
    called("r", "new", 2000, 2004, "n");

    assertEquals(1, verdict().phantom());
  }

  @Test
  void whatAChangeSkipsIsRecorded() {
    accepted("r", eachSecond(2), 0);
    called("r", 1000, 1005, "n");
    skipped("r", 2000);

    assertEquals(1, verdict().lost());

    accepted("r", Plan.NOTHING, 2055);

    assertTrue(verdict().holds(), verdict()::toString);
    assertEquals(1, verdict().skipped());
  }

  @Test
  void nothingOfADisabledCollectionIsCalled() {
    accepted("c~before", once(990), 0);
    accepted("c~while", once(3000), 0);
    accepted("other", once(3000), 0);
    toggled("c", true, 1000);
    called("c~before", 990, 1200, "n");
    called("c~while", 3000, 3005, "n");
    called("other", 3000, 3005, "n");

    assertEquals(1, verdict().phantom());
  }

  @Test
  void whatWaitsForItsCollectionBeginsAtOnce() {
    accepted("c~quick", once(2000), 0);
    accepted("c~late", once(2000), 0);
    toggled("c", true, 1000);
    toggled("c", false, 5000);
    called("c~quick", 2000, 5105, "n");
    called("c~late", 2000, 5505, "n");

    assertEquals(1, verdict().tooLate());
  }

  @Test
  void theGateIsWhyARecurringJobSkipsAndNoReasonForAOneTimeJob() {
    accepted("c~r", eachSecond(2), 0);
    toggled("c", true, 900);
    toggled("c", false, 5000);
    skipped("c~r", 1000);
    skipped("c~r", 2000);

    assertTrue(verdict().holds(), verdict()::toString);

    accepted("c~once", once(2000), 0);
    skipped("c~once", 2000);

    assertEquals(1, verdict().lost());
  }

  @Test
  void whereTheMachineStalledTheBoundDoesNotHold() {
    latest = Optional.of(Duration.ofSeconds(2));
    accepted("a", once(1000), 0);
    called("a", 1000, 4000, "n");
    broken(Journal.MACHINE, 1500, 3500, false);

    assertTrue(verdict().holds(), verdict()::toString);
  }

  @Test
  void placesThatDoNotComeBackAreCounted() {
    for (int i = 0; i < 3; i++) {
      accepted(Capacity.BEFORE + i, once(1000), 0);
      called(Capacity.BEFORE + i, 1000, 1005, "n");
      accepted(Capacity.AFTER + i, once(9000), 0);
      called(Capacity.AFTER + i, 9000, i == 0 ? 9005 : 9025, "n");
    }

    assertEquals(1, verdict().places());
    assertFalse(verdict().holds());
  }

  @Test
  void afterAnUnknownDeletionNothingIsOwedAndEverythingMayRun() {
    accepted("r", eachSecond(10), 0);
    changed("r", Plan.DELETED, 900, Answer.UNKNOWN);
    called("r", 5000, 5005, "n");

    assertTrue(verdict().holds(), verdict()::toString);
  }

  @Test
  void aJobWhoseStartHadPassedIsDueWhenItIsAccepted() {
    accepted("a", once(1000), 2000);
    called("a", 2004, 2008, "n");

    assertTrue(verdict().holds(), verdict()::toString);
    assertEquals(1, verdict().owed());

    called("a", 2500, 2505, "n");

    assertEquals(1, verdict().phantom());
  }

  @Test
  void aRunOutsideTheScheduleIsOwedOnce() {
    accepted("a", once(50_000), 0);
    changes.add(new Change("a", once(50_000), true, at(2000), at(2010), Answer.ACCEPTED));

    assertEquals(2, verdict().lost());

    called("a", 2005, 2008, "n");
    called("a", 50_000, 50_005, "n");

    assertTrue(verdict().holds(), verdict()::toString);
  }

  @Test
  void occurrencesMissedBecauseOfAFaultWithARecordAreNotLost() {
    broken("n", 1500, 4000, true);
    accepted("r", eachSecond(4), 0);
    called("r", 1000, 1005, "n");
    called("r", 4000, 4305, "n");
    entries.add(
        new Entry(
            "r",
            "x",
            at(2000),
            "skipped",
            0,
            "Not performed: 2 occurrences from "
                + at(2000)
                + " were missed; the latest, of "
                + at(4000)
                + ", runs late"));

    assertTrue(verdict().holds(), verdict()::toString);
    assertEquals(2, verdict().skipped());
  }

  @Test
  void theHistoryMustAgreeWithTheTarget() {
    histories = Set.of("a", "b");
    accepted("a", once(1000), 0);
    called("a", 1000, 1005, "n");
    accepted("b", once(1000), 0);
    called("b", 1000, 1005, "n");
    entries.add(new Entry("b", "b1000", at(1000), "completed", 0, ""));
    entries.add(new Entry("b", "never called", at(1000), "completed", 0, ""));

    assertEquals(2, verdict().disagreements());
    assertFalse(verdict().holds());
  }

  @Test
  void latenessIsSplitAndTheTimeToRecoverIsThatOfTheLastLateCall() {
    accepted("a", once(1000), 0);
    accepted("b", once(20_000), 0);
    broken("n", 900, 2000, true);
    called("a", 1000, 6500, "n");
    called("b", 20_000, 20_001, "n");

    Verdict verdict = verdict();

    assertEquals(List.of(Duration.ofMillis(5500)), verdict.inside());
    assertEquals(List.of(Duration.ofMillis(1)), verdict.outside());
    assertEquals(Duration.ofMillis(4500), verdict.recovery());
  }
}
