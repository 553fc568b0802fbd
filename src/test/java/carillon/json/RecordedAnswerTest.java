package carillon.json;

import static org.junit.jupiter.api.Assertions.assertEquals;

import carillon.job.attempt.Attempt;
import carillon.job.attempt.HistoryEntry;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Test of the parts of a history entry's message. */
class RecordedAnswerTest {
  private static final Instant NOW = Instant.parse("2026-11-20T18:00:00Z");

  private static HistoryEntry stored(String message, String more) {
    HistoryEntry plain =
        HistoryEntry.of(
            new Attempt("s/g/c/j", NOW, 1, Attempt.Phase.MAIN, 1, 1, 0),
            NOW,
            NOW,
            HistoryEntry.Status.FAILED,
            message);
    String json = StoredJson.write(plain);
    return StoredJson.readHistory(json.substring(0, json.length() - 1) + more + "}");
  }

  private static RecordedAnswer answer(String tail, String more) {
    return RecordedAnswer.of(
            stored("Http Action - Response from host 'h': 'OK' Response Headers: " + tail, more))
        .orElseThrow();
  }

  @Test
  void headersAndBodyAreTakenApart() {
    RecordedAnswer answer = answer("a: 1\r\nb: x Body: y\r\n Body: {\"k\": 1}", "");

    assertEquals(Map.of("a", "1", "b", "x Body: y"), answer.headers());
    assertEquals("{\"k\": 1}", answer.body());
    assertEquals(OptionalLong.of(8), answer.bytes());
    assertEquals(false, answer.isTruncated());
  }

  @Test
  void aBodyMayBeEmptyAndSayAnything() {
    assertEquals("", answer(" Body: ", "").body());
    assertEquals("x\r\n Body: z", answer(" Body: x\r\n Body: z", "").body());
  }

  @Test
  void headersThatWereCutEndAtTheirBound() {
    RecordedAnswer answer = answer("a: " + "x".repeat(2045) + " Body: y", "");

    assertEquals(List.of("a"), List.copyOf(answer.headers().keySet()));
    assertEquals("y", answer.body());
  }

  @Test
  void whatWasCutIsToldWithTheLengthOfTheWhole() {
    RecordedAnswer answer = answer(" Body: " + "x".repeat(1024), ",\"bytes\":6110");

    assertEquals(OptionalLong.of(6110), answer.bytes());
    assertEquals(true, answer.isTruncated());
    assertEquals(false, answer(" Body: " + "x".repeat(1024), ",\"bytes\":1024").isTruncated());
  }

  @Test
  void ofAnEarlierVersionTheLengthOfALongBodyIsUnknown() {
    RecordedAnswer answer = answer(" Body: " + "x".repeat(1024), "");

    assertEquals(OptionalLong.empty(), answer.bytes());
    assertEquals(true, answer.isTruncated());
  }

  @Test
  void aRemarkOfOursIsNoPartOfTheBody() {
    assertEquals("gone", answer(" Body: gone Not retried: 404 is in giveUpOn", "").body());
  }

  private static String summary(String message, String more) {
    HistoryEntry entry = stored(message, more);
    return RecordedAnswer.summary(entry, RecordedAnswer.of(entry).isPresent());
  }

  @Test
  void theSummaryTellsStatusHostAndRemark() {
    String answered = "Http Action - Response from host 'api.example': '";
    String rest = "' Response Headers: a: b\r\n Body: it's {'k': 1}";

    assertEquals("200 OK from api.example", summary(answered + "OK" + rest, ""));
    assertEquals(
        "503 Service Unavailable from api.example",
        summary(answered + "ServiceUnavailable" + rest, ",\"code\":503"));
    assertEquals("599 from api.example", summary(answered + "599" + rest, ",\"code\":599"));
    assertEquals(
        "404 Not Found from api.example. Not retried: 404 is in giveUpOn",
        summary(
            answered + "NotFound" + rest + " Not retried: 404 is in giveUpOn", ",\"code\":404"));
  }

  @Test
  void theSummaryOfACallWithoutAnAnswerIsItsCause() {
    assertEquals(
        "connection refused by h:9",
        summary(
            "Http Action - Request to host 'h' failed: no connection",
            ",\"error\":\"refused\",\"cause\":\"connection refused by h:9\""));
    assertEquals("Not performed: it is over", summary("Not performed: it is over", ""));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Http Action - Request to host 'h' failed: no connection",
        "Service Bus Queue Action - Response from host 'h': 'Accepted'",
        "Http Action - Response from host 'h': 'OK' Response Headers: a: b",
        ""
      })
  void otherMessagesHoldNone(String message) {
    assertEquals(Optional.empty(), RecordedAnswer.of(stored(message, "")));
  }

  @Test
  void theStatusIsStoredWhereItIsNotTheCommonestOne() {
    HistoryEntry ok =
        stored("Http Action - Response from host 'h': 'OK' Response Headers:  Body: ", "");
    HistoryEntry away = stored("m", ",\"code\":503,\"error\":\"refused\",\"cause\":\"by h:9\"");

    assertEquals(200, ok.call().statusCode().orElseThrow());
    assertEquals(false, StoredJson.write(ok).contains("code"));
    assertEquals(away, StoredJson.readHistory(StoredJson.write(away)));
    assertEquals(503, away.call().statusCode().orElseThrow());
    assertEquals("by h:9", away.call().error().orElseThrow().cause());
  }
}
