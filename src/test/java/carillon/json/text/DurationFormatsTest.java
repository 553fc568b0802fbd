package carillon.json.text;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationFormatsTest {
  @ParameterizedTest
  @CsvSource({
    "00:00:30, PT30S, 00:00:30",
    "00:05:00, PT5M, 00:05:00",
    "30.00:00:00, PT720H, 30.00:00:00",
    "1:2:3.5, PT1H2M3.5S, 01:02:03.5000000",
    "PT30S, PT30S, 00:00:30",
    "PT3M, PT3M, 00:03:00",
    "P1W, PT168H, 7.00:00:00",
    "P1Y1M1DT1H1M1.5S, PT9505H1M1.5S, 396.01:01:01.5000000",
    "PT0S, PT0S, 00:00:00",
    "30s, PT30S, 00:00:30",
    "1.5s, PT1.5S, 00:00:01.5000000",
    "250ms, PT0.25S, 00:00:00.2500000",
    "1h30m, PT1H30M, 01:30:00",
    "2d12h, PT60H, 2.12:00:00",
  })
  void allFormsAreReadAndWritten(String text, Duration span, String timeSpan) {
    assertEquals(Optional.of(span), DurationFormats.parse(text));
    assertEquals(timeSpan, DurationFormats.timeSpan(span));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "P",
        "PT",
        "P1DT",
        "PT-5S",
        "-PT5S",
        "PT9223372036854775807S",
        "PT1,5S",
        "5",
        "00:30",
        "24:00:00",
        "00:60:00",
        "-00:00:01",
        "pt30s",
        "PT30S ",
        "1.1.00:00:00",
        "s",
        "30",
        "-30s",
        "30 s",
        "30S",
        "30m1h",
        "1.5h",
        "9999999999s"
      })
  void whatIsNoDurationIsNone(String text) {
    assertEquals(Optional.empty(), DurationFormats.parse(text));
  }
}
