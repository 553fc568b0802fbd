package carillon.json.action;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.job.action.Action;
import carillon.job.name.JobException;
import carillon.json.text.Dialect;
import carillon.json.text.JsonFields;
import carillon.json.text.JsonOut;
import carillon.json.text.StrictJsonParser;
import carillon.json.text.SubmissionLimits;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PlaceholderRulesTest {
  private static final ActionCodec CODEC =
      new ActionCodec(
          Dialect.NATIVE, SubmissionLimits.documented(Duration.ofSeconds(1), Duration.ofHours(1)));

  private static Action read(String payload) {
    byte[] json = payload.replace('`', '"').getBytes(StandardCharsets.UTF_8);
    return CODEC.read(JsonFields.root(StrictJsonParser.parse(json, "Malformed")));
  }

  private static String http(String properties) {
    return "{`type`:`http`,`request`:{`method`:`GET`,`placeholders`:true," + properties + "}}";
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "`uri`:`http://{{job}}/` | request.uri: must hold placeholders in its path and query only",
        "`uri`:`{{job}}://h/` | request.uri: must hold placeholders in its path and query only",
        "`uri`:`http://h:{{attempt}}/` | request.uri: must hold placeholders in its path",
        "`uri`:`http://h/?token={{job}}` | request.uri: parameter 'token' must hold no placeholder",
        "`uri`:`http://h/?{{job}}_token=a` | request.uri: must hold placeholders in the values",
        "`uri`:`http://h/?a=1&{{job}}=a` | request.uri: must hold placeholders in the values",
        "`uri`:`http://h/{{scheduledAt:'?token=a'}}` | request.uri: must hold none of ?&=;# within",
        "`uri`:`http://h/?x={{scheduledAt:'&token'}}` | request.uri: must hold none of ?&=;# within",
        "`uri`:`http://h/#{{job}}` | request.uri: must hold placeholders in its path and query only",
        "`uri`:`http://h/{{day}}` | request.uri: {{day}} is no placeholder",
        "`uri`:`http://h/{{job}}/ /` | request.uri:",
        "`uri`:`http://h/`,`headers`:{`X-Api-Key`:`{{job}}`} | request.headers.X-Api-Key: must hold",
        "`uri`:`http://h/`,`headers`:{`Day`:`{{job`} | request.headers.Day: has '{{' without '}}'",
        "`uri`:`http://h/`,`headers`:{`Day`:`{{scheduledAt:'\\n'}}`} | request.headers.Day",
        "`uri`:`http://h/`,`body`:`{{x}}` | request.body: {{x}} is no placeholder"
      })
  void refusesPlaceholdersAndNamesThePlace(String properties, String message) {
    JobException refusal = assertThrows(JobException.class, () -> read(http(properties)));

    assertTrue(refusal.getMessage().contains(message), refusal::getMessage);
  }

  @Test
  void refusesMorePlaceholdersThanACallMayHave() {
    String body = "`uri`:`http://h/`,`body`:`" + "{{job}}".repeat(101) + "`";

    JobException refusal = assertThrows(JobException.class, () -> read(http(body)));

    assertEquals(
        "request.placeholders: 101 placeholders are more than the 100 allowed",
        refusal.getMessage());
  }

  @Test
  void refusesBracesInAUriWithoutPlaceholders() {
    String request = "{`type`:`http`,`request`:{`method`:`GET`,`uri`:`http://h/{{job}}`}}";

    JobException refusal = assertThrows(JobException.class, () -> read(request));

    assertTrue(refusal.getMessage().contains("set placeholders to true"), refusal::getMessage);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{`request`:{`uri`:`http://h/{{job}}?a={{scheduledAt:dd MM}}`,`method`:`GET`,"
            + "`placeholders`:true},`type`:`http`}",
        "{`queueMessage`:{`storageAccount`:`abc`,`queueName`:`abc`,`message`:`{{job}}`,"
            + "`sasToken`:`***`,`placeholders`:true},`type`:`storageQueue`}",
        "{`redisList`:{`list`:`l`,`message`:`{{attempt}}`,`side`:`left`,`placeholders`:true},"
            + "`type`:`redisList`}",
        "{`redisStream`:{`stream`:`s`,`message`:`{{job}}`,`fields`:{`at`:`{{scheduledAt}}`},"
            + "`placeholders`:true},`type`:`redisStream`}",
        "{`serviceBusQueueMessage`:{`queueName`:`q`,`namespace`:`abcdef`,`authentication`:"
            + "{`sasKey`:`***`,`sasKeyName`:`k`,`type`:`sharedAccessKey`},`message`:`{{job}}`,"
            + "`brokeredMessageProperties`:{`messageId`:`{{executionId}}`},"
            + "`placeholders`:true},`type`:`serviceBusQueue`}"
      })
  void answersWhatWasGiven(String payload) {
    Action action = read(payload);

    assertTrue(action.placeholders());
    assertEquals(
        payload.replaceAll("`sas(Key|Token)`:`\\*\\*\\*`,", ""),
        new String(
                JsonOut.object(json -> ActionCodec.write(json, action, Dialect.NATIVE)),
                StandardCharsets.UTF_8)
            .replace('"', '`'));
  }
}
