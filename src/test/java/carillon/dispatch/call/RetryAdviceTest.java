package carillon.dispatch.call;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RetryAdviceTest {
  private static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "429 | 120                           | 2026-11-20T12:02:00Z",
        "503 | 0                             | 2026-11-20T12:00:00Z",
        "503 | Fri, 20 Nov 2026 13:00:00 GMT | 2026-11-20T13:00:00Z",
        "503 | Fri, 20 Nov 2026 13:00:00 +0200 | 2026-11-20T11:00:00Z",
        "503 | Friday, 20-Nov-26 13:00:00 GMT | 2026-11-20T13:00:00Z",
        "503 | Fri Nov 20 13:00:00 2026      | 2026-11-20T13:00:00Z",
        "503 | Sun Nov  1 13:00:00 2026      | 2026-11-01T13:00:00Z",
        "503 | 999999999                     | 2058-07-29T13:46:39Z",
        "503 | 00000000000120                | 2026-11-20T12:02:00Z",
        "429 | 0000000000000000              | 2026-11-20T12:00:00Z",
      })
  void secondsAndDatesAreUnderstood(int status, String value, Instant expected) {
    assertEquals(Optional.of(expected), RetryAdvice.retryAfter(status, value, NOW));
  }

  /** The planner limits the advice, so that longer times need not be exact. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "1000000000",
        "2147483647",
        "2147483648",
        "9999999999",
        "9223372036854775808",
        "100000000000000000000"
      })
  void anyNumberOfDigitsIsALongTime(String value) {
    Instant notBefore = RetryAdvice.retryAfter(503, value, NOW).orElseThrow();

    assertTrue(notBefore.isAfter(NOW.plus(Duration.ofDays(10_000))), notBefore::toString);
    assertTrue(notBefore.isBefore(NOW.plus(Duration.ofDays(100_000))), notBefore::toString);
  }

  @ParameterizedTest
  @CsvSource({
    "429, soon",
    "429, -1",
    "429, 1.5",
    "429, ''",
    "503, 2026-11-20T13:00:00Z",
    "503, 20 Nov 2026",
    "503, Fri 31 Nov 2026 25:00:00 GMT",
    "503, 'Fri, 20 Nov 2026 13:00:00 CEST'",
    "500, 120",
    "200, 120"
  })
  void nothingElseIs(int status, String value) {
    assertEquals(Optional.empty(), RetryAdvice.retryAfter(status, value, NOW));
  }

  @Test
  void aMissingHeaderSaysNothing() {
    assertEquals(Optional.empty(), RetryAdvice.retryAfter(503, null, NOW));
  }
}
