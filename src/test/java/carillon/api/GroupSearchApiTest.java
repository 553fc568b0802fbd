package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import carillon.access.ApiKeyToken;
import carillon.job.name.JobName;
import carillon.support.JobJson;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Test of the search for jobs in all collections: results, permissions and paging. */
class GroupSearchApiTest extends WithApi {
  private static final ApiKeyToken OPERATOR = ApiKeyToken.random();
  private static final String DAILY = JobJson.get("http://127.0.0.1:9/").every("day").json();

  private ApiClient operator;

  @Override
  protected ApiServer server() {
    return new ApiServer(ApiServer.keys(OPERATOR));
  }

  @BeforeEach
  void becomeTheOperator() {
    operator = api.with("Authorization", "Bearer " + OPERATOR.reveal());
  }

  private void put(String... jobs) {
    for (String job : jobs) {
      String[] names = job.split("/", -1);
      String path = "/jobcollections/" + names[0];
      operator.put(path, "{}");
      operator.put(path + "/jobs/" + names[1], DAILY).assertStatus(201);
    }
  }

  private ApiClient caller(String client, String grants) {
    String order = "{\"client\":\"" + client + "\",\"grants\":[" + grants + "]}";
    String key = operator.post("/keys", order).assertStatus(201).json().getString("key");
    return api.with("Authorization", "Bearer " + key);
  }

  private static List<String> names(JsonObject page) {
    JsonArray value = page.getJsonArray("value");
    return IntStream.range(0, value.size())
        .mapToObj(value::getJsonObject)
        .map(hit -> hit.getString("collection") + "/" + hit.getJsonObject("job").getString("id"))
        .toList();
  }

  private static List<String> find(ApiClient caller, String query) {
    JsonObject page = caller.get("/search?" + query).assertStatus(200).json();
    assertEquals(null, page.getString("nextLink"));
    return names(page);
  }

  @Test
  void jobsOfAllCollectionsAreFoundByCollectionAndName() {
    put("b/Night", "a/night-2", "a/fortnight", "b/day");
    operator.put("/groups/s1/g1/jobcollections/a", "{}");
    operator.put("/groups/s1/g1/jobcollections/a/jobs/night-of-another-group", DAILY);

    assertEquals(List.of("a/fortnight", "a/night-2", "b/Night"), find(operator, "name=NIGHT"));
    assertEquals(List.of("a/night-2", "b/Night"), find(operator, "prefix=night"));
    assertEquals(List.of("b/Night"), find(operator, "prefix=night&$top=100&$skiptoken=default/a"));
    assertEquals(4, find(operator, "state=enabled").size());
    assertEquals(List.of(), find(operator, "lastOutcome=failed"));
    assertEquals(
        List.of("a/night-of-another-group"),
        names(operator.get("/groups/s1/g1/search?name=night").assertStatus(200).json()));
    JsonObject hit =
        operator.get("/search?prefix=day&recent=1").json().getJsonArray("value").getJsonObject(0);
    assertEquals("default", hit.getString("subscription"));
    assertEquals("default", hit.getString("group"));
    assertEquals("none", hit.getString("lastOutcome"));
    assertEquals(new JsonArray(), hit.getJsonArray("recent"));
  }

  @Test
  void jobsOfAllCollectionsAreFoundByLabels() {
    put("a/one", "b/two");
    operator.put(
        "/jobcollections/b/jobs/three", DAILY.replaceFirst("\\{", "{\"labels\":{\"team\":\"x\"},"));

    assertEquals(List.of("b/three"), find(operator, "$filter=labels/team%20eq%20x"));
    assertEquals(List.of(), find(operator, "$filter=labels/team%20eq%20x&name=t&state=faulted"));
  }

  @Test
  void aCallerFindsWhatTheyMayRead() {
    put("orders/sync", "billing/sync", "reports/sync");
    ApiClient one = caller("one", "\"reader:default/default/orders\"");
    ApiClient two =
        caller("two", "\"operator:default/default/reports\",\"writer:default/default/billing\"");

    assertEquals(List.of("orders/sync"), find(one, "name=sync"));
    assertEquals(List.of("orders/sync"), find(one, "prefix=sy"));
    assertEquals(List.of("billing/sync", "reports/sync"), find(two, "name=sync"));
    assertEquals(List.of(), find(caller("other", "\"reader:s1/g1\""), "name=sync"));
    api.get("/search?name=sync").assertStatus(401);
    for (String token : List.of("default/billing/a", "default/billing/", "a/b/c/d", "a")) {
      one.get("/search?name=sync&$skiptoken=" + token)
          .assertStatus(400)
          .assertContains("must be the token of a nextLink of this search");
    }
    assertEquals(List.of(), find(one, "name=sync&$skiptoken=default/orders"));
  }

  /** A token at the end of a collection continues with the next one that the caller may read. */
  @ParameterizedTest
  @ValueSource(strings = {"name=job", "prefix=job", "lastOutcome=none", "state=enabled", "$top=7"})
  void aSearchIsPagedThroughWithoutGapsOrRepeats(String filter) {
    List<String> all = new ArrayList<>();
    for (String collection : List.of("a", "b", "c", "empty", "z")) {
      operator.put("/jobcollections/" + collection, "{}");
      for (int i = 0; i < 9 && !collection.equals("empty"); i++) {
        put(collection + "/job-" + i);
        all.add(collection + "/job-" + i);
      }
    }

    List<String> found = new ArrayList<>();
    String first = "/search?" + filter + (filter.contains("$top") ? "" : "&$top=4");
    for (String path = first; path != null; ) {
      JsonObject page = operator.get(path).assertStatus(200).json();
      found.addAll(names(page));
      String link = page.getString("nextLink");
      path = link == null ? null : link.substring(link.indexOf("/search"));
    }

    assertEquals(all, found);
  }

  /** A request searches a limited number of collections, and the next page continues. */
  @Test
  void aSearchOfManyCollectionsGoesOnWhereItStopped() {
    for (int i = 0; i < 130; i++) {
      operator.put("/jobcollections/c%03d".formatted(i), "{}");
    }
    put("c129/found");

    List<String> found = new ArrayList<>();
    int pages = 0;
    for (String path = "/search?name=found"; path != null; pages++) {
      JsonObject page = operator.get(path).assertStatus(200).json();
      found.addAll(names(page));
      String link = page.getString("nextLink");
      path = link == null ? null : link.substring(link.indexOf("/search"));
    }

    assertEquals(List.of("c129/found"), found);
    assertEquals(3, pages);
  }

  @Test
  void aDamagedJobIsNamedWithItsCollection() {
    put("a/sound", "b/broken");
    String key = "default/default/b/broken";
    api.redis.ask(
        "HSET carillon:{" + JobName.partition(key, 4) + "}:job:" + key + " revision many");

    Answer answer = operator.get("/search?name=o").assertStatus(200);

    assertEquals(List.of("a/sound"), names(answer.json()));
    assertEquals(
        "b/broken", answer.json().getJsonArray("damaged").getJsonObject(0).getString("name"));
    assertFalse(answer.json().containsKey("counts"));
  }

  @ParameterizedTest
  @CsvSource({
    "state=paused, state: 'paused' must be one of",
    "prefix=a&name=b, prefix: must not stand beside name or lastOutcome",
    "$orderby=id, this query parameter is not known",
    "$top=0, $top: '0' must be a whole number"
  })
  void aSearchRefusesWhatItDoesNotKnow(String query, String message) {
    operator.get("/search?" + query).assertStatus(400).assertContains(message);
  }
}
