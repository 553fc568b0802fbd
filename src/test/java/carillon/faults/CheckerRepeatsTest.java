package carillon.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.faults.Journal.Call;
import carillon.faults.Journal.Fault;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Test of repeated calls: retries, repeats that a fault explains, and unexplained repeats. */
class CheckerRepeatsTest extends HandWrittenJournal {
  @Test
  void aSecondCallWithoutAFaultIsUnexplained() {
    accepted("a", once(1000), 0);
    called("a", 1000, 1005, "n");
    called("a", 1000, 5000, "m");

    assertEquals(1, verdict().unexplained());
  }

  /** Node n makes the first call and node m the second. */
  @ParameterizedTest
  @CsvSource({
    "of the first caller,        n, 1010, 9000, true,  0",
    "of another node,            m, 1010, 9000, true,  1",
    "long after the answer,      n, 2030, 9000, true,  1",
    "after the repeat,           n, 5001, 9000, true,  1",
    "which need not repeat,      n, 1010, 9000, false, 1"
  })
  void aSecondCallIsExplainedByAFaultOfTheFirstCallerThatRepeats(
      String fault, String place, long from, long until, boolean repeats, int unexplained) {
    accepted("a", once(1000), 0);
    called("a", 1000, 1005, "n");
    called("a", 1000, 5000, "m");
    broken(place, from, until, repeats);

    assertEquals(unexplained, verdict().unexplained(), fault);
    assertEquals(1 - unexplained, verdict().explained(), fault);
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

  /** Redis was away until 1000. A node connects by 1500 and has recorded by 2250. */
  @ParameterizedTest
  @CsvSource({"1200, 2240, 0", "1200, 2260, 1", "1490, 1830, 1"})
  void aResultIsRecordedLaterWhenRedisWasAwayShortlyBefore(
      long arrived, long fault, int unexplained) {
    accepted("a", once(1000), 0);
    called("a", 1000, arrived, "n");
    called("a", 1000, 8000, "m");
    broken(Journal.REDIS, 500, 1000, true);
    broken("n", fault, 9000, true);

    assertEquals(unexplained, verdict().unexplained());
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
  void retriesThatAreMissingOrTooManyOrTooSoonAreFound() {
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
}
