package carillon.json;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import carillon.api.arm.ArmEnvelope;
import carillon.job.JobDefinition;
import carillon.job.action.HttpCall;
import carillon.job.action.RetryPolicy;
import carillon.job.name.ErrorCode;
import carillon.job.name.JobException;
import carillon.job.name.JobKey;
import carillon.job.name.JobState;
import carillon.json.JobCodec.JobSubmission;
import carillon.json.text.Dialect;
import carillon.json.text.SubmissionLimits;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

class JobCodecTest {
  private static final JobKey JOB = new JobKey("s/g/c/j");
  private static final Instant NOW = Instant.parse("2026-11-20T18:00:00Z");
  static final SubmissionLimits LIMITS =
      new SubmissionLimits(
          65_536,
          4096,
          60,
          8192,
          20_000,
          Duration.ofDays(3650),
          Duration.ofSeconds(1),
          Duration.ofHours(1));
  private static final JobCodec NATIVE = new JobCodec(Dialect.NATIVE, LIMITS);
  private static final JobCodec ARM =
      new JobCodec(
          ArmEnvelope.DIALECT,
          SubmissionLimits.documented(Duration.ofSeconds(1), Duration.ofHours(1)));
  private static final String ACTION =
      "{\"type\":\"http\",\"request\":{\"uri\":\"http://h/\",\"method\":\"GET\"}}";

  /**
   * Returns a document of the table: replaces ACTION by a plain action, and backquotes by double
   * quotes.
   */
  private static byte[] json(String text) {
    return text.replace("ACTION", ACTION).replace('`', '"').getBytes(StandardCharsets.UTF_8);
  }

  private static String refusal(JobCodec reader, byte[] json) {
    JobException refusal = assertThrows(JobException.class, () -> reader.read(JOB, json, NOW));
    assertEquals(ErrorCode.INVALID, refusal.code());
    return refusal.getMessage();
  }

  @ParameterizedTest(name = "{0}")
  @CsvFileSource(
      resources = "/codec/refused.csv",
      delimiter = '|',
      quoteCharacter = '\0',
      maxCharsPerColumn = 100_000)
  void aJobThatBreaksARuleIsRefusedByFieldValueAndRule(String document, String message) {
    assertEquals(message.trim().replace('`', '"'), refusal(NATIVE, json(document.trim())));
  }

  @ParameterizedTest(name = "{0}")
  @CsvFileSource(resources = "/codec/accepted.csv", delimiter = '|', quoteCharacter = '\0')
  void whatTheServiceAcceptedIsAccepted(String document, String stored) {
    JobSubmission submission = NATIVE.read(JOB, json(document.trim()), NOW);

    assertEquals(
        stored.trim().replace("ACTION", StoredJsonTest.STORED_ACTION).replace('`', '"'),
        StoredJson.write(submission.definition()));
  }

  @Test
  void theArmDialectReadsItsEnvelopeAndIgnoresWhatItDoesNotKnow() {
    JobSubmission submission =
        ARM.read(
            JOB,
            json("{`name`:`other`,`Properties`:{`Action`:ACTION,`flavour`:1,`State`:`Disabled`}}"),
            NOW);

    assertEquals(Optional.of(JobState.DISABLED), submission.state());
    assertEquals("http://h/", ((HttpCall) submission.definition().action().call()).uri());
    assertEquals(NOW, submission.first());
  }

  @Test
  void theArmDialectDoesNotSpeakOfSeconds() {
    String message =
        refusal(ARM, json("{`properties`:{`action`:ACTION,`recurrence`:{`frequency`:`second`}}}"));

    assertEquals(
        "recurrence.frequency: 'second' must be one of minute, hour, day, week, month, year",
        message);
  }

  @Test
  void theArmDialectHasTheDocumentedLimits() {
    String beyond =
        refusal(ARM, json("{`properties`:{`action`:ACTION,`startTime`:`2031-01-01T00:00:00Z`}}"));
    String large = refusal(ARM, json("{`properties`:{`action`:ACTION}}" + " ".repeat(16 * 1024)));

    assertEquals("startTime: '2031-01-01T00:00:00Z' must be at most 550 days ahead", beyond);
    assertEquals("Malformed Job Object: 16470 bytes are more than the 16384 allowed", large);
  }

  @Test
  void bytesThatAreNotUtf8AreRefused() {
    byte[] latin1 = "{\"ÿ\":1}".getBytes(StandardCharsets.ISO_8859_1);

    assertEquals(
        "Malformed Job Object: it is not JSON at line 1, column 5", refusal(NATIVE, latin1));
  }

  @Test
  void aDeepDocumentIsRefused() {
    byte[] deep = ("{\"a\":" + "[".repeat(60_000)).getBytes(StandardCharsets.UTF_8);

    assertEquals(
        "Malformed Job Object: it is nested deeper than 32 levels at line 1, column 37",
        refusal(NATIVE, deep));
  }

  @Test
  void aHugeNumberCostsNoMore() {
    byte[] huge = json("{`action`:ACTION,`recurrence`:{`frequency`:`day`,`count`:1e1000000000}}");

    assertEquals(
        "recurrence.count: 1e1000000000 must be a whole number from 1 to 2147483647",
        refusal(NATIVE, huge));
  }

  @Test
  void valuesAbsentFromAFixedPolicyAreThoseOfTheConceptPage() {
    JobDefinition definition =
        NATIVE
            .read(
                JOB,
                json(
                    ACTION
                        .replace("}}", "},`retryPolicy`:{`retryType`:`FIXED`}}")
                        .transform(action -> "{`action`:" + action + "}")),
                NOW)
            .definition();

    assertEquals(
        new RetryPolicy.Fixed(Duration.ofMinutes(1), 5, Optional.empty()),
        definition.action().retryPolicy());
  }

  @Test
  void charactersOfTwoSurrogatesAreKept() {
    byte[] body =
        json(
            "{`action`:{`type`:`http`,`request`:{`uri`:`http://h/`,`method`:`PUT`,`body`:`🕐"
                + " 𐍈`}}}");

    HttpCall call =
        (HttpCall)
            assertDoesNotThrow(() -> NATIVE.read(JOB, body, NOW)).definition().action().call();

    assertEquals(Optional.of("🕐 𐍈"), call.body());
  }
}
