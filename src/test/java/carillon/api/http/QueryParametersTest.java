package carillon.api.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.job.attempt.Attempt;
import carillon.job.attempt.HistoryEntry;
import carillon.job.attempt.HistoryEntry.HistoryFilter;
import carillon.job.name.JobException;
import carillon.job.name.JobState;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class QueryParametersTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "$filter=state%20eq%20Disabled",
        "%24filter=state%20eq%20'disabled'",
        "$FILTER=State+EQ+DISABLED",
        "a=b&$filter=state%20eq%20'Disabled'&"
      })
  void aFilterNamesAState(String query) {
    assertEquals(Optional.of(JobState.DISABLED), QueryParameters.parse(query).stateFilter());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "$filter=",
        "$filter=state",
        "$filter=state%20ne%20Disabled",
        "$filter=state%20eq%20'x'%20or%201%20eq%201",
        "$filter=state%20eq%20paused",
        "$filter=status%20eq%20Failed",
        "$filter=state%20eq%20'Disabled",
        "$filter=%zz"
      })
  void anyOtherFilterIsRefused(String query) {
    assertThrows(JobException.class, () -> QueryParameters.parse(query).stateFilter());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "labels/team eq 'billing' | | {team=billing}",
        "Labels/team eq billing | refused |",
        "state eq 'Enabled' and labels/cost-center.eu eq A:b/c=1 | ENABLED | {cost-center.eu=A:b/c=1}",
        "labels/a eq 1 AND labels/b eq 2 and state eq faulted | FAULTED | {a=1, b=2}",
        "labels/a eq 1 and labels/a eq 2 | refused |",
        "state eq enabled and state eq disabled | refused |",
        "labels/Team eq billing | refused |",
        "labels/ eq billing | refused |",
        "labels eq billing | refused |",
        "labels/team ge billing | refused |",
        "labels/team eq 'two words' | refused |",
        "labels/team eq '' | refused |",
        "name eq x | refused |",
      })
  void jobsAreFilteredByStateAndLabels(String filter, String state, String labels) {
    QueryParameters query = QueryParameters.parse("$filter=" + filter.replace(" ", "%20"));

    if ("refused".equals(state)) {
      String message = assertThrows(JobException.class, query::jobFilter).getMessage();
      assertTrue(message.startsWith("$filter: "), message);
      return;
    }

    assertEquals(Optional.ofNullable(state).map(JobState::valueOf), query.jobFilter().state());
    assertEquals(labels, new TreeMap<>(query.jobFilter().labels()).toString());
  }

  private static HistoryEntry entry(String start, String end, HistoryEntry.Status status) {
    Instant begun = Instant.parse(start);
    return HistoryEntry.of(
            new Attempt("s/g/c/j", begun, 1, Attempt.Phase.MAIN, 1, 1, 0),
            begun,
            Instant.parse(end),
            status,
            "m")
        .withCall(
            new HistoryEntry.CallDetail(
                OptionalInt.of(503), OptionalLong.empty(), Optional.empty()));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "status eq Failed | true",
        "status eq 'completed' | false",
        "startTime ge 2026-11-20T18:00:00Z | true",
        "startTime gt 2026-11-20T18:00:00Z | false",
        "startTime ge '2026-11-20T18:00:00Z' AND startTime lt datetime'2026-11-20T18:00:01' | true",
        "startTime le 2026-11-20T17:59:59.9999999Z | false",
        "EndTime lt 2026-11-20T18:00:02Z and status eq failed | true",
        "endTime lt 2026-11-20T18:00:02Z and status eq completed | false",
        "endTime eq 2026-11-20T18:00:01Z | true",
        "endTime le 2026-11-20 | false",
        "statusCode eq 503 | true",
        "statuscode ge 500 and statusCode lt 600 | true",
        "statusCode eq '200' | false",
      })
  void historyIsFilteredByStatusAndTimes(String filter, boolean wanted) {
    HistoryEntry entry =
        entry("2026-11-20T18:00:00Z", "2026-11-20T18:00:01Z", HistoryEntry.Status.FAILED);

    HistoryFilter parsed =
        QueryParameters.parse("$filter=" + filter.replace(" ", "%20")).historyFilter();

    assertEquals(wanted, parsed.matches(entry));
    assertEquals(true, QueryParameters.parse(null).historyFilter().matches(entry));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "status ne Failed",
        "status ge Failed",
        "status eq lost",
        "startTime ge yesterday",
        "startTime ge",
        "startTime 2026-11-20",
        "state eq enabled",
        "startTime ge 2026-11-20 or endTime le 2026-11-21",
        "(status eq Failed)",
        "status eq Failed and",
      })
  void anyOtherHistoryFilterIsRefused(String filter) {
    QueryParameters query = QueryParameters.parse("$filter=" + filter.replace(" ", "%20"));

    JobException refusal = assertThrows(JobException.class, query::historyFilter);

    assertTrue(refusal.getMessage().startsWith("$filter: '" + filter), refusal.getMessage());
  }

  @Test
  void aPageHasAtMostOneHundredItems() {
    assertEquals(100, QueryParameters.parse(null).top());
    assertEquals(1, QueryParameters.parse("$top=1").top());
    assertThrows(JobException.class, () -> QueryParameters.parse("$top=0").top());
    assertThrows(JobException.class, () -> QueryParameters.parse("$top=101").top());
    assertThrows(JobException.class, () -> QueryParameters.parse("$top=x").top());
    assertThrows(JobException.class, () -> QueryParameters.parse("$skip=-1").skip());
    assertThrows(JobException.class, () -> QueryParameters.parse("$top=1&$top=2"));
  }

  @Test
  void aContinuationKeepsTheQuestionAndDropsWhatIsDone() {
    String next =
        QueryParameters.parse("$filter=state%20eq%20'x'&$skip=5&api-version=1").continuedAt("a/b");

    assertEquals("?$filter=state%20eq%20%27x%27&api-version=1&$skiptoken=a%2Fb", next);
    assertEquals("a/b", QueryParameters.parse(next.substring(1)).after());
  }
}
