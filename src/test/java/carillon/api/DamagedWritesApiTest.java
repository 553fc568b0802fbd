package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Test of changes while a key has the wrong type. The change is made and reports the damage, or it
 * is refused with the key's name before anything is written.
 */
class DamagedWritesApiTest extends WithScheduledJobs {
  private static final String CALENDAR = "{`spans`:[{`date`:`2026-12-25`}]}";
  private static final String JOB =
      "{`action`:{`type`:`http`,`flow`:`f`,`request`:{`uri`:`http://127.0.0.1:9/`,"
          + "`method`:`GET`}},`startTime`:`2026-12-25T10:00:00Z`,`recurrence`:{`frequency`:`day`},"
          + "`calendars`:{`exclude`:`c`}}";

  /** Request, and the path that reads the changed resource. */
  private record Change(String method, String path, String body, String read) {
    Change(String method, String path, String body) {
      this(method, path, body, path);
    }
  }

  private static final List<Change> CHANGES =
      List.of(
          new Change("PUT", "/calendars/c", CALENDAR),
          new Change("PUT", "/calendars/c", CALENDAR.replace("25", "26")),
          new Change("PUT", "/flows/f", "{`collections`:`*`,`parallelism`:2}"),
          new Change("PATCH", "/flows/f", "{`parallelism`:3}"),
          new Change("POST", "/flows/f/pause", "{}", "/flows/f"),
          new Change("POST", "/flows/f/resume", "", "/flows/f"),
          new Change("POST", "/flows/f/reset", "", "/flows/f"),
          new Change("PUT", "/jobcollections/d", "{}"),
          new Change("PATCH", "/jobcollections/d", "{`state`:`disabled`}"),
          new Change("PATCH", "/jobcollections/d", "{`state`:`enabled`}"),
          new Change("PUT", "/jobcollections/d/jobs/j", JOB),
          new Change("PATCH", "/jobcollections/d/jobs/j", "{`description`:`x`}"),
          new Change("POST", "/jobcollections/d/jobs/j/disable", "", "/jobcollections/d/jobs/j"),
          new Change("POST", "/jobcollections/d/jobs/j/enable", "", "/jobcollections/d/jobs/j"),
          new Change("DELETE", "/jobcollections/d/jobs/j", ""),
          new Change("DELETE", "/jobcollections/d", ""),
          new Change("DELETE", "/calendars/c", ""),
          new Change("DELETE", "/flows/f", ""));

  private String read(Change change) {
    return api.get(change.read).body().replaceFirst("\"requestId\".*", "");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "notices",
        "audit",
        "{0}:audit",
        "{1}:audit",
        "{2}:audit",
        "{3}:audit",
        "gates",
        "{1}:gates",
        "gatechanges",
        "cleanup",
        "calendarchanges",
        "collections:default",
        "flow-log:default/default/f",
        "flow:default/default/f"
      })
  void aChangeIsMadeAndAnsweredOrRefusedBefore(String name) {
    String key = "carillon:" + name;
    for (Change change : CHANGES) {
      String before = read(change);
      List<String> kept = api.redis.list("KEYS " + key);
      if (!kept.isEmpty()) {
        api.redis.ask("RENAME " + key + " kept");
      }
      api.redis.ask("SET " + key + " x");
      Answer answer = api.send(change.method, change.path, change.body);

      String said = change.method + " " + change.path + ": " + answer.body();
      if (api.redis.ask("TYPE " + key).equals("+string")) {
        api.redis.ask("DEL " + key);
        if (!kept.isEmpty()) {
          api.redis.ask("RENAME kept " + key);
        }
      }
      if (answer.status() >= 300) {
        assertTrue(answer.body().contains("StoreDamaged"), said);
        assertTrue(answer.body().contains("'" + key + "'"), said);
        assertEquals(before, read(change), said);
        int status = api.send(change.method, change.path, change.body).status();
        assertTrue(status < 300, said);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"notices", "audit", "{0}:audit", "{1}:audit", "{2}:audit", "{3}:audit"})
  void aStreamThatAcceptsNoMoreEntriesHindersNoChange(String name) {
    String key = "carillon:" + name;
    for (Change change : CHANGES) {
      api.redis.ask("DEL " + key);
      api.redis.ask("XADD " + key + " 18446744073709551615-18446744073709551615 a b");

      Answer answer = api.send(change.method, change.path, change.body);

      assertTrue(answer.status() < 300, change.method + " " + change.path + ": " + answer.body());
    }
  }
}
