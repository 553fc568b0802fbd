package carillon.recurrence.timetable;

import static org.junit.jupiter.api.Assertions.assertEquals;

import carillon.recurrence.Notation;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

/** Test of the table of schedules in words. Each row states its reason. */
class ScheduleTextTest {
  private static final Instant CREATED = Instant.parse("2026-11-20T18:10:30Z");

  @ParameterizedTest(name = "{0} from {1}: {3}")
  @CsvFileSource(resources = "/recurrence/words.csv", delimiter = '|', numLinesToSkip = 1)
  void theWordsAreThoseOfTheTable(String recurrence, String start, String words, String why) {
    Instant startTime = Notation.instant(start);

    String said =
        recurrence.equals("once")
            ? ScheduleText.once(startTime, Optional.empty())
            : ScheduleText.of(
                Notation.recurrence(recurrence), startTime, CREATED, Optional.empty());

    assertEquals(words, said, why);
  }
}
