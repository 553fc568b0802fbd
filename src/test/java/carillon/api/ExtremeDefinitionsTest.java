package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Test of jobs at and beyond the limits of every number, instant and duration. They must be refused
 * or remain readable.
 */
class ExtremeDefinitionsTest extends WithCollection {
  private static final int DEFINITIONS = 600;
  private static final String LISTED = ARM + "/a/jobs";
  private static final String CLASSIC =
      "/s1/cloudservices/g1/resources/scheduler/~/jobcollections/a/jobs";

  private static final List<String> DURATIONS =
      words(
          """
          P999999999Y P200000Y P9999M PT999999999H P999999999DT999999999S P29247D P3660D P0D
          PT0.000000001S PT0.0009S PT0.001S PT1.999999999S 99999999.23:59:59.9999999
          10675199.02:48:05.4775807 00:00:00.0000001 PT1M PT9223372036854775807S P-1D
          """);
  private static final List<String> INSTANTS =
      words(
          """
          0000-01-01T00:00:00Z 0001-01-01T00:00:00Z 1582-10-04T00:00:00Z
          1969-12-31T23:59:59.9999999Z 2027-02-28T23:59:60Z 2028-02-29T00:00:00+14:00
          9999-12-31T23:59:59.9999999Z 9999-12-31T23:59:59-18:00 +10000-01-01T00:00:00Z
          +999999999-12-31T23:59:59Z -999999999-01-01T00:00:00Z
          """);
  private static final List<String> NUMBERS =
      words(
          """
          0 1 -1 20 1000 2147483647 2147483648 9223372036854775808 1e9 1e400 0.5
          1.0000000000000000000001 -0
          """);
  private static final List<String> FREQUENCIES =
      List.of("second", "minute", "hour", "day", "week", "month", "year");

  private final Random random = new Random(1);

  @Test
  void whatIsAcceptedIsReadableInEveryDialect() {
    api.put(ARM + "/a" + VERSION, "{`location`:`x`}");
    int accepted = 0;
    for (int i = 0; i < DEFINITIONS; i++) {
      String definition = definition();

      Answer put = api.put(J, definition);

      assertTrue(put.status() < 500, () -> put.body() + " of " + definition);
      if (put.status() < 300) {
        accepted++;
        assertReadable(C + "/jobs/j", definition);
        assertReadable(C + "/jobs", definition);
        assertReadable(C + "/search", definition);
        assertReadableElsewhere(definition);
      } else {
        assertTrue(put.body().contains(": "), () -> put.body() + " of " + definition);
      }
    }
    assertTrue(accepted > DEFINITIONS / 20, "accepted " + accepted);
  }

  private void assertReadableElsewhere(String definition) {
    Answer put = api.put(LISTED + "/j" + VERSION, "{`properties`:" + definition + "}");
    if (put.status() < 300) {
      assertReadable(LISTED + "/j" + VERSION, definition);
      assertReadable(LISTED + VERSION, definition);
      assertReadable(CLASSIC + "/j", definition);
      assertReadable(CLASSIC, definition);
    }
  }

  private void assertReadable(String path, String definition) {
    Answer answer = api.get(path, "x-ms-version", "2013-03-01");
    assertEquals(200, answer.status(), () -> path + ": " + answer.body() + " of " + definition);
  }

  @Test
  void aDurationBeyondItsBoundIsRefusedWithFieldValueAndRule() {
    Answer put = api.put(J, "{" + bus("\"timeToLive\":\"P999999999Y\"", "") + "}");

    put.assertStatus(400);
    put.assertContains(
        "action.serviceBusQueueMessage.brokeredMessageProperties.timeToLive: 'P999999999Y'"
            + " must be at least a millisecond and at most 10675199 days");
  }

  private String definition() {
    return "{"
        + (random.nextBoolean() ? http() : bus(brokered(), retry()))
        + maybe("startTime", quoted(INSTANTS))
        + maybe("recurrence", recurrence())
        + "}";
  }

  private String http() {
    return "\"action\":{\"type\":\"http\",\"request\":{\"uri\":\"http://127.0.0.1:9/\",\"method\":\"GET\"}"
        + retry()
        + "}";
  }

  private static String bus(String brokered, String retry) {
    return "\"action\":{\"type\":\"serviceBusQueue\",\"serviceBusQueueMessage\":{\"queueName\":\"q\","
        + "\"namespace\":\"contoso\",\"message\":\"m\",\"authentication\":{\"type\":\"sharedAccessKey\","
        + "\"sasKeyName\":\"k\",\"sasKey\":\"s\"},\"brokeredMessageProperties\":{"
        + brokered
        + "}}"
        + retry
        + "}";
  }

  private String brokered() {
    return "\"label\":\"l\""
        + maybe("timeToLive", quoted(DURATIONS))
        + maybe("scheduledEnqueueTimeUtc", quoted(INSTANTS));
  }

  private String retry() {
    if (random.nextInt(3) > 0) {
      return "";
    }
    return ",\"retryPolicy\":{\"retryType\":\""
        + (random.nextBoolean() ? "fixed" : "exponential")
        + "\""
        + maybe("retryInterval", quoted(DURATIONS))
        + rarely("retryMaxInterval", quoted(DURATIONS))
        + rarely("retryMaxDuration", quoted(DURATIONS))
        + rarely("retryCount", one(NUMBERS))
        + rarely("retryFactor", one(NUMBERS))
        + "}";
  }

  private String recurrence() {
    return "{\"frequency\":"
        + quoted(FREQUENCIES)
        + rarely("interval", one(NUMBERS))
        + rarely("count", one(NUMBERS))
        + rarely("endTime", quoted(INSTANTS))
        + "}";
  }

  private String maybe(String name, String value) {
    return random.nextBoolean() ? ",\"" + name + "\":" + value : "";
  }

  private String rarely(String name, String value) {
    return random.nextInt(4) == 0 ? ",\"" + name + "\":" + value : "";
  }

  private String quoted(List<String> texts) {
    return "\"" + one(texts) + "\"";
  }

  private static List<String> words(String text) {
    return List.of(text.split("\\s+"));
  }

  private String one(List<String> texts) {
    return texts.get(random.nextInt(texts.size()));
  }
}
