package carillon.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationTextTest {

  @ParameterizedTest
  @CsvSource({
    "500ms, PT0.5S, 500ms",
    "10s, PT10S, 10s",
    "5m, PT5M, 5m",
    "90s, PT1M30S, 90s",
    "12h, PT12H, 12h",
    "60d, PT1440H, 60d",
    "24 H, PT24H, 1d",
    "PT1H30M, PT1H30M, 90m",
    "pt2s, PT2S, 2s",
    "P2D, PT48H, 2d",
    "0s, PT0S, 0s",
    "-PT1S, PT-1S, PT-1S",
    "PT0.0001S, PT0.0001S, PT0.0001S"
  })
  void aDurationIsReadAndWritten(String text, Duration expected, String written) {
    assertEquals(expected, DurationText.parse(text));
    assertEquals(written, DurationText.format(expected));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "5", "s", "5 weeks", "1h30m", "-5s", "1.5s", "999999999999999999d", "٣s"})
  void aTextThatIsNoDurationIsRefused(String text) {
    assertThrows(IllegalArgumentException.class, () -> DurationText.parse(text));
  }
}
