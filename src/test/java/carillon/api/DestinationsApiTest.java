package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Test of the destinations that all nodes called recently. */
class DestinationsApiTest extends WithDefaultCollection {
  private static final String SLOW = "0,0,0,0,0,0,0,0,0,0,0,2,0,0,0,0,0";
  private static final String QUICK = "0,5,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0";
  private static final String NO_TIME = "0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0";

  private void noted(String minute, String node, String text) {
    api.redis.eval(
        "return tostring(redis.call('HSET', 'carillon:destinations:2026-11-20T"
            + minute
            + ":00Z', '"
            + node
            + "', '"
            + text
            + "'))");
  }

  @Test
  void whatTheNodesNotedIsToldTogether() {
    noted("17:45", "a", "gone.example:443 9 9 9 " + QUICK);
    noted("17:46", "a", "crm.example:443 5 0 3 " + QUICK);
    noted("17:59", "a", "crm.example:443 0 2 4 " + SLOW + "\\nold.example:80 0 0 2 " + NO_TIME);
    noted("18:00", "a", "crm.example:443 0 0 1 " + NO_TIME);
    noted("18:00", "b", "erp.example:443 1 0 0 " + QUICK + "\\ncrm.example:443 1 0 1 " + QUICK);
    noted("18:00", "c", "crm.example:443 of another version");

    JsonObject answer = get("/destinations");

    assertEquals("2026-11-20T17:46:00Z", answer.getString("from"));
    assertTrue(answer.getBoolean("allDestinations"));
    JsonArray value = answer.getJsonArray("value");
    assertEquals(2, value.size(), value::encodePrettily);
    JsonObject crm = value.getJsonObject(0);
    assertEquals("crm.example:443", crm.getString("destination"));
    assertEquals(6, crm.getInteger("completed"));
    assertEquals(2, crm.getInteger("failed"));
    assertEquals(2, crm.getInteger("inFlight"), "as each node noted it last");
    assertEquals(0.002, crm.getDouble("durationP50"));
    assertEquals(5.0, crm.getDouble("durationP99"));
    assertEquals(15, crm.getJsonArray("completedByMinute").size());
    assertEquals(5, crm.getJsonArray("completedByMinute").getInteger(0));
    assertEquals(2, crm.getJsonArray("failedByMinute").getInteger(13));
    assertEquals(1, crm.getJsonArray("completedByMinute").getInteger(14));
    assertEquals("erp.example:443", value.getJsonObject(1).getString("destination"));
  }

  @Test
  void aDestinationTellsWhichFlowsNameIt() {
    noted("18:00", "a", "api.crm.example:443 1 0 0 " + QUICK + "\\nother 1 0 0 " + QUICK);
    api.put("/flows/below", "{`match`:[`*.crm.example`],`rate`:{`limit`:5}}").assertStatus(201);
    api.put("/flows/elsewhere", "{`match`:[`crm.example`],`rate`:{`limit`:5}}").assertStatus(201);
    api.put("/flows/named", "{`rate`:{`limit`:5}}").assertStatus(201);
    api.post("/flows/below/pause", "{}").assertStatus(200);

    JsonArray value = get("/destinations").getJsonArray("value");

    JsonArray flows = value.getJsonObject(0).getJsonArray("flows");
    assertEquals(
        List.of(
            new JsonObject()
                .put("subscription", "default")
                .put("group", "default")
                .put("flow", "below")
                .put("breaker", "closed")
                .put("paused", true)),
        flows.stream().toList());
    assertEquals("other", value.getJsonObject(1).getString("destination"));
    assertTrue(value.getJsonObject(1).getJsonArray("flows").isEmpty());
  }

  @Test
  void aDestinationHasTheBreakerThatStopsItsOwnCalls() {
    noted(
        "18:00", "a", "api.crm.example:443 2 0 0 " + QUICK + "\\nb.crm.example:443 1 0 0 " + QUICK);
    api.put("/flows/crm", "{`match`:[`*.crm.example`],`breaker`:{`consecutive`:5}}")
        .assertStatus(201);
    api.redis.eval(
        "return tostring(redis.call('HSET', 'carillon:flow:default/default/crm',"
            + " 'breaker@b.crm.example:443', 'open', 'seen@b.crm.example:443', '1'))");

    JsonArray value = get("/destinations").getJsonArray("value");

    assertEquals(List.of("closed"), breakers(value.getJsonObject(0)));
    assertEquals(List.of("open"), breakers(value.getJsonObject(1)));
  }

  private static List<String> breakers(JsonObject destination) {
    return destination.getJsonArray("flows").stream()
        .map(flow -> ((JsonObject) flow).getString("breaker"))
        .toList();
  }

  @Test
  void eachFlowThatNamesADestinationIsToldOnceByName() {
    noted("18:00", "a", "api.crm.example:443 1 0 0 " + QUICK + "\\ncrm.example:80 1 0 0 " + QUICK);
    match("both", "`*.crm.example`,`api.crm.example:443`");
    match("all", "`*.example:443`,`crm.example`");
    match("port", "`api.crm.example:444`");
    match("tail", "`*.rm.example`");

    JsonArray value = get("/destinations").getJsonArray("value");

    assertEquals(List.of("all", "both"), flows(value.getJsonObject(0)));
    assertEquals(List.of("all"), flows(value.getJsonObject(1)));
  }

  private void match(String flow, String patterns) {
    api.put("/flows/" + flow, "{`match`:[" + patterns + "],`rate`:{`limit`:5}}").assertStatus(201);
  }

  private static List<String> flows(JsonObject destination) {
    return destination.getJsonArray("flows").stream()
        .map(flow -> ((JsonObject) flow).getString("flow"))
        .toList();
  }

  @Test
  void ofManyDestinationsThoseWithTheMostAttemptsAreTold() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 600; i++) {
      text.append("h%03d.example:443 %d 0 0 %s\\n".formatted(i, i + 1, QUICK));
    }
    noted("18:00", "a", text.toString());
    match("last", "`h599.example`");

    JsonObject answer = get("/destinations");

    JsonArray value = answer.getJsonArray("value");
    assertFalse(answer.getBoolean("allDestinations"));
    assertEquals(500, value.size());
    assertEquals("h599.example:443", value.getJsonObject(0).getString("destination"));
    assertEquals(List.of("last"), flows(value.getJsonObject(0)));
    assertEquals("h100.example:443", value.getJsonObject(499).getString("destination"));
  }

  @Test
  void nothingIsToldWhereNothingWasCalled() {
    assertTrue(get("/destinations").getJsonArray("value").isEmpty());
    assertFalse(api.get("/destinations?of=all").status() == 200);
  }
}
