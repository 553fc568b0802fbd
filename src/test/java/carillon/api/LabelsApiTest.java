package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

import carillon.job.JobName;
import io.vertx.core.json.JsonObject;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** {@code description} and {@code labels} of jobs. */
class LabelsApiTest extends WithScheduleFormat {
  private static String labelled(String labels) {
    return daily().with("labels", new JsonObject(labels.replace('`', '"'))).json();
  }

  private static String hash(String job) {
    String key = "default/default/default/" + job;
    return "carillon:{" + JobName.partition(key, 4) + "}:job:" + key;
  }

  private JsonObject labels(String job) {
    return get(JOBS + job).getJsonObject("labels");
  }

  @Test
  void aJobIsAnsweredAsItWasGiven() {
    put("j", daily().with("description", "Sends\nthe bills").json());
    assertEquals("Sends\nthe bills", get(JOBS + "j").getString("description"));
    assertEquals(List.of("3"), api.redis.list("HGET carillon:meta schema"));

    put("j", labelled("{`team`:`billing`,`env`:`prod`}"));
    assertEquals(new JsonObject("{\"env\":\"prod\",\"team\":\"billing\"}"), labels("j"));
    assertNull(get(JOBS + "j").getString("description"));
  }

  @Test
  void aJobWithoutThemStoresAndAnswersNothingNew() {
    put("j", daily().with("labels", new JsonObject()).json());

    assertFalse(get(JOBS + "j").containsKey("labels"));
    assertFalse(get(JOBS + "j").containsKey("description"));
    assertFalse(api.redis.ask("HGET " + hash("j") + " definition").contains("labels"));
    assertEquals(List.of("2"), api.redis.list("HGET carillon:meta schema"));
  }

  @Test
  void aPatchChangesSingleLabels() {
    put("j", labelled("{`team`:`billing`,`env`:`prod`,`ref`:`a`}"));

    api.patch(JOBS + "j", "{`labels`:{`env`:null,`ref`:`b`,`new`:`c`},`description`:`d`}")
        .assertStatus(200);
    assertEquals(new JsonObject("{\"new\":\"c\",\"ref\":\"b\",\"team\":\"billing\"}"), labels("j"));

    api.patch(JOBS + "j", "{`labels`:null,`description`:null}").assertStatus(200);
    assertNull(labels("j"));
    assertNull(get(JOBS + "j").getString("description"));
    String full =
        "{`labels`:{"
            + String.join(",", IntStream.range(0, 16).mapToObj(i -> "`l" + i + "`:`v`").toList())
            + "}}";
    api.patch(JOBS + "j", full).assertStatus(200);
    api.patch(JOBS + "j", "{`labels`:{`one-more`:`v`}}")
        .assertStatus(400)
        .assertContains("labels: 17 are more than the 16 allowed");
  }

  @Test
  void theArmDialectHasThemAmongTheProperties() {
    api.put(
            arm("j"),
            "{`properties`:{`action`:{`type`:`http`,`request`:{`uri`:`http://127.0.0.1:9/`,"
                + "`method`:`GET`}},`labels`:{`team`:`billing`},`description`:`d`}}")
        .assertStatus(201)
        .assertContains("`properties`:{`labels`:{`team`:`billing`},`description`:`d`,");

    assertEquals(new JsonObject("{\"team\":\"billing\"}"), labels("j"));
  }

  @Test
  void aCallCanHaveThem() {
    JsonObject job =
        api.post("/call", "{`url`:`http://127.0.0.1:9/`,`in`:`1h`,`labels`:{`team`:`billing`}}")
            .assertStatus(201)
            .json();

    assertEquals(new JsonObject("{\"team\":\"billing\"}"), job.getJsonObject("labels"));
  }

  @Test
  void aJobWhoseLabelsAnOlderNodeWouldLoseIsRefused() {
    joinOldNode();

    api.put(JOBS + "j", labelled("{`team`:`billing`}"))
        .assertError(
            409,
            "Conflict",
            "labels: node 'old' runs version 0.1.0, which does not know it; upgrade it first");
    api.put(JOBS + "j", daily().with("description", "d").json())
        .assertError(
            409,
            "Conflict",
            "description: node 'old' runs version 0.1.0, which does not know it; upgrade it first");
  }
}
