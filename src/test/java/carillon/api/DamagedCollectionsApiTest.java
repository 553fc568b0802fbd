package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Test of a collection with a damaged hash in Redis. Other collections work, the damage is
 * reported, and a client can repair it.
 */
class DamagedCollectionsApiTest extends WithCollection {
  private static final String DAMAGED = "/jobcollections/x1";
  private static final String KEY = "carillon:collection:default/default/x1";

  @BeforeEach
  void putAnother() {
    api.put(DAMAGED, "{}");
    api.put(DAMAGED + "/jobs/there", ONCE).assertStatus(201);
    api.put(C + "/jobs/j", ONCE).assertStatus(201);
  }

  private void damage(String field, String value) {
    api.redis.ask("HSET " + KEY + " " + field + " " + value);
    // The rules of a collection are cached for a second.
    api.moveTo(ApiServer.START.plusSeconds(10));
  }

  @ParameterizedTest
  @CsvSource({
    "created, nonsense",
    "modified, nonsense",
    "definition, nonsense",
    "revision, nonsense",
    "epoch, nonsense",
    "epoch, -1",
    "epoch, 9007199254740993",
    "epoch, 99999999999999999999",
    "revision, -5",
    "revision, 99999999999999999999",
    "maxJobs, -1",
    "maxJobs, nonsense",
    "name, x",
    "name, default/default/other",
  })
  void aDamagedFieldIsToldAndHidesNoOtherCollection(String field, String value) {
    damage(field, value);

    Answer list = api.get("/jobcollections").assertStatus(200);
    assertEquals(1, list.json().getJsonArray("value").size(), list::body);
    JsonObject damaged = list.json().getJsonArray("damaged").getJsonObject(0);
    assertEquals("x1", damaged.getString("name"));
    assertTrue(damaged.getString("reason").contains("'" + field + "'"), list::body);
    api.get(ARM.replace("/s1/", "/default/").replace("/g1/", "/default/") + VERSION)
        .assertStatus(200)
        .assertContains("`damaged`:[{`name`:`x1`");
    JsonObject overview = api.get("/overview").assertStatus(200).json();
    assertEquals(2, overview.getInteger("collections"));
    assertEquals(2, overview.getJsonObject("jobs").getInteger("enabled"));
    String attention = overview.getJsonArray("attention").encode();
    assertTrue(attention.contains("Collection 'x1' is damaged"), attention);
    assertTrue(attention.contains("'" + field + "'"), attention);
    api.get("/search").assertStatus(200).assertContains("`there`").assertContains("`j`");
    for (String classic : new String[] {"", "/default"}) {
      Answer services =
          api.get("/default/cloudservices" + classic, "x-ms-version", "2013-03-01")
              .assertStatus(200);
      String warning = services.header("Warning");
      assertTrue(warning.startsWith("199 - \"collection 'x1' is damaged: "), warning);
      assertTrue(warning.contains("'" + field + "'"), warning);
    }
    assertTrue(list.header("Warning").startsWith("199 - \"collection 'x1' is damaged: "));
  }

  @ParameterizedTest
  @CsvSource({
    "created, nonsense",
    "definition, nonsense",
    "revision, nonsense",
    "epoch, nonsense",
    "epoch, -1",
    "epoch, 9007199254740993",
    "epoch, 99999999999999999999",
    "revision, -5",
    "revision, 99999999999999999999",
    "maxJobs, -1",
    "maxJobs, nonsense",
    "name, x",
  })
  void aDamagedCollectionSaysSoAndCanBePutAnew(String field, String value) {
    damage(field, value);

    for (Answer answer :
        new Answer[] {
          api.get(DAMAGED),
          api.send("PATCH", DAMAGED, "{`state`:`disabled`}"),
          api.put(DAMAGED + "/jobs/other", ONCE),
          api.get(DAMAGED + "/jobs"),
        }) {
      answer.assertStatus(500).assertContains("`code`:`CollectionDamaged`");
      answer.assertContains("Job collection 'x1' is damaged in Redis: its field '" + field + "'");
    }
    api.put(DAMAGED, "{}").assertStatus(200);
    api.get(DAMAGED).assertStatus(200).assertContains("`name`:`x1`");
    api.get(DAMAGED + "/jobs/there").assertStatus(200);
    api.put(DAMAGED + "/jobs/other", ONCE).assertStatus(201);
    api.get("/jobcollections").assertLacks("damaged");
    api.delete(DAMAGED).assertStatus(200);
    api.get(DAMAGED + "/jobs/there").assertStatus(404);
    api.put(DAMAGED, "{}").assertStatus(201);
    api.put(DAMAGED + "/jobs/there", ONCE).assertStatus(201);
  }

  @ParameterizedTest
  @ValueSource(strings = {"created", "definition", "revision", "maxJobs", "name"})
  void aDamagedCollectionCanBeDeleted(String field) {
    damage(field, "x");

    api.delete(DAMAGED).assertStatus(200);

    api.get(DAMAGED).assertStatus(404);
    assertEquals(1, api.get("/jobcollections").json().getJsonArray("value").size());
  }

  @Test
  void aCloudServiceWithADamagedCollectionAloneIsThere() {
    damage("created", "nonsense");
    api.delete(C).assertStatus(200);

    for (String classic : new String[] {"", "/default"}) {
      Answer services =
          api.get("/default/cloudservices" + classic, "x-ms-version", "2013-03-01")
              .assertStatus(200)
              .assertContains("default");
      assertTrue(services.header("Warning").contains("'x1' is damaged"), services::body);
    }
  }

  @Test
  void aCloudServiceWithADamagedCollectionCanBeDeleted() {
    damage("created", "nonsense");
    api.delete(C).assertStatus(200);

    api.delete("/default/cloudservices/default", "x-ms-version", "2013-03-01").assertStatus(202);

    api.get(DAMAGED).assertStatus(404);
  }

  @Test
  void aCollectionWithoutAnEpochThatCanBeReadIsNotDeletedAndSaysWhy() {
    damage("epoch", "nonsense");

    api.delete(DAMAGED)
        .assertError(
            500,
            "CollectionDamaged",
            "Job collection 'x1' is damaged in Redis: its field 'epoch' holds 'nonsense'. PUT it"
                + " anew.");
  }

  @Test
  void aCollectionWhoseKeyHoldsAnotherTypeHidesNoOther() {
    api.redis.ask("DEL " + KEY);
    api.redis.ask("SET " + KEY + " x");

    api.get("/jobcollections")
        .assertStatus(200)
        .assertContains("`damaged`:[{`name`:`x1`,`reason`:`its key holds no hash`}]");
    api.get("/overview").assertStatus(200).assertContains("Collection 'x1' is damaged");
  }
}
