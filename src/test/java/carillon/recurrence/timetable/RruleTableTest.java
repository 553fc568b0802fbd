package carillon.recurrence.timetable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.recurrence.grid.Grid;
import carillon.recurrence.grid.RuleSetGrid;
import carillon.recurrence.rrule.RecurrenceSet;
import carillon.recurrence.rrule.RruleParser;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

/** Test of the tables of recurrence rules. Each row states its reason. */
class RruleTableTest {
  @ParameterizedTest(name = "{1} from {0}")
  @CsvFileSource(resources = "/recurrence/rrule.csv", delimiter = '|', numLinesToSkip = 1)
  void theFirstTimesAreThoseOfTheTable(String start, String rule, String expected, String why) {
    LocalDateTime anchor = LocalDateTime.parse(start);
    Grid grid = grid(rule, anchor);
    List<String> found = new ArrayList<>();
    long second = second(anchor);
    for (String ignored : expected.split(" ", -1)) {
      second = grid.ceiling(second);
      found.add(second == Grid.NEVER ? "never" : text(second));
      second++;
    }

    assertEquals(Arrays.asList(expected.split(" ", -1)), found, why);
  }

  /** Counting and backward search must agree with forward search. */
  @ParameterizedTest(name = "{1} from {0}")
  @CsvFileSource(resources = "/recurrence/rrule.csv", delimiter = '|', numLinesToSkip = 1)
  void theGridAgreesWithItself(String start, String rule) {
    LocalDateTime anchor = LocalDateTime.parse(start);
    Grid grid = grid(rule, anchor);
    long from = second(anchor);
    long at = grid.ceiling(from);
    for (int i = 0; i < 50 && at != Grid.NEVER; i++) {
      assertEquals(i, grid.count(from, at, 1000));
      assertEquals(at, grid.floor(at));
      long next = grid.ceiling(at + 1);
      if (next != Grid.NEVER) {
        assertEquals(at, grid.floor(next - 1));
      }
      at = next;
    }
  }

  @ParameterizedTest(name = "{0}")
  @CsvFileSource(resources = "/recurrence/rrule-refused.csv", delimiter = '|', numLinesToSkip = 1)
  void whatHasNoMeaningIsRefused(String rule, String message) {
    String text = rule == null ? "" : rule.replace("\\n", "\n");
    String refusal =
        assertThrows(IllegalArgumentException.class, () -> RruleParser.parse(text)).getMessage();

    assertTrue(refusal.startsWith(message), refusal);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvFileSource(resources = "/recurrence/rrule-words.csv", delimiter = '|', numLinesToSkip = 1)
  void rulesAreSaidInWords(String rule, String words) {
    RecurrenceSet set = RruleParser.parse(rule.replace("\\n", "\n"));
    LocalDateTime anchor = LocalDateTime.parse("2027-03-01T09:30:00");

    assertEquals(words, RuleWords.of(set, anchor, ZoneId.of("Europe/Berlin")));
  }

  static Grid grid(String rule, LocalDateTime anchor) {
    RecurrenceSet set = RruleParser.parse(rule.replace("\\n", "\n"));
    ZoneRules utc = ZoneOffset.UTC.getRules();
    return set.isElapsed()
        ? RuleSetGrid.elapsed(set, anchor.toInstant(ZoneOffset.UTC), utc, counted -> second(anchor))
        : RuleSetGrid.local(set, anchor, utc, counted -> second(anchor));
  }

  static long second(LocalDateTime time) {
    return time.toEpochSecond(ZoneOffset.UTC);
  }

  private static String text(long second) {
    LocalDateTime time = LocalDateTime.ofEpochSecond(second, 0, ZoneOffset.UTC);
    return time.format(java.time.format.DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss"));
  }
}
