package carillon.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.api.arm.ArmEnvelope;
import carillon.job.JobDefinition;
import carillon.job.action.Action;
import carillon.job.action.HttpCall;
import carillon.job.action.RetryPolicy;
import carillon.job.name.JobException;
import carillon.job.name.JobKey;
import carillon.json.JobCodec.JobSubmission;
import carillon.json.text.Dialect;
import carillon.json.text.SubmissionLimits;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Test of optional parts of a native document. */
class JobShorthandTest {
  private static final Instant NOW = Instant.parse("2026-11-20T18:00:00Z");
  private static final SubmissionLimits LIMITS =
      SubmissionLimits.documented(Duration.ofSeconds(1), Duration.ofHours(1));

  private static JobSubmission submission(Dialect dialect, String document) {
    return new JobCodec(dialect, LIMITS)
        .read(
            new JobKey("s/g/c/j"),
            document.replace('`', '"').getBytes(StandardCharsets.UTF_8),
            NOW);
  }

  private static JobDefinition read(String document) {
    return submission(Dialect.NATIVE, document).definition();
  }

  private static HttpCall call(String request) {
    return (HttpCall) read("{`action`:{`request`:" + request + "}}").action().call();
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '\'',
      delimiter = '|',
      value = {
        "{`uri`:`http://h/`} | GET | false",
        "{`uri`:`HTTPS://h/`} | GET | true",
        "{`uri`:`https://h/`,`body`:``} | POST | true",
        "{`uri`:`https://h/`,`body`:null} | GET | true",
        "{`uri`:`https://h/`,`body`:`x`,`method`:`PUT`} | PUT | true",
      })
  void typeAndMethodFollowFromUriAndBody(String request, String method, boolean secure) {
    HttpCall call = call(request);

    assertEquals(method, call.method());
    assertEquals(secure, call.secureType());
  }

  @Test
  void aJsonBodyIsStoredAsItsTextToTheLetter() {
    HttpCall call =
        call(
            "{`uri`:`http://h/`,`body`:"
                + " {`ID`:1.50,`Type`:[true,null,{`URL`:-0.0,`n`:12345678901234567890}],`ö`:`\\u0041`}}");

    assertEquals(
        Optional.of(
            "{\"ID\":1.50,\"Type\":[true,null,{\"URL\":-0.0,\"n\":12345678901234567890}],\"ö\":\"A\"}"),
        call.body());
    assertEquals(Map.of("Content-Type", "application/json"), call.headers());
    assertEquals("POST", call.method());
    assertEquals(Optional.of("[1,2]"), call("{`uri`:`http://h/`,`body`:[1,2]}").body());
    assertEquals(Optional.of("false"), call("{`uri`:`http://h/`,`body`:false}").body());
    assertEquals(Map.of(), call("{`uri`:`http://h/`,`body`:`{}`}").headers());
    assertEquals(
        Map.of("content-type", "text/x"),
        call("{`uri`:`http://h/`,`body`:{},`headers`:{`content-type`:`text/x`}}").headers());
  }

  @Test
  void anErrorActionHasTheSameDefaults() {
    Action error =
        read("{`action`:{`request`:{`uri`:`http://h/`},"
                + "`errorAction`:{`request`:{`uri`:`https://e/`,`body`:{`a`:1}}}}}")
            .errorAction()
            .orElseThrow();

    assertEquals(Optional.of("{\"a\":1}"), ((HttpCall) error.call()).body());
  }

  @Test
  void inIsCountedFromTheSubmission() {
    JobDefinition job = read("{`in`:`1h30m`,`action`:{`request`:{`uri`:`http://h/`}}}");

    assertEquals(Optional.of(NOW.plus(Duration.ofMinutes(90))), job.startTime());
  }

  @Test
  void aPolicyWithoutATypeGrows() {
    RetryPolicy policy =
        read("{`action`:{`request`:{`uri`:`http://h/`},`retryPolicy`:{`retryCount`:3}}}")
            .action()
            .retryPolicy();

    assertEquals(3, ((RetryPolicy.Exponential) policy).count());
  }

  @Test
  void theDialectsOfAzureAskForAllOfIt() {
    String job = "{`properties`:{`action`:{`request`:{`uri`:`http://h/`}}}}";
    String body =
        "{`properties`:{`action`:{`type`:`http`,"
            + "`request`:{`uri`:`http://h/`,`method`:`PUT`,`body`:{}}}}}";

    assertTrue(refusal(job).startsWith("action.type: is missing"), refusal(job));
    assertEquals("action.request.body: an object must be a string", refusal(body));
  }

  private static String refusal(String document) {
    return assertThrows(JobException.class, () -> submission(ArmEnvelope.DIALECT, document))
        .getMessage();
  }
}
