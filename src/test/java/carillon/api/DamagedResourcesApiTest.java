package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Test of a flow or calendar with a damaged record in Redis. Others are listed, the damage is
 * reported, and a client can repair it.
 */
class DamagedResourcesApiTest extends WithScheduledJobs {
  private static final String AT = "2026-11-20T18:00:00Z";
  private static final String BODY = "{`spans`:[{`date`:`2026-12-25`}]}";

  private static String body(String kind) {
    return kind.equals("calendars") ? BODY : "{`parallelism`:2}";
  }

  private void damage(String kind, String record) {
    for (String name : new String[] {"a", "x", "z"}) {
      api.put("/" + kind + "/" + name, body(kind)).assertStatus(201);
    }
    api.redis.ask(
        "HSET carillon:" + kind + " default/default/x '" + record.replace("AT", AT) + "'");
  }

  @ParameterizedTest
  @CsvSource({
    "flows, secret, '<revision> <created> <modified> <name> <definition>'",
    "flows, x AT AT default/default/x {}, its field 'revision' holds 'x'",
    "flows, -5 AT AT default/default/x {}, its field 'revision' holds '-5'",
    "flows, 99999999999999999999 AT AT default/default/x {}, its field 'revision' holds '99999999999999999999'",
    "flows, 5 ever AT default/default/x {}, its field 'created' holds 'ever'",
    "flows, 5 AT ever default/default/x {}, its field 'modified' holds 'ever'",
    "flows, 5 AT AT default/default/y {}, its field 'name' holds 'default/default/y'",
    "flows, 5 AT AT x {}, its field 'name' holds 'x'",
    "flows, 5 AT AT default/default/x {, its field 'definition'",
    "calendars, nonsense, '<revision> <created> <modified> <name> <definition>'",
    "calendars, 5 ever AT default/default/x {}, its field 'created' holds 'ever'",
    "calendars, 5 AT AT default/default/x {, its field 'definition'",
    "calendars, 5 AT AT default/default/x [], its field 'definition'",
  })
  void aDamagedOneIsNamedByTheListSaysSoAndIsPutAnewOrDeleted(
      String kind, String record, String reason) {
    String path = "/" + kind + "/x";
    damage(kind, record);

    JsonObject list = api.get("/" + kind).assertStatus(200).json();
    assertEquals(2, list.getJsonArray("value").size(), list::encode);
    JsonObject damaged = list.getJsonArray("damaged").getJsonObject(0);
    assertEquals("x", damaged.getString("name"));
    assertTrue(damaged.getString("reason").contains(reason), list::encode);
    JsonObject page = api.get("/" + kind + "?$top=1").assertStatus(200).json();
    assertEquals("a", page.getJsonArray("value").getJsonObject(0).getString("name"));
    api.get(path).assertStatus(500).assertContains(reason);
    api.get(path)
        .assertContains(kind.equals("flows") ? "`code`:`FlowDamaged`" : "`code`:`CalendarDamaged`")
        .assertContains(" 'x' is damaged in Redis: ")
        .assertContains(". PUT it anew or DELETE it.");
    api.get("/" + kind + "/a").assertStatus(200);
    api.get("/overview").assertStatus(200);

    api.put(path, body(kind), "If-None-Match", "*").assertStatus(412);
    api.put(path, body(kind), "If-Match", "*").assertStatus(200);
    api.get(path).assertStatus(200).assertContains("`name`:`x`");
    assertEquals(3, get("/" + kind).getJsonArray("value").size());

    api.redis.ask("HSET carillon:" + kind + " default/default/x '" + record + "'");
    api.delete(path).assertStatus(200);
    api.get(path).assertStatus(404);
    api.get("/" + kind).assertStatus(200).assertLacks("damaged");
  }

  @Test
  void anUnreadableCalendarIsReportedAndItsNameRefused() {
    damage("calendars", "5 AT AT default/default/x {");
    api.redis.ask("HINCRBY carillon:calendars revision 1");

    api.get("/overview")
        .assertStatus(200)
        .assertContains("`what`:`Calendar 'x' cannot be read`")
        .assertContains("`link`:`/calendars`");
    api.put(
            JOBS + "j",
            "{`action`:{`type`:`http`,`request`:{`uri`:`http://127.0.0.1:9/`,`method`:`GET`}},"
                + "`recurrence`:{`frequency`:`day`},`calendars`:{`exclude`:`x`}}")
        .assertError(
            400, "BadRequest", "calendars.exclude: 'x' cannot be read from Redis; put it again");
    api.put("/calendars/x", BODY).assertStatus(200);
  }

  @ParameterizedTest
  @CsvSource({"flows, x", "calendars, x", "calendars, 99999999999999999999"})
  void theNumberOfChangesIsMendedByTheNextChange(String kind, String value) {
    damage(kind, "5 AT AT default/default/x {}");
    api.redis.ask("HSET carillon:" + kind + " revision " + value);

    api.get("/" + kind).assertStatus(200);
    api.put("/" + kind + "/x", body(kind)).assertStatus(200);
    api.redis.ask("HSET carillon:" + kind + " revision " + value);
    api.delete("/" + kind + "/x").assertStatus(200);

    assertTrue(api.redis.ask("HINCRBY carillon:" + kind + " revision 0").matches(":\\d{13}"));
  }

  @Test
  void aFlowWithADamagedStateAndLogIsReadAllTheSame() {
    api.put("/flows/f", "{`breaker`:{`consecutive`:3}}").assertStatus(201);
    api.redis.ask(
        "HSET carillon:flow:default/default/f breaker x until x slots:n x minute x retry_at x"
            + " begun_since x");
    api.redis.ask("LPUSH carillon:flow-log:default/default/f x");

    for (String path : List.of("/flows/f", "/flows", "/flows/f/log", "/overview", "/due")) {
      api.get(path).assertStatus(200);
    }
    api.post("/flows/f/reset", null).assertStatus(200);
  }

  @ParameterizedTest
  @CsvSource({"secret", "5 AT AT default/default/x {"})
  void aFlowThatCannotBeReadAdmitsNoCall(String record) {
    damage("flows", record);

    api.put(
            JOBS + "j",
            "{`action`:{`type`:`http`,`flow`:`x`,`request`:{`uri`:`http://127.0.0.1:9/`,"
                + "`method`:`GET`}},`startTime`:`2026-12-25T10:00:00Z`}")
        .assertStatus(500)
        .assertContains("`code`:`FlowDamaged`");
  }
}
