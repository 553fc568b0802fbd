package carillon.recurrence.timetable;

import static org.junit.jupiter.api.Assertions.assertEquals;

import carillon.recurrence.cron.CronParser;
import carillon.recurrence.cron.CronRule;
import java.time.ZoneOffset;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

class CronWordsTest {
  @ParameterizedTest(name = "{0}: {1}")
  @CsvFileSource(resources = "/recurrence/cron-words.csv", delimiter = '|', numLinesToSkip = 1)
  void anExpressionIsToldInWords(String expression, String words) {
    CronRule rule = CronParser.parse(expression, Optional.empty(), "job");

    assertEquals(words, CronWords.of(rule, ZoneOffset.UTC));
  }
}
