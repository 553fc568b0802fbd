package carillon.faults;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.faults.Journal.Answer;
import carillon.faults.Journal.Change;
import org.junit.jupiter.api.Test;

/**
 * Test of the occurrences owed by jobs that are changed, deleted, run or disabled near their due
 * time.
 */
class CheckerChangesTest extends HandWrittenJournal {
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
  void whatIsDueLongBeforeADeletionIsLostUnlessAFaultMadeItLate() {
    accepted("r", eachSecond(1), 0);
    accepted("r", Plan.DELETED, 2500);

    assertEquals(1, verdict().lost());

    broken("n", 500, 800, true);

    assertTrue(verdict().holds(), verdict()::toString);
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
  void severalThatAChangeSkipsHaveOneRecord() {
    accepted("r", eachSecond(3), 0);
    called("r", 1000, 1005, "n");
    accepted("r", Plan.NOTHING, 3055);
    skipped(
        "r",
        2000,
        "2 occurrences from " + at(2000) + " were due and not begun when the job was replaced");
    broken("n", 1500, 1800, true);

    assertTrue(verdict().holds(), verdict()::toString);
    assertEquals(2, verdict().skipped());
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
  void aDisabledCollectionIsWhyARecurringJobSkipsAndNoReasonForAOneTimeJob() {
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
}
