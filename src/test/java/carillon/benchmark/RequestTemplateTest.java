package carillon.benchmark;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.net.URI;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestTemplateTest {
  private static final RequestTemplate.Job JOB =
      new RequestTemplate.Job(
          "herd-7",
          7,
          1_900_000_000_123_000L,
          URI.create("http://127.0.0.1:9/t/herd/7"),
          "127.0.0.1:8080");

  @Test
  void theRequestHasTheJobAndTheLengthOfItsBody() {
    String text =
        """
        POST /jobs/{id} HTTP/1.1
        Host: {host}

        {"id":"{id}","due":{due_ms}}
        """;

    assertEquals(
        "POST /jobs/herd-7 HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nContent-Length: 35\r\n\r\n"
            + "{\"id\":\"herd-7\",\"due\":1900000000123}",
        request(text, Map.of()));
  }

  @ParameterizedTest
  @CsvSource({
    "{n}, 7",
    "{due_us}, 1900000000123000",
    "{due_iso}, 2030-03-17T17:46:40.123Z",
    "{url}, http://127.0.0.1:9/t/herd/7",
    "{path}, /t/herd/7"
  })
  void aPlaceholderIsReplaced(String placeholder, String value) {
    assertEquals(
        "GET /" + value + " HTTP/1.1\r\nContent-Length: 0\r\n\r\n",
        request("GET /" + placeholder + " HTTP/1.1\n", Map.of()));
  }

  @Test
  void theDelayOfAJobThatIsDueIsNothing() {
    RequestTemplate template = RequestTemplate.parse("GET /?delay={delay_ms}ms HTTP/1.1", Map.of());
    RequestTemplate.Job due = new RequestTemplate.Job("a", 0, 1, URI.create("http://h/"), "h");

    assertEquals(
        "GET /?delay=0ms HTTP/1.1\r\nContent-Length: 0\r\n\r\n", template.request(due).toString());
  }

  @Test
  void variablesAreThoseOfTheEnvironmentOrTheirDefaults() {
    String text = "GET /${QUEUE:-main}/${OTHER:-none}${NOTHING} HTTP/1.1\n";

    assertEquals(
        "GET /mine/none HTTP/1.1\r\nContent-Length: 0\r\n\r\n",
        request(text, Map.of("QUEUE", "mine")));
  }

  @Test
  void aPlaceholderWithoutMeaningIsRefused() {
    String said =
        assertThrows(
                IllegalArgumentException.class,
                () -> RequestTemplate.parse("GET /{when}", Map.of()))
            .getMessage();

    assertEquals("no placeholder is named {when}", said);
  }

  private static String request(String text, Map<String, String> environment) {
    return RequestTemplate.parse(text, environment).request(JOB).toString();
  }
}
