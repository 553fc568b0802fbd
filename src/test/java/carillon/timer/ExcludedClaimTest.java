package carillon.timer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import carillon.job.attempt.Attempt;
import carillon.job.attempt.Claim;
import carillon.job.attempt.HistoryEntry;
import carillon.job.name.JobState;
import carillon.recurrence.calendar.CalendarCoverage;
import carillon.recurrence.calendar.CalendarDefinition;
import carillon.recurrence.calendar.CalendarDirectory;
import carillon.recurrence.calendar.CalendarSpan;
import carillon.store.attempt.ClaimedAttempt;
import carillon.store.attempt.NextOccurrence;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ExcludedClaimTest {
  private static final String JOB =
      "{\"startTime\":\"2026-12-01T02:00:00Z\","
          + "\"action\":{\"type\":\"http\",\"request\":{\"uri\":\"http://a.example/\","
          + "\"method\":\"GET\"}},\"recurrence\":{\"frequency\":\"day\",\"interval\":1},"
          + "\"calendars\":{\"exclude\":[\"Holidays-DE\"]}}";
  private static final Instant DUE = Instant.parse("2026-12-25T02:00:00Z");

  @Test
  void whatACalendarExcludesSinceIsSkippedWithTheReason() {
    ClaimDecision.End end = assertInstanceOf(ClaimDecision.End.class, plan("s/g/holidays-de"));

    HistoryEntry entry = end.outcome().apply(attempt()).entry();
    assertEquals(Optional.of(HistoryEntry.Reason.EXCLUDED), entry.reason());
    assertEquals(
        Optional.of(Instant.parse("2026-12-26T02:00:00Z")), end.next().flatMap(NextOccurrence::at));
    assertEquals(NextOccurrence.Fate.SKIPPED, end.next().orElseThrow().fate());
  }

  @Test
  void aCalendarOfAnotherGroupExcludesNothing() {
    assertInstanceOf(ClaimDecision.Perform.class, plan("s/other/holidays-de"));
  }

  @Test
  void theNextOccurrenceIsOneThatIsNotExcluded() {
    Attempt before = attempt().movedTo(DUE.minusSeconds(86_400));
    ClaimDecision.Perform perform =
        assertInstanceOf(ClaimDecision.Perform.class, plan("s/g/holidays-de", before));

    assertEquals(
        Optional.of(Instant.parse("2026-12-26T02:00:00Z")),
        perform.next().flatMap(NextOccurrence::at));
  }

  private static ClaimDecision plan(String calendar) {
    return plan(calendar, attempt());
  }

  private static ClaimDecision plan(String calendar, Attempt attempt) {
    CalendarSpan christmas =
        new CalendarSpan.Day(LocalDate.of(2026, 12, 25), Optional.of("Christmas Day"));
    CalendarDefinition definition =
        new CalendarDefinition(Optional.empty(), ZoneId.of("Europe/Berlin"), List.of(christmas));
    CalendarDirectory directory =
        new CalendarDirectory(Map.of(calendar, new CalendarCoverage("holidays-de", definition)));
    ClaimedAttempt.Job job =
        new ClaimedAttempt.Job(
            JOB,
            1,
            "1",
            JobState.ENABLED,
            Optional.of(attempt.dueAt()),
            Optional.empty(),
            Instant.parse("2026-11-01T00:00:00Z"),
            "c/j");
    return new ClaimPlanner(3, () -> directory)
        .plan(
            new ClaimedAttempt(
                new Claim(attempt, "t"), attempt.dueAt().toEpochMilli(), Optional.of(job)),
            1,
            attempt.dueAt().plusMillis(5));
  }

  private static Attempt attempt() {
    return new Attempt("s/g/c/j", DUE, 25, Attempt.Phase.MAIN, 1, 1, 0);
  }
}
