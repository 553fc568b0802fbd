package carillon.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.faults.Journal.Answer;
import carillon.faults.Journal.Entry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Test that the checker finds lost, phantom, early and late calls, and accepts correct ones. */
class CheckerTest extends HandWrittenJournal {
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
  void aJobWhoseAnswerIsUnknownMayBeCalled() {
    changed("u", once(1000), 0, Answer.UNKNOWN);
    called("u", 1000, 1005, "n");

    assertTrue(verdict().holds());
  }

  @Test
  void aCallOfARefusedOrUnheardOfJobIsAPhantom() {
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
  void aCallIsEarlyByTheClockOfRedis() {
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
  void occurrencesMissedBecauseOfAFaultWithARecordAreNotLost() {
    broken("n", 1500, 4000, true);
    accepted("r", eachSecond(4), 0);
    called("r", 1000, 1005, "n");
    called("r", 4000, 4305, "n");
    skipped(
        "r",
        2000,
        "2 occurrences from %s were missed; the latest, of %s, runs late"
            .formatted(at(2000), at(4000)));

    assertTrue(verdict().holds(), verdict()::toString);
    assertEquals(2, verdict().skipped());
  }

  @Test
  void aHistoryThatDiffersFromTheCallsDisagrees() {
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
