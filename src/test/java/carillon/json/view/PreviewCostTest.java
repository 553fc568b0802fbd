package carillon.json.view;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.job.name.JobException;
import carillon.json.schedule.CalendarCodec;
import carillon.json.text.SubmissionLimits;
import carillon.recurrence.calendar.CalendarCoverage;
import carillon.recurrence.calendar.CalendarDirectory;
import carillon.support.ProcessorTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Test of the processor time of previews in a warmed-up JVM, as the minimum of several runs. Each
 * limit is five times the goal.
 */
@Tag("alone")
class PreviewCostTest {
  private static final Instant NOW = Instant.parse("2026-11-24T08:00:30Z");
  private static final SubmissionLimits LIMITS =
      SubmissionLimits.documented(Duration.ofSeconds(1), Duration.ofHours(1));
  private static final Duration PREVIEW = Duration.ofMillis(25);
  private static final Duration REFUSAL = Duration.ofMillis(50);
  private static final Duration ANYTHING = Duration.ofMillis(250);

  /** Rules with one occurrence in years or centuries, or with fewer occurrences than requested. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "FREQ=DAILY;INTERVAL=97;BYMONTH=2;BYMONTHDAY=29",
        "FREQ=DAILY;INTERVAL=487;BYMONTH=2",
        "FREQ=MONTHLY;INTERVAL=13;BYMONTHDAY=29;BYDAY=SU;BYMONTH=2",
        "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO",
        "FREQ=YEARLY;INTERVAL=399;BYWEEKNO=53;BYDAY=SU",
        "FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYSETPOS=366",
        "FREQ=YEARLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYSETPOS=MANY",
        "FREQ=WEEKLY;INTERVAL=63;BYMONTH=2;BYDAY=WE,TU,TH;BYSETPOS=2",
        "FREQ=SECONDLY;INTERVAL=40009;BYMONTH=2;BYMONTHDAY=29;BYHOUR=7",
        "FREQ=MINUTELY;INTERVAL=7919;BYMONTH=2;BYMONTHDAY=29;BYHOUR=7;COUNT=1000",
        "FREQ=HOURLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO;BYSETPOS=1"
      })
  void listsAThousandOfWhatIsRare(String rule) {
    String many =
        IntStream.rangeClosed(2, 366).mapToObj(String::valueOf).collect(Collectors.joining(","));
    String json = json("\"rrule\":\"" + rule.replace("MANY", many) + "\"");

    ProcessorTime.assertWithin(PREVIEW, rule, () -> preview(json, CalendarDirectory.EMPTY));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "FREQ=DAILY;INTERVAL=773;BYMONTH=2;BYMONTHDAY=29",
        "FREQ=DAILY;INTERVAL=7;BYDAY=MO;BYMONTH=2;BYMONTHDAY=29",
        "FREQ=HOURLY;INTERVAL=168;BYDAY=MO",
        "FREQ=YEARLY;BYDAY=MO;BYSETPOS=54",
        "FREQ=YEARLY;BYWEEKNO=10;BYMONTH=12;BYDAY=MO",
        "FREQ=MONTHLY;BYMONTHDAY=29;BYDAY=-2MO",
        "FREQ=MONTHLY;INTERVAL=7;BYMONTHDAY=29;BYDAY=-2MO",
        "FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30",
        "FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO;BYSETPOS=366"
      })
  void refusesSoonWhatNeverMatches(String rule) {
    String json = json("\"rrule\":\"" + rule + "\"");

    ProcessorTime.assertWithin(
        REFUSAL,
        rule,
        () -> assertThrows(JobException.class, () -> preview(json, CalendarDirectory.EMPTY)));
  }

  /** The search for rare occurrences was once repeated for each frequent occurrence. */
  @Test
  void severalRulesTogetherCostWhatTheyCostOneByOne() {
    String rules =
        IntStream.range(0, 7)
            .mapToObj(i -> "\"RRULE:FREQ=DAILY;INTERVAL=9%d;BYMONTH=2;BYMONTHDAY=29\"".formatted(i))
            .collect(Collectors.joining(","));
    String json = json("\"rrule\":[\"RRULE:FREQ=DAILY\"," + rules + "]");

    ProcessorTime.assertWithin(ANYTHING, json, () -> preview(json, CalendarDirectory.EMPTY));
    ProcessorTime.assertWithin(
        ANYTHING, json, () -> new Explanation(LIMITS).answer(json.getBytes(UTF_8), NOW));
  }

  @Test
  void severalRulesOfElapsedTimeDoSo() {
    String rules =
        IntStream.range(0, 7)
            .mapToObj(
                i ->
                    "\"RRULE:FREQ=SECONDLY;INTERVAL=4000%d;BYHOUR=7;BYMINUTE=1;COUNT=1000\""
                        .formatted(i))
            .collect(Collectors.joining(","));
    String json = json("\"rrule\":[\"RRULE:FREQ=SECONDLY;BYSECOND=1\"," + rules + "]");

    ProcessorTime.assertWithin(ANYTHING, json, () -> preview(json, CalendarDirectory.EMPTY));
    ProcessorTime.assertWithin(
        ANYTHING, json, () -> new Explanation(LIMITS).answer(json.getBytes(UTF_8), NOW));
  }

  @ParameterizedTest
  @ValueSource(strings = {"skip", "after", "nextDay", "previousDay"})
  void calendarsOfRareTimesCostLittle(String onExcluded) {
    String calendar =
        "{\"timeZone\":\"Europe/Berlin\",\"spans\":[{\"cron\":\"0 9 29 2 *\",\"lasts\":\"PT8H\"}]}";
    CalendarDirectory calendars =
        new CalendarDirectory(
            Map.of(
                "default/default/c",
                new CalendarCoverage("c", CalendarCodec.read(calendar.getBytes(UTF_8), "c"))));
    String json =
        json("\"cron\":\"0 9 * * *\"")
            .replace(
                "\"top\"",
                "\"calendars\":{\"only\":[\"c\"],\"onExcluded\":\"" + onExcluded + "\"},\"top\"");

    ProcessorTime.assertWithin(
        ANYTHING,
        onExcluded,
        () -> {
          try {
            preview(json, calendars);
          } catch (JobException e) {
            assertTrue(e.getMessage().matches("(top|calendars): .*"), e::getMessage);
          }
        });
  }

  private static String json(String recurrence) {
    return "{\"startTime\":\"2027-01-01T00:00:00\",\"timeZone\":\"Europe/Berlin\",\"recurrence\":{"
        + recurrence
        + "},\"top\":1000}";
  }

  private static void preview(String json, CalendarDirectory calendars) {
    new Preview(LIMITS).answer(json.getBytes(UTF_8), NOW, calendars);
  }
}
