package carillon.job.name;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares texts and parsed instants with those of the JDK. */
class IsoInstantTest {
  private static final long FIRST = Instant.parse("-0001-01-01T00:00:00Z").getEpochSecond();
  private static final long LAST = Instant.parse("+10001-01-01T00:00:00Z").getEpochSecond();
  private static final int[] UNITS = {1, 10, 100, 1_000, 100_000, 1_000_000, 100_000_000};

  private static void assertAlike(Instant instant) {
    assertEquals(instant.toString(), IsoInstant.text(instant));
    assertEquals(instant, IsoInstant.parse(instant.toString()));
  }

  @Test
  void instantsOfAllYearsAreWrittenAndReadAsByTheJdk() {
    Random random = new Random(7);
    for (int i = 0; i < 100_000; i++) {
      long second = FIRST + (long) (random.nextDouble() * (LAST - FIRST));
      int nano = random.nextInt(1_000_000_000);
      nano -= nano % UNITS[random.nextInt(UNITS.length)];
      assertAlike(Instant.ofEpochSecond(second, nano));
      assertAlike(Instant.ofEpochSecond(second));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3, 7, 9})
  void aFixedNumberOfDigitsIsWrittenAsByTheJdk(int digits) {
    DateTimeFormatter jdk =
        new DateTimeFormatterBuilder().appendInstant(digits).toFormatter(Locale.ROOT);
    Random random = new Random(7);
    long first = Instant.parse("0000-01-01T00:00:00Z").getEpochSecond();
    long last = Instant.parse("9999-12-31T23:59:59Z").getEpochSecond();
    for (int i = 0; i < 10_000; i++) {
      long second = first + (long) (random.nextDouble() * (last - first));
      Instant instant =
          Instant.ofEpochSecond(second, i % 2 == 0 ? 0 : random.nextInt(1_000_000_000));
      assertEquals(jdk.format(instant), IsoInstant.text(instant, digits));
    }
  }

  @Test
  void eachDayOfFourCenturiesIsWrittenAndReadAsByTheJdk() {
    Instant first = Instant.parse("1799-12-31T23:59:59.999Z");
    for (int day = 0; day < 146_200; day++) {
      assertAlike(first.plusSeconds(86_400L * day));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0000-01-01T00:00:00Z", "9999-12-31T23:59:59.999999999Z", "2024-02-29T23:59:60Z",
        "2026-11-20T24:00:00Z", "2026-11-20T12:00:00.1Z", "2026-11-20T12:00:00.12345Z",
        "2026-11-20T12:00:00.Z", "2026-11-20T12:00:00+01:00", "2026-11-20t12:00:00z"
      })
  void unusualTextsAreReadAsByTheJdk(String text) {
    assertEquals(Instant.parse(text), IsoInstant.parse(text));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "yesterday",
        "2026-02-30T00:00:00Z",
        "2026-13-01T00:00:00Z",
        "2026-00-01T00:00:00Z",
        "2026-01-00T00:00:00Z",
        "2026-11-20T25:00:00Z",
        "2026-11-20T12:60:00Z",
        "2026-11-20T12:00:61Z",
        "2026-11-20T12:00Z",
        "2026-11-20T12:00:00",
        "2026-11-20",
        "2026-11-20T12:00:00.1234567890Z",
        "2026-11-20 12:00:00Z",
        "20٢6-11-20T12:00:00Z"
      })
  void whatTheJdkRefusesIsRefused(String text) {
    assertThrows(DateTimeParseException.class, () -> Instant.parse(text));
    assertThrows(DateTimeParseException.class, () -> IsoInstant.parse(text));
  }
}
