package carillon.json.text;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.DateTimeException;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TimestampsTest {
  @ParameterizedTest
  @CsvSource({
    "2012-11-04, 2012-11-04T00:00:00Z",
    "2012-08-04T00:00Z, 2012-08-04T00:00:00Z",
    "2012-08-04T00:00, 2012-08-04T00:00:00Z",
    "2031-01-01T00:00:00, 2031-01-01T00:00:00Z",
    "2019-07-07T07:07:07-07:00, 2019-07-07T14:07:07Z",
    "2031-01-01T00:00:00+18:00, 2030-12-31T06:00:00Z",
    "2031-01-01T00:00+01:30, 2030-12-31T22:30:00Z",
    "2016-03-30T20:40:55.469507Z, 2016-03-30T20:40:55.469507Z",
    "2016-03-30T20:40:45.216Z, 2016-03-30T20:40:45.216Z",
    "2016-03-30T20:40:45.2160000Z, 2016-03-30T20:40:45.216Z",
    "2016-03-30T20:40:16.9049999999999999Z, 2016-03-30T20:40:16.905Z",
    "2016-03-30T20:40:59.99999999, 2016-03-30T20:41:00Z",
    "2016-03-30T20:40:59.00000004Z, 2016-03-30T20:40:59Z",
    "2032-02-29T00:00:00Z, 2032-02-29T00:00:00Z",
    "1970-01-01, 1970-01-01T00:00:00Z",
    "9999-12-31T23:59:59.9999999Z, 9999-12-31T23:59:59.9999999Z",
  })
  void whatTheServiceReadIsReadAndWrittenAsItWrote(String text, String answer) {
    assertEquals(answer, Timestamps.format(Timestamps.parse(text)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " 2031-01-01T00:00:00Z",
        "2031-01-01T00:00:00Z ",
        "2031-01-01T00:00:00[Europe/Zurich]",
        "2031-01-01T00:00:00Z[UTC]",
        "2031-W01-1T00:00:00Z",
        "2031-001",
        "1924992000",
        "+999999999-12-31T23:59:59Z",
        "+1000000-01-01T00:00:00Z",
        "1969-12-31T23:59:59Z",
        "1970-01-01T00:00:00+00:01",
        "9999-12-31T23:59:59.99999999Z",
        "9999-12-31T23:59:59-00:01",
        "2031-02-29T00:00:00Z",
        "2031-13-01",
        "2031-01-01T24:00:00Z",
        "2031-01-01T23:60:00Z",
        "2031-01-01T23:59:60Z",
        "2031-01-01T00:00:00.Z",
        "2031-01-01T00Z",
        "2031-01-01T",
        "2031-01-01 00:00:00Z",
        "2031-01-01t00:00:00z",
        "2031-01-01T00:00:00+19:00",
        "2031-01-01T00:00:00+0100",
        "２０３１-01-01",
        "2031-01-01T00:00:00.00000000000000000000000000000000000000000000000000Z"
      })
  void whatIsNoSuchTimeIsRefused(String text) {
    assertThrows(DateTimeException.class, () -> Timestamps.parse(text));
  }

  @Test
  void theStoredFormOfAnEndIsOfOneWidth() {
    assertEquals(
        "2026-11-20T18:00:00.000Z",
        Timestamps.formatMillis(Instant.parse("2026-11-20T18:00:00.000999999Z")));
  }
}
