package carillon.timer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.job.attempt.Attempt;
import carillon.job.attempt.Claim;
import carillon.job.attempt.HistoryEntry;
import carillon.job.attempt.HistoryEntry.Reason;
import carillon.job.attempt.HistoryEntry.Status;
import carillon.job.collection.Hold.HoldLevel;
import carillon.job.name.JobState;
import carillon.recurrence.calendar.CalendarDirectory;
import carillon.store.attempt.ClaimedAttempt;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests of the record of an attempt in flight on a dead node that is not repeated. */
class InterruptedClaimTest {
  private static final Instant DUE = Instant.parse("2026-12-25T02:00:00Z");
  private static final Instant NEXT = DUE.plus(Duration.ofDays(1));
  private static final String START =
      "{\"startTime\":\"2026-12-01T02:00:00Z\",\"startWithin\":\"PT5S\","
          + "\"action\":{\"type\":\"http\",\"request\":{\"uri\":\"http://a.example/\","
          + "\"method\":\"GET\"}}";
  private static final String ONCE = START + "}";
  private static final String DAILY =
      START + ",\"recurrence\":{\"frequency\":\"day\",\"interval\":1}}";

  private static HistoryEntry plan(
      int crashes, String definition, Instant next, boolean collectionDisabled, Duration late) {
    Attempt attempt = new Attempt("s/g/c/j", DUE, 25, Attempt.Phase.MAIN, 1, 1, crashes);
    ClaimedAttempt.Job job =
        new ClaimedAttempt.Job(
            definition,
            1,
            "1",
            JobState.ENABLED,
            Optional.of(next),
            collectionDisabled ? Optional.of(HoldLevel.COLLECTION) : Optional.empty(),
            Instant.parse("2026-11-01T00:00:00Z"),
            "c/j");
    ClaimDecision decision =
        new ClaimPlanner(3, () -> new CalendarDirectory(Map.of()))
            .plan(
                new ClaimedAttempt(new Claim(attempt, "t"), DUE.toEpochMilli(), Optional.of(job)),
                1,
                DUE.plus(late));
    return assertInstanceOf(ClaimDecision.End.class, decision).outcome().apply(attempt).entry();
  }

  private static void assertInterrupted(HistoryEntry entry, String why) {
    assertEquals(Status.FAILED, entry.status());
    assertEquals(Optional.of(Reason.INTERRUPTED), entry.reason());
    assertTrue(entry.message().endsWith("Not repeated: " + why), entry::message);
  }

  private static void assertSkipped(HistoryEntry entry, Reason reason) {
    assertEquals(Status.SKIPPED, entry.status());
    assertEquals(Optional.of(reason), entry.reason());
  }

  @Test
  void whatExpiredWhileItsNodeWasDeadMayHaveBeenCalled() {
    String why = "it could not be begun within PT5S after its instant";

    assertInterrupted(plan(1, DAILY, NEXT, false, Duration.ofSeconds(11)), why);
    assertInterrupted(plan(1, ONCE, DUE, false, Duration.ofSeconds(11)), why);
  }

  @Test
  void whatExpiredBeforeTheNextOccurrenceWaitedWasNotCalled() {
    assertSkipped(plan(1, DAILY, DUE, false, Duration.ofSeconds(11)), Reason.EXPIRED);
    assertSkipped(plan(0, DAILY, NEXT, false, Duration.ofSeconds(11)), Reason.EXPIRED);
  }

  @Test
  void whatWasInFlightWhenItsCollectionWasDisabledMayHaveBeenCalled() {
    assertInterrupted(
        plan(1, DAILY, NEXT, true, Duration.ofSeconds(1)), "the job collection is disabled");
    assertSkipped(plan(1, DAILY, DUE, true, Duration.ofSeconds(1)), Reason.COLLECTION_DISABLED);
    assertSkipped(plan(0, DAILY, NEXT, true, Duration.ofSeconds(1)), Reason.COLLECTION_DISABLED);
  }
}
