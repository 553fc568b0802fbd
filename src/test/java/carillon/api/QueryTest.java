package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import carillon.job.HistoryEntry;
import carillon.job.JobException;
import carillon.job.JobState;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QueryTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "$filter=state%20eq%20Disabled",
        "%24filter=state%20eq%20'disabled'",
        "$FILTER=State+EQ+DISABLED",
        "a=b&$filter=state%20eq%20'Disabled'&"
      })
  void aFilterNamesAState(String query) {
    assertEquals(Optional.of(JobState.DISABLED), Query.parse(query).stateFilter());
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
    assertThrows(JobException.class, () -> Query.parse(query).stateFilter());
  }

  @Test
  void historyIsFilteredByStatus() {
    assertEquals(
        Optional.of(HistoryEntry.Status.FAILED),
        Query.parse("$filter=status%20eq%20Failed").statusFilter());
  }

  @Test
  void aPageHasAtMostOneHundredItems() {
    assertEquals(100, Query.parse(null).top());
    assertEquals(1, Query.parse("$top=1").top());
    assertThrows(JobException.class, () -> Query.parse("$top=0").top());
    assertThrows(JobException.class, () -> Query.parse("$top=101").top());
    assertThrows(JobException.class, () -> Query.parse("$top=x").top());
    assertThrows(JobException.class, () -> Query.parse("$skip=-1").skip());
    assertThrows(JobException.class, () -> Query.parse("$top=1&$top=2"));
  }

  @Test
  void aContinuationKeepsTheQuestionAndDropsWhatIsDone() {
    String next = Query.parse("$filter=state%20eq%20'x'&$skip=5&api-version=1").continuedAt("a/b");

    assertEquals("?$filter=state%20eq%20%27x%27&api-version=1&$skiptoken=a%2Fb", next);
    assertEquals("a/b", Query.parse(next.substring(1)).after());
  }
}
