package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Test of lists of jobs in other orders than by name. */
class OrderedListsApiTest extends WithCollection {
  private static final int PARTITIONS = 4;
  private static final int MOST = 10_000;

  /** Creates a job and sets fields of it as the engine does. */
  private void put(String job, String... fields) {
    api.put(C + "/jobs/" + job, DAILY).assertStatus(201);
    if (fields.length > 0) {
      api.redis.ask("HSET " + key("job", job) + " " + String.join(" ", fields));
    }
  }

  private Answer list(String order) {
    return api.get(C + "/jobs?$orderby=" + encoded(order)).assertStatus(200);
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  @ParameterizedTest
  @CsvSource({
    "id, a b c D e",
    "id desc, e D c b a",
    "nextExecutionTime, c a b e D",
    "nextexecutiontime DESC, b e a c D",
    "lastExecutionTime, b a c D e",
    "lastExecutionTime desc, a b c D e",
    "executionCount desc, c a b D e",
    "failureCount desc, a b c D e",
    "faultedCount desc, b a c D e",
    "faultedCount asc, c D e a b"
  })
  void jobsAreListedByAPropertyAndThoseWithoutItAreLast(String order, String ids) {
    put("a", "next", "2999-01-01T00:00:00.5Z", "last", "2026-11-20T18:00:00.001Z");
    put("b", "next", "2999-01-02T00:00:00Z", "last", "2026-11-20T18:00:00Z");
    put("c", "next", "2999-01-01T00:00:00Z", "executions", "10");
    api.put(C + "/jobs/D", job().every("day").with("state", "disabled").json());
    put("e", "next", "2999-01-02T00:00:00Z");
    api.redis.ask("HSET " + key("job", "d") + " next 2000-01-01T00:00:00Z");
    api.redis.ask("HSET " + key("job", "a") + " executions 9 failures 12 faulted 2");
    api.redis.ask("HSET " + key("job", "b") + " executions 3 failures 11 faulted 3");

    assertEquals(List.of(ids.split(" ")), ids(list(order)));
  }

  @Test
  void thoseWithAsManyExecutionsGivenUpAreOrderedByTheirFailedAttempts() {
    put("a", "faulted", "1", "failures", "2");
    put("b", "faulted", "1", "failures", "9");
    put("c", "failures", "1");

    assertEquals(List.of("b", "a", "c"), ids(list("faultedCount desc")));
  }

  /** An unreadable job is sorted like a job without the property and reported as damaged. */
  @Test
  void aDamagedJobIsNamedByAnOrderedList() {
    put("a", "next", "2999-01-02T00:00:00Z");
    put("b", "next", "soon", "executions", "many");
    put("c", "next", "2999-01-01T00:00:00Z");
    api.redis.ask("DEL " + key("job", "a"));
    api.redis.ask("RPUSH " + key("job", "a") + " x");

    Answer next = list("nextExecutionTime");

    assertEquals(List.of("c"), ids(next));
    next.assertContains("\"name\":\"a\"");
    next.assertContains("\"name\":\"b\"");
    assertEquals(List.of("c"), ids(list("executionCount")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"id desc", "nextExecutionTime", "failureCount desc", "lastExecutionTime"})
  void anOrderedListIsPagedThroughWithoutGapsOrRepeats(String order) {
    Random random = new Random(7);
    List<String> names = IntStream.range(0, 60).mapToObj(i -> "job-" + (100 + i)).toList();
    for (String name : names) {
      put(
          name,
          "failures",
          "" + random.nextInt(4),
          "next",
          "2999-01-0" + (1 + random.nextInt(4)) + "T00:00:00Z");
    }

    List<String> whole = ids(list(order));
    List<String> paged = new ArrayList<>();
    for (String path = C + "/jobs?$top=7&$orderby=" + encoded(order); path != null; ) {
      Answer page = api.get(path).assertStatus(200);
      paged.addAll(ids(page));
      path = page.json().getString("nextLink") == null ? null : nextLink(page);
    }

    assertEquals(whole, paged);
    assertEquals(names, paged.stream().sorted().toList());
    assertEquals(
        whole.subList(13, 20),
        ids(api.get(C + "/jobs?$top=7&$skip=13&$orderby=" + encoded(order))));
    assertEquals(List.of(), ids(api.get(C + "/jobs?$skip=60&$orderby=" + encoded(order))));
  }

  /** A page begins at a position in the order, not after a number of jobs. */
  @Test
  void whatComesAndGoesBeforeAPageDoesNotMoveIt() {
    for (int i = 0; i < 8; i++) {
      put("j" + i, "next", "2999-01-0" + (i + 1) + "T00:00:00Z");
    }
    Answer first = api.get(C + "/jobs?$top=3&$orderby=nextExecutionTime");
    api.delete(C + "/jobs/j1");
    put("new", "next", "2999-01-01T12:00:00Z");
    api.delete(C + "/jobs/j2"); // the last job of the page

    assertEquals(List.of("j0", "j1", "j2"), ids(first));
    assertEquals(List.of("j3", "j4", "j5"), ids(api.get(nextLink(first))));
  }

  @Test
  void aSearchIsOrderedAndTellsTheSameAsOneByName() {
    put("night-a", "next", "2999-01-02T00:00:00Z");
    put("night-b", "next", "2999-01-01T00:00:00Z");
    put("by-night", "next", "2999-01-03T00:00:00Z");
    put("other", "next", "2998-01-01T00:00:00Z");
    api.put(C + "/jobs/night-off", job().every("day").with("state", "disabled").json());

    assertEquals(List.of("other", "night-b", "night-a", "by-night", "night-off"), found(""));
    assertEquals(List.of("night-b", "night-a", "night-off"), found("&prefix=NIGHT"));
    assertEquals(List.of("night-b", "night-a", "by-night", "night-off"), found("&name=Night"));
    assertEquals(List.of("night-b", "night-a"), found("&prefix=night&state=enabled"));
    assertEquals(List.of(), found("&lastOutcome=failed"));
    JsonObject hit = search("&recent=2").getJsonArray("value").getJsonObject(0);
    assertEquals("none", hit.getString("lastOutcome"));
    assertEquals(new JsonArray(), hit.getJsonArray("recent"));
  }

  private JsonObject search(String filter) {
    return api.get(C + "/search?orderby=nextExecutionTime" + filter).assertStatus(200).json();
  }

  private List<String> found(String filter) {
    JsonArray value = search(filter).getJsonArray("value");
    return IntStream.range(0, value.size())
        .mapToObj(i -> value.getJsonObject(i).getJsonObject("job").getString("id"))
        .toList();
  }

  @Test
  void jobsWithALabelAreOrdered() {
    for (String name : List.of("a", "b", "c")) {
      String labels = name.equals("b") ? "{" : "{\"labels\":{\"team\":\"x\"},";
      api.put(C + "/jobs/" + name, DAILY.replaceFirst("\\{", labels)).assertStatus(201);
    }
    String filter = "&$filter=labels/team%20eq%20x";

    Answer first = api.get(C + "/jobs?$top=1&$orderby=id%20desc" + filter).assertStatus(200);

    assertEquals(List.of("c"), ids(first));
    assertEquals(List.of("a"), ids(api.get(nextLink(first))));
    assertEquals(2, api.get(C + "/search?$orderby=id%20desc" + filter).json().getInteger("total"));
    String token = first.json().getString("nextLink").replaceAll(".*skiptoken=", "");
    api.get(C + "/jobs?$orderby=id%20desc&$skiptoken=" + token).assertStatus(400);
  }

  @ParameterizedTest
  @CsvSource({
    "$orderby=size, $orderby: 'size' must be one of id",
    "$orderby=id down, $orderby: 'id down' must be one of id",
    "$orderby=id asc asc, $orderby: 'id asc asc' must be one of id",
    "sort=id, did you mean '$orderby'?",
  })
  void anOrderThatIsNoneIsRefused(String query, String message) {
    for (String list : List.of("/jobs?", "/search?")) {
      api.get(C + list + query.replace(" ", "%20")).assertStatus(400).assertContains(message);
    }
  }

  @Test
  void aTokenOfAnotherListIsRefused() {
    for (int i = 0; i < 3; i++) {
      put("j" + i);
    }
    String next = nextLink(api.get(C + "/jobs?$top=1&$orderby=nextExecutionTime"));
    String token = next.substring(next.indexOf("$skiptoken=") + "$skiptoken=".length());

    List<String> wrong =
        Stream.of(
                C + "/jobs?$orderby=nextExecutionTime%20desc&$skiptoken=" + token,
                C + "/jobs?$orderby=lastExecutionTime&$skiptoken=" + token,
                C
                    + "/jobs?$orderby=nextExecutionTime&$filter=state%20eq%20enabled&$skiptoken="
                    + token,
                C + "/search?$orderby=nextExecutionTime&name=j&$skiptoken=" + token,
                C + "/search?$orderby=nextExecutionTime&prefix=j&$skiptoken=" + token,
                C + "/jobs?$orderby=nextExecutionTime&$skiptoken=j1",
                C + "/jobs?$orderby=nextExecutionTime&$skiptoken=nextExecutionTime/asc/x/1/2/j1",
                C
                    + "/jobs?$orderby=nextExecutionTime&$skiptoken="
                    + token.replaceAll("[0-9]+%2F", "x/"))
            .toList();
    for (String path : wrong) {
      assertRefused(
          "must be the token of a nextLink of this list, with the same $orderby and filter",
          api.get(path));
    }
    for (String list : List.of("/jobs?", "/search?", "/search?name=j&")) {
      assertRefused(
          "must be the token of a nextLink of this list, in its own order",
          api.get(C + list + "$skiptoken=" + token));
    }
    api.get(C + "/jobs?$orderby=nextExecutionTime&$skiptoken=" + token).assertStatus(200);
    api.get(C + "/search?$orderby=nextExecutionTime&$skiptoken=" + token).assertStatus(200);
  }

  @Test
  void whatIsTooLongForAnotherOrderIsRefusedAndSaysWhatWouldNarrowIt() {
    fill("enabled/x", MOST);
    put("one");
    api.put(C + "/jobs/off", job().every("day").with("state", "disabled").json());

    String refusal =
        "`code`:`TooManyJobs`,`message`:`$orderby: 'nextExecutionTime' is for lists of 10,000 jobs at"
            + " most, this one has 10,002; narrow it by state, or a search by prefix, or list by id`";
    for (String list : List.of("/jobs?", "/search?", "/search?name=one&")) {
      api.get(C + list + "$orderby=nextExecutionTime")
          .assertStatus(400)
          .assertContains(refusal.replace('`', '"'));
    }

    api.get(C + "/jobs?$orderby=id").assertStatus(200);
    assertEquals(
        List.of("off"),
        ids(api.get(C + "/jobs?$orderby=nextExecutionTime&$filter=state%20eq%20disabled")));
    assertEquals(List.of("one"), found("&prefix=on"));
    api.delete(C + "/jobs/one");
    api.delete(C + "/jobs/off");
    Answer most = api.get(C + "/jobs?$orderby=id%20desc&$top=3").assertStatus(200);
    assertTrue(most.body().contains("nextLink"), most::body);
  }

  /** Writes names into the indexes only. */
  private void fill(String beginning, int names) {
    for (int partition = 0; partition < PARTITIONS; partition++) {
      api.redis.eval(
          ("for i = 1, %1$d do redis.call('ZADD', 'carillon:{%2$d}:jobs:default/default/c', 0,"
                  + " '%3$s' .. i .. '-%2$d') end return 'OK'")
              .formatted(names / PARTITIONS, partition, beginning));
    }
  }

  /** Slices of a partition end where the shortest index of a state ends. */
  @Test
  void namesOfAllStatesAreEachLookedAtOnce() {
    fill("enabled/x", 2000);
    fill("disabled/y", 2000);
    fill("faulted/a", 400);
    put("last");

    JsonObject page = api.get(C + "/search?$orderby=id%20desc&$top=1").assertStatus(200).json();

    assertNull(page.getString("damaged"));
    assertEquals(4401, page.getInteger("total"));
  }

  @Test
  void theRetiredServiceHadNoOtherOrder() {
    List.of("b", "a").forEach(name -> api.put(C + "/jobs/" + name, DAILY));

    String path =
        "/subscriptions/default/resourceGroups/default/providers/Microsoft.Scheduler/jobCollections/c/jobs";
    String arm = api.get(path + VERSION + "&$orderby=id%20desc").assertStatus(200).body();
    assertTrue(arm.indexOf("c/jobs/a") < arm.indexOf("c/jobs/b"), arm);
  }
}
