package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

import carillon.job.name.JobName;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Test of {@code description} and {@code labels} of jobs, and of the filters by labels. */
class LabelsApiTest extends WithScheduledJobs {
  private static final String LIST = "/jobcollections/default/jobs";
  private static final String SEARCH = "/jobcollections/default/search";

  private static String labelled(String labels) {
    return daily().with("labels", new JsonObject(labels.replace('`', '"'))).json();
  }

  private static String filter(String text) {
    return "$filter=" + URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private List<String> listed(String query) {
    JsonArray value = get(LIST + "?" + query).getJsonArray("value");
    return IntStream.range(0, value.size())
        .mapToObj(i -> value.getJsonObject(i).getString("id"))
        .toList();
  }

  private List<String> searched(String query) {
    JsonArray value = get(SEARCH + "?" + query).getJsonArray("value");
    return IntStream.range(0, value.size())
        .mapToObj(i -> value.getJsonObject(i).getJsonObject("job").getString("id"))
        .toList();
  }

  private static String hash(String job) {
    String key = "default/default/default/" + job;
    return "carillon:{" + JobName.partition(key, 4) + "}:job:" + key;
  }

  /** Enlarges a definition so that a single script cannot read two of them in one partition. */
  private void enlarge(String job) {
    api.redis.eval(
        ("local job = '%s' redis.call('HSET', job, 'definition', redis.call('HGET', job,"
                + " 'definition') .. string.rep(' ', 600000)) return 'OK'")
            .formatted(hash(job)));
  }

  private JsonObject labels(String job) {
    return get(JOBS + job).getJsonObject("labels");
  }

  @Test
  void aJobIsAnsweredAsItWasGiven() {
    put("j", daily().with("description", "Sends\nthe bills").json());
    assertEquals("Sends\nthe bills", get(JOBS + "j").getString("description"));

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
  void jobsAreListedByTheirLabels() {
    put("a", labelled("{`team`:`billing`,`env`:`prod`}"));
    put("B", labelled("{`team`:`billing`}"));
    put("c", labelled("{`team`:`billings`,`env`:`prod`}"));
    put("d", DAILY);
    put("e", job().body("{\"labels\":{\"team\":\"billing\"}}").json());
    api.patch(JOBS + "b", "{`state`:`disabled`}").assertStatus(200);

    assertEquals(List.of("a", "B"), listed(filter("labels/team eq 'billing'")));
    assertEquals(List.of("a"), listed(filter("labels/team eq billing and labels/env eq prod")));
    assertEquals(List.of("B"), listed(filter("state eq disabled and labels/team eq billing")));
    assertEquals(List.of(), listed(filter("labels/team eq sales")));
    assertEquals(List.of("a", "c"), searched(filter("labels/env eq prod")));
    assertEquals(List.of("a"), searched(filter("labels/env eq prod") + "&name=a"));
    assertEquals(List.of("a"), searched(filter("labels/team eq billing") + "&state=enabled"));
  }

  @Test
  void aListByLabelsIsPagedThroughWithoutGapsOrRepeats() {
    List<String> all = IntStream.range(0, 30).mapToObj(i -> "job-" + (100 + i)).toList();
    all.forEach(name -> put(name, labelled("{`team`:`billing`}")));
    IntStream.range(0, 30).forEach(i -> put("job-" + (100 + i) + "-other", DAILY));

    List<String> found = new ArrayList<>();
    String next = LIST + "?$top=7&" + filter("labels/team eq billing");
    while (next != null) {
      JsonArray value = get(next).getJsonArray("value");
      IntStream.range(0, value.size())
          .forEach(i -> found.add(value.getJsonObject(i).getString("id")));
      String link = get(next).getString("nextLink");
      next = link == null ? null : link.substring(link.indexOf("/jobcollections"));
    }

    assertEquals(all, found);
  }

  @Test
  void aSearchGoesOnWhereItHasReadEnoughOfLargeJobs() {
    List<String> all = IntStream.range(0, 20).mapToObj(i -> "job-" + (100 + i)).toList();
    all.forEach(name -> put(name, labelled("{`team`:`billing`}")));
    all.forEach(this::enlarge);

    assertEquals(all, listed(filter("labels/team eq billing")));
  }

  @Test
  void labelsChooseWhatIsChangedAtOnce() {
    put("a", labelled("{`team`:`billing`}"));
    put("b", labelled("{`team`:`sales`}"));
    put("c", labelled("{`team`:`billing`}"));
    String billing = LIST + "?" + filter("labels/team eq billing");

    api.patch(billing + "&$skip=1", "{`state`:`disabled`}").assertStatus(400);
    assertEquals(List.of("a", "b", "c"), listed(filter("state eq enabled")));
    api.patch(billing, "{`state`:`disabled`}").assertStatus(200);
    assertEquals(List.of("b"), listed(filter("state eq enabled")));
    api.patch(billing, "{`state`:`enabled`}").assertStatus(200);
    assertEquals(List.of("a", "b", "c"), listed(filter("state eq enabled")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/jobs?$skip=1&$filter=labels/a%20eq%20b",
        "/jobs?$filter=labels/A%20eq%20b",
        "/jobs?$filter=labels/a%20ge%20b",
        "/jobs?$filter=labels/a%20eq%20'b%20c'",
        "/search?prefix=a&$filter=labels/a%20eq%20b",
        "/search?state=enabled&$filter=state%20eq%20enabled",
        "/jobs?labels=a",
        "/executions?$filter=labels/a%20eq%20b",
      })
  void whatCannotBeAnsweredIsRefused(String query) {
    api.get("/jobcollections/default" + query).assertStatus(400);
  }

  @Test
  void aPatchThatChangesNothingWritesNothing() {
    api.put(JOBS + "j", labelled("{`team`:`x`}")).assertStatus(201);
    String etag = api.get(JOBS + "j").etag();

    Answer patched = api.patch(JOBS + "j", "{\"labels\":{\"team\":\"x\"}}").assertStatus(200);

    assertEquals(etag, patched.etag());
    assertEquals(etag, api.get(JOBS + "j").etag());
  }
}
