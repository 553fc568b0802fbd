package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.access.ApiKeyToken;
import carillon.job.name.JobName;
import carillon.support.JobJson;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("redis")
class AuditApiTest {
  private static final ApiKeyToken OPERATOR = ApiKeyToken.random();
  private static final String COLLECTION = "/jobcollections/c";
  private static final String JOB = COLLECTION + "/jobs/J";

  @AutoClose private static ApiServer api;

  @BeforeAll
  static void start() {
    api = new ApiServer(ApiServer.keys(OPERATOR));
  }

  @BeforeEach
  void collection() {
    api.redis.flush();
    does(201, "PUT", COLLECTION, "{}");
  }

  private static ApiClient as(String key) {
    return api.with("api-key", key, "Content-Type", "application/json", "x-ms-version", "1");
  }

  private static String does(int status, String method, String path, String body) {
    Answer answer = as(OPERATOR.reveal()).send(method, path, body);
    assertEquals(status, answer.status(), () -> method + " " + path + ": " + answer.body());
    return answer.body();
  }

  private static String definition(String uri) {
    return JobJson.get(uri).every("day").json();
  }

  private static List<JsonObject> audit(String filter) {
    String query = filter.isEmpty() ? "" : "?$filter=" + encoded(filter);
    return entries(does(200, "GET", "/audit" + query, null));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private static List<JsonObject> entries(String page) {
    JsonArray value = new JsonObject(page).getJsonArray("value");
    return IntStream.range(0, value.size()).mapToObj(value::getJsonObject).toList();
  }

  private static List<String> said(List<JsonObject> entries, String field) {
    return entries.stream().map(entry -> String.valueOf(entry.getValue(field))).toList();
  }

  @Test
  void everyChangeOfAJobIsThereOnceWithWhoFromWhereBeforeAndAfter() {
    does(201, "PUT", JOB, definition("http://a/"));
    does(200, "GET", JOB, null);
    does(200, "PUT", JOB, definition("http://b/"));
    does(200, "PATCH", JOB, "{\"recurrence\":{\"frequency\":\"hour\"}}");
    does(200, "POST", JOB + "/disable", "");
    does(200, "POST", JOB + "/disable", "");
    does(200, "POST", JOB + "/enable", "");
    does(202, "POST", JOB + "/run", "");
    does(404, "DELETE", JOB + "x", null);
    does(400, "PUT", JOB, "{}");
    does(200, "DELETE", JOB, null);

    List<JsonObject> job = audit("object eq 'default/default/C/j'");

    assertEquals(
        List.of(
            "DELETE job",
            "POST job_run",
            "POST job_enable",
            "POST job_disable",
            "PATCH job",
            "PUT job",
            "PUT job"),
        said(job, "did"));
    assertEquals(Set.of("operator (key " + OPERATOR.id() + ")"), Set.copyOf(said(job, "by")));
    assertEquals(Set.of("127.0.0.1"), Set.copyOf(said(job, "from")));
    assertEquals(Set.of("default/default/c/j"), Set.copyOf(said(job, "object")));
    assertEquals("http://a/", uri(job.get(6), "after"));
    assertFalse(job.get(6).containsKey("before"));
    assertEquals("http://a/", uri(job.get(5), "before"));
    assertEquals("http://b/", uri(job.get(5), "after"));
    assertEquals(
        "hour",
        job.get(4).getJsonObject("after").getJsonObject("recurrence").getString("frequency"));
    assertEquals("disabled", job.get(3).getString("state"));
    assertEquals("enabled", job.get(3).getString("was"));
    assertFalse(job.get(3).containsKey("after"), "the definition is the same");
    assertEquals("http://b/", uri(job.get(0), "before"));
    assertFalse(job.get(0).containsKey("after"));
  }

  private static String uri(JsonObject entry, String when) {
    return request(entry, when).getString("uri");
  }

  private static JsonObject request(JsonObject entry, String when) {
    return entry.getJsonObject(when).getJsonObject("action").getJsonObject("request");
  }

  @Test
  void aDefinitionTellsWhatItsStoredFormLeavesOut() {
    String job = COLLECTION + "/jobs/whole";
    does(
        201,
        "PUT",
        job,
        "{\"state\":\"disabled\",\"startTime\":\"2012-08-04T00:00:00.5Z\",\"action\":{\"type\":\"http\","
            + "\"request\":{\"method\":\"GET\",\"uri\":\"http://a/\"}}}");
    does(200, "DELETE", job, null);

    JsonObject deleted = audit("object eq 'default/default/c/whole'").get(0);

    assertEquals("GET", request(deleted, "before").getString("method"));
    assertEquals("http", deleted.getJsonObject("before").getJsonObject("action").getString("type"));
    assertEquals("2012-08-04T00:00:00.5Z", deleted.getJsonObject("before").getString("startTime"));
  }

  @Test
  void collectionsKeysAndCloudServicesAreThereToo() {
    does(200, "PATCH", COLLECTION, "{\"quota\":{\"maxJobCount\":7}}");
    does(200, "POST", COLLECTION + "/disable", "");
    does(200, "DELETE", COLLECTION, null);
    does(204, "DELETE", COLLECTION, null);
    JsonObject key =
        new JsonObject(does(201, "POST", "/keys", "{\"client\":\"c\",\"grants\":[\"reader\"]}"));
    does(200, "DELETE", "/keys/" + key.getString("id"), null);

    List<JsonObject> all = audit("");

    assertEquals(
        List.of(
            "DELETE key",
            "POST key",
            "DELETE collection",
            "POST collection_disable",
            "PATCH collection",
            "PUT collection"),
        said(all, "did"));
    assertEquals("key:" + key.getString("id"), all.get(0).getString("object"));
    assertFalse(all.toString().contains(key.getString("key")));
    assertEquals(
        7, all.get(4).getJsonObject("after").getJsonObject("quota").getInteger("maxJobCount"));
    assertFalse(all.get(4).getJsonObject("before").containsKey("quota"));
    assertEquals("disabled", all.get(2).getJsonObject("before").getString("state"));
    assertEquals(4, audit("object eq 'default/default/c'").size());
  }

  @Test
  void changesOfCalendarsFlowsAndKeysAreFoundByTheirNames() {
    does(201, "PUT", "/calendars/Holidays", "{\"spans\":[{\"date\":\"2026-12-25\"}]}");
    does(201, "PUT", "/flows/vendor", "{\"parallelism\":2}");
    does(200, "DELETE", "/flows/vendor", null);

    assertEquals(
        List.of("PUT calendar"),
        said(audit("object eq 'calendar:default/default/Holidays'"), "did"));
    assertEquals(
        List.of("DELETE flow", "PUT flow"),
        said(audit("object eq 'flow:default/default/vendor'"), "did"));
    assertEquals(0, audit("object eq 'key:none'").size());
    for (String wrong : List.of("calendar:holidays", "flow:a/b/c/d", "job:a/b/c", "key:a/b")) {
      does(400, "GET", "/audit?$filter=" + encoded("object eq '" + wrong + "'"), null);
    }
  }

  private static String secured(String uri, String secret) {
    return JobJson.get(uri)
        .request("headers", new JsonObject().put("X-Api-Key", secret).put("X-A", "b"))
        .request(
            "authentication",
            new JsonObject().put("type", "Basic").put("username", "u").put("password", secret))
        .every("day")
        .json();
  }

  @Test
  void noSecretIsInIt() {
    String secret = "s3cr3t-canary";
    does(201, "PUT", JOB, secured("https://a/", secret));
    does(200, "PUT", JOB, secured("https://b/", secret));
    does(200, "DELETE", JOB, null);

    String page = does(200, "GET", "/audit", null);

    assertFalse(page.contains(secret), page);
    assertFalse(page.contains("sealed:"), page);
    assertTrue(page.contains("(hidden)"), page);
    assertTrue(page.contains("X-A"), page);
    assertFalse(stored().contains("sealed:"), "not under an old key either");
  }

  private static String stored() {
    StringBuilder all = new StringBuilder();
    for (int partition = 0; partition < 4; partition++) {
      all.append(api.redis.ask("XRANGE carillon:{" + partition + "}:audit - +"));
    }
    return all.toString();
  }

  @Test
  void pagesOfAllPartitionsAreInOrderWithoutGapAndWithoutRepetition() {
    for (int i = 0; i < 40; i++) {
      does(201, "PUT", COLLECTION + "/jobs/j" + i, definition("http://a/"));
    }
    List<String> ids = new ArrayList<>();
    String path = "/audit?$top=7&$filter=" + encoded("object eq 'default/default/c'");
    while (path != null) {
      JsonObject page = new JsonObject(does(200, "GET", path, null));
      ids.addAll(said(entries(page.encode()), "id"));
      String next = page.getString("nextLink");
      path = next == null ? null : next.substring(next.indexOf("/audit"));
    }

    assertEquals(41, ids.size());
    assertEquals(41, new HashSet<>(ids).size());
    assertEquals(ids, said(audit(""), "id"));
    assertEquals(
        ids.subList(5, 8), said(entries(does(200, "GET", "/audit?$skip=5&$top=3", null)), "id"));
  }

  @Test
  void timesBoundWhatIsShown() {
    does(201, "PUT", JOB, definition("http://a/"));
    String time = audit("").get(0).getString("time");

    assertEquals(1, audit("object eq 'default/default/c/j' and time ge " + time).size());
    assertEquals(0, audit("time gt " + time + " and object eq 'default/default/c/j'").size());
    assertEquals(0, audit("object eq 'default/default/c/j' and time lt " + time).size());
    assertEquals(1, audit("object eq 'default/default/c/j' and time le " + time).size());
    for (String wrong :
        List.of(
            "time eq " + time,
            "object ne 'x'",
            "who eq 'x'",
            "object eq 'a/b/c/d/e'",
            "time ge x")) {
      does(400, "GET", "/audit?$filter=" + encoded(wrong), null);
    }
    does(400, "GET", "/audit?$skiptoken=abc", null);
  }

  @Test
  void whoIsToldWholeAndEntriesOfAnEarlierFormToo() {
    note("object %s did PATCH by anybody from 10.0.0.1 was enabled");
    note("object %s change DELETE|10.0.0.2|a|b was enabled");

    List<JsonObject> entries = audit("object eq 'default/default/c/noted'");

    assertEquals(List.of("DELETE", "PATCH"), said(entries, "did"));
    assertEquals(List.of("a|b", "anybody"), said(entries, "by"));
    assertEquals(List.of("10.0.0.2", "10.0.0.1"), said(entries, "from"));
    assertEquals(List.of("enabled", "enabled"), said(entries, "was"));
  }

  private void note(String fields) {
    String job = "default/default/c/noted";
    int partition = JobName.partition(job, 4);
    api.redis.ask("XADD carillon:{" + partition + "}:audit * " + fields.formatted(job));
  }

  @Test
  void itIsBoundedAndALongDefinitionIsCounted() {
    does(201, "PUT", JOB, JobJson.get("http://a/").body("x".repeat(5000)).json());
    JsonObject longOne = audit("object eq 'default/default/c/j'").get(0);
    assertFalse(longOne.containsKey("after"));
    assertTrue(longOne.getInteger("afterBytes") > 5000);

    for (int i = 0; i < 300; i++) {
      does(200, "POST", JOB + (i % 2 == 0 ? "/disable" : "/enable"), "");
    }
    long entries = 0;
    for (int partition = 0; partition < 4; partition++) {
      entries +=
          Long.parseLong(
              api.redis.ask("XLEN carillon:{" + partition + "}:audit").replaceAll("\\D", ""));
    }
    assertTrue(entries >= 100 && entries <= 200, () -> "about 100 of a partition");
  }

  @Test
  void anAdminOfLessSeesHisPartAlone() {
    does(201, "PUT", JOB, definition("http://a/"));
    String admin = key("admin:default/default/c");
    String writer = key("writer:default/default/c");
    String mine = "/audit?$filter=" + encoded("object eq 'default/default/c'");

    as(admin).get(mine).assertStatus(200);
    as(admin).get("/audit?$filter=" + encoded("object eq 'default/default/c/j'")).assertStatus(200);
    as(admin).get("/audit").assertStatus(403);
    as(admin).get("/audit?$filter=" + encoded("object eq 'default/default/d'")).assertStatus(404);
    as(writer).get(mine).assertStatus(403);
  }

  private static String key(String grant) {
    String order =
        "{\"client\":\"" + grant.replaceAll("\\W", "") + "\",\"grants\":[\"" + grant + "\"]}";
    return new JsonObject(does(201, "POST", "/keys", order)).getString("key");
  }
}
