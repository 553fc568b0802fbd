package carillon.recurrence.grid;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.recurrence.cron.CronDialect;
import carillon.recurrence.cron.CronExpression;
import carillon.recurrence.cron.CronParser;
import carillon.recurrence.cron.CronRule;
import java.time.Duration;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;

/** Test of the tables of cron expressions. Each row states its reason. */
@Tag("alone")
class CronTableTest {
  @ParameterizedTest(name = "{0} {1} after {2}: {3}")
  @CsvFileSource(resources = "/recurrence/cron.csv", delimiter = '|', numLinesToSkip = 1)
  void theFirstTimesAreThoseOfTheTable(
      String expression, String dialect, String after, String expected, String why) {
    Grid grid = CronGridBuilder.build(expression(expression, dialect));
    List<String> found = new ArrayList<>();
    long second = seconds(after);
    for (String ignored : expected.split(" ", -1)) {
      second = grid.ceiling(second + 1);
      found.add(second == Grid.NEVER ? "never" : text(second));
    }

    assertEquals(Arrays.asList(expected.split(" ", -1)), found, why);
  }

  /** Counting and backward search must agree with forward search. */
  @ParameterizedTest(name = "{0} {1}")
  @CsvFileSource(resources = "/recurrence/cron.csv", delimiter = '|', numLinesToSkip = 1)
  void theGridAgreesWithItself(String expression, String dialect, String after) {
    Grid grid = CronGridBuilder.build(expression(expression, dialect));
    long from = seconds(after);
    long at = from;
    for (int i = 0; i < 50 && at != Grid.NEVER; i++) {
      assertEquals(i, grid.count(from + 1, at + 1, 1000));
      long next = grid.ceiling(at + 1);
      if (next != Grid.NEVER) {
        assertEquals(next, grid.floor(next));
        assertTrue(grid.floor(next - 1) <= at);
      }
      at = next;
    }
  }

  @ParameterizedTest(name = "{0} {1}")
  @CsvFileSource(resources = "/recurrence/cron-refused.csv", delimiter = '|', numLinesToSkip = 1)
  void whatHasNoMeaningOrTwoIsRefused(String expression, String dialect, String message) {
    String text = expression == null ? "" : expression;

    IllegalArgumentException refusal =
        assertThrows(
            IllegalArgumentException.class, () -> CronParser.parse(text, dialect(dialect), "job"));

    assertEquals(message, refusal.getMessage());
  }

  @Test
  void aTextThatIsTooLongIsRefused() {
    String text = "0,".repeat(300) + "0 * * * *";

    assertThrows(
        IllegalArgumentException.class, () -> CronParser.parse(text, Optional.empty(), "job"));
  }

  @Test
  void theZoneInFrontIsTold() {
    String text = "CRON_TZ=Europe/Berlin 0 9 * * *";

    assertEquals(Optional.of("Europe/Berlin"), CronParser.zoneOf(text));
    assertEquals(rule("0 9 * * *"), rule(text));
    assertEquals(Optional.of("UTC"), CronParser.zoneOf("TZ=UTC @daily"));
    assertEquals(Optional.empty(), CronParser.zoneOf("@daily"));
  }

  @Test
  void intervalsAndSingleTimesAreWrittenLikeExpressions() {
    assertEquals(new CronRule.Every(Duration.ofMinutes(5)), rule("rate(5 minutes)"));
    assertEquals(new CronRule.Every(Duration.ofHours(1)), rule("rate(1 hour)"));
    assertEquals(new CronRule.Every(Duration.ofDays(2)), rule("rate(2 days)"));
    assertEquals(new CronRule.Every(Duration.ofMinutes(90)), rule("@every 1h30m"));
    assertEquals(new CronRule.Every(Duration.ofSeconds(10)), rule("@every 10S"));
    assertEquals(
        new CronRule.Once(LocalDateTime.of(2027, 3, 28, 2, 30)), rule("at(2027-03-28T02:30:00)"));
  }

  @ParameterizedTest
  @CsvSource({"0 9 * * 1-5, 0 9 * * MON-FRI", "0 0 1 1 *, @yearly", "0 0 * * 7, 0 0 * * 0"})
  void whatMatchesTheSameIsEqual(String one, String other) {
    assertEquals(rule(one), rule(other));
  }

  @ParameterizedTest
  @CsvSource({
    "* * * * *, true",
    "*/15 2 * * *, true",
    "0 */2 * * *, true",
    "0 0-23 * * *, true",
    "30 2 * * *, false",
    "0 1-23 * * *, false"
  })
  void itIsAWildcardWhenMinutesOrHoursBeginWithAStar(String text, boolean isWildcard) {
    assertEquals(isWildcard, expression(text, null).isWildcard());
  }

  @Test
  void aHashedValueIsTheJobsOwnForEver() {
    CronExpression one = hashed("H H * * *", "default/one");

    assertEquals(one, hashed("H H * * *", "DEFAULT/One"));
    assertNotEquals(one, hashed("H H * * *", "default/two"));
    assertEquals(List.of(20), one.minutes());
  }

  @Test
  void aHashedValueWithoutAJobIsRefused() {
    assertEquals(
        "minute: H is the job's own: say which job",
        assertThrows(IllegalArgumentException.class, () -> hashed("H * * * *", "")).getMessage());
  }

  @Test
  void hashedValuesStayInTheirRangeAndSpread() {
    boolean[] seen = new boolean[60];
    for (int i = 0; i < 2000; i++) {
      CronExpression found = hashed("H(10-19) H/6 H H(3-4) *", "job-" + i);
      int minute = found.minutes().get(0);
      assertTrue(minute >= 10 && minute <= 19, () -> found.minutes().toString());
      assertEquals(4, found.hours().size());
      assertEquals(found.hours().get(0) + 18, found.hours().get(3));
      assertTrue(Integer.highestOneBit(found.dayMasks().get(0)) <= 1 << 27);
      assertTrue(found.months().get(0) >= 3 && found.months().get(0) <= 4);
      seen[hashed("H * * * *", "job-" + i).minutes().get(0)] = true;
    }
    for (boolean minute : seen) {
      assertTrue(minute);
    }
  }

  @Test
  void anExpressionThatNeverMatchesIsFoundOutSoon() {
    long fastest = Long.MAX_VALUE;
    for (int i = 0; i < 20; i++) {
      Grid grid = CronGridBuilder.build(expression("* * 30 2 *", null));
      long begun = System.nanoTime();
      assertEquals(Grid.NEVER, grid.ceiling(0));
      fastest = Math.min(fastest, System.nanoTime() - begun);
    }

    assertTrue(fastest < Duration.ofMillis(10).toNanos(), "took " + fastest + " ns");
  }

  private static CronExpression hashed(String text, String job) {
    return ((CronRule.Matching) CronParser.parse(text, Optional.empty(), job)).expression();
  }

  private static CronExpression expression(String text, String dialect) {
    CronRule rule = CronParser.parse(text, dialect(dialect), "job");
    return ((CronRule.Matching) rule).expression();
  }

  private static CronRule rule(String text) {
    return CronParser.parse(text, Optional.empty(), "job");
  }

  private static Optional<CronDialect> dialect(String word) {
    return Optional.ofNullable(word)
        .map(each -> CronDialect.valueOf(each.toUpperCase(Locale.ROOT)));
  }

  private static long seconds(String local) {
    return LocalDateTime.parse(local).toEpochSecond(ZoneOffset.UTC);
  }

  private static String text(long second) {
    LocalDateTime time = LocalDateTime.ofEpochSecond(second, 0, ZoneOffset.UTC);
    return time.toString().length() == 16 ? time + ":00" : time.toString();
  }
}
