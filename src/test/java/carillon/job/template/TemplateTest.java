package carillon.job.template;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.job.action.TextMapping.TextForm;
import carillon.job.attempt.Attempt;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TemplateTest {
  private static final Attempt ATTEMPT =
      Attempt.parse(
          "run:default/default/orders/nightly at=2026-03-30T00:30:00Z occurrence=7 main=2"
              + " revision=1 crashes=0");
  private static final CallValues VALUES =
      CallValues.of(
          ATTEMPT,
          "Orders/Nightly",
          ZoneId.of("Europe/Berlin"),
          Optional.of(Instant.parse("2026-03-28T01:30:00Z")));

  private static String filled(String text) {
    return Template.parse(text).fill(VALUES, TextForm.PLAIN);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{{scheduledAt}} | 2026-03-30T00:30:00Z",
        "{{scheduledAt:yyyy-MM-dd HH:mm xxx}} | 2026-03-30 02:30 +02:00",
        "{{scheduledAt:EEEE, d MMMM}} | Monday, 30 March",
        // The clocks went forward in the night before: a day is a day of the calendar.
        "{{scheduledAt-P1D:yyyy-MM-dd'T'HH:mm}} | 2026-03-29T03:30",
        "{{scheduledAt-PT24H:HH:mm}} | 01:30",
        "{{scheduledAt-P1M:yyyy-MM}} | 2026-02",
        "{{scheduledAt-P86D:YYYY-'W'ww e}} | 2026-W01 6",
        "{{scheduledAt+P1DT30M:dd HH:mm}} | 31 03:00",
        "{{scheduledAt-P2W}} | 2026-03-16T01:30:00Z",
        "{{lastSuccessAt}} | 2026-03-28T01:30:00Z",
        "{{lastSuccessAt:yyyy}} | 2026",
        "{{attempt}} of {{job}} in {{collection}} | 2 of Nightly in Orders",
        "{{occurrence}} | 7",
        "a {single} brace, }} and }  | a {single} brace, }} and }",
        "{\"a\":{\"attempt\":{{attempt}}}} | {\"a\":{\"attempt\":2}}"
      })
  void fillsInTheValues(String text, String expected) {
    assertEquals(expected, filled(text));
  }

  @Test
  void theExecutionIdIsThatOfTheHeaders() {
    assertEquals(ATTEMPT.executionId(), filled("{{executionId}}"));
  }

  @Test
  void withoutASuccessTheValueIsEmpty() {
    CallValues first = CallValues.of(ATTEMPT, "Orders/Nightly", ZoneId.of("UTC"), Optional.empty());

    assertEquals(
        "since=", Template.parse("since={{lastSuccessAt-P1D:yyyy}}").fill(first, TextForm.PLAIN));
  }

  @Test
  void escapesValuesAndNothingElse() {
    Template template = Template.parse("a b/{{scheduledAt:'\"x\\' dd/MM}}?\"");

    assertEquals("a b/\"x\\ 30/03?\"", template.fill(VALUES, TextForm.PLAIN));
    assertEquals("a b/%22x%5C%2030%2F03?\"", template.fill(VALUES, TextForm.URI));
    assertEquals("a b/\\\"x\\\\ 30/03?\"", template.fill(VALUES, TextForm.JSON));
  }

  @ParameterizedTest
  @CsvSource({
    "application/json,JSON",
    "application/json; charset=utf-8,JSON",
    "Application/Problem+JSON,JSON",
    "text/plain,PLAIN",
    "application/jsonlines,PLAIN"
  })
  void knowsJsonByItsMediaType(String type, TextForm form) {
    assertEquals(form, TextForm.ofMediaType(type));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{{now}} | {{now}} is no placeholder; they are scheduledAt, ",
        "{{ScheduledAt}} | is no placeholder",
        "{{ scheduledAt }} | is no placeholder",
        "{{scheduledAt }} | must be like {{scheduledAt-P1D:yyyy-MM-dd}}",
        "{{}} | is no placeholder",
        "a {{job | has '{{' without '}}' behind it",
        "{{job:yyyy}} | must be {{job}}: only instants take more",
        "{{attempt+P1D}} | must be {{attempt}}",
        "{{scheduledAt:bbb}} | has no pattern of a date or time",
        "{{scheduledAt-1D}} | must be like {{scheduledAt-P1D:yyyy-MM-dd}}",
        "{{scheduledAt-P1X}} | must have an ISO 8601 period",
        "{{scheduledAt-P}} | must have an ISO 8601 period",
        "{{scheduledAt-P200Y}} | must add at most 100 years",
        "{{scheduledAt-PT9999999H}} | must add at most 100 years",
        "{{scheduledAt-P99999999999Y}} | must have an ISO 8601 period"
      })
  void refusesAndNamesTheRule(String text, String rule) {
    String message =
        assertThrows(IllegalArgumentException.class, () -> Template.parse(text)).getMessage();

    assertTrue(message.contains(rule), message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"'%s'", "pppppppppppppppppppppppppppppppppppppppppppp%sd"})
  void refusesPatternsThatGrow(String form) {
    String text = "{{scheduledAt:" + form.replace("%s", "p".repeat(300)) + "}}";

    assertThrows(IllegalArgumentException.class, () -> Template.parse(text));
  }

  @Test
  void countsPlaceholders() {
    assertEquals(2, Template.parse("{{job}} and {{job}}").count());
    assertEquals(0, Template.parse("no").count());
  }
}
