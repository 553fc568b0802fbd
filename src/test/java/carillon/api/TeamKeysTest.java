package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.access.ApiKeyToken;
import carillon.bus.Messages;
import carillon.job.AttemptRecord.Source;
import carillon.job.AttemptRecord.State;
import carillon.job.attempt.Attempt;
import carillon.job.attempt.HistoryEntry;
import carillon.job.attempt.HistoryEntry.Status;
import carillon.job.name.JobName;
import carillon.json.StoredJson;
import carillon.json.view.AttemptRecordCodec;
import carillon.support.JobJson;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Test of views with the key of a team that has the collections orders and orders-*. The names of
 * all others contain zebra.
 */
class TeamKeysTest extends WithApi {
  private static final ApiKeyToken OPERATOR = ApiKeyToken.random();
  private static final Instant NOW = ApiServer.START;
  private static final String TEAM = "orders`,`%1$s:orders-*";

  private ApiClient operator;
  private ApiClient team;

  @Override
  protected ApiServer server() {
    return new ApiServer(ApiServer.keys(OPERATOR));
  }

  @BeforeEach
  void fill() {
    operator = api.with("Authorization", "Bearer " + OPERATOR.reveal());
    team = key("reader", TEAM);
    for (String job :
        List.of("orders/own-a", "orders-eu/own-b", "zebra/zebra-a", "zebra/zebra-b")) {
      String[] names = job.split("/", -1);
      operator.put("/jobcollections/" + names[0], "{`quota`:{`maxJobCount`:2}}");
      operator
          .put(
              "/jobcollections/" + names[0] + "/jobs/" + names[1],
              JobJson.get("http://" + names[1] + ".example/").every("hour").json())
          .assertStatus(201);
      fail(job);
      fail(job);
    }
    operator.post("/jobcollections/zebra/disable", "{`note`:`zebra must rest`}").assertStatus(200);
    operator.put("/groups/zebra/zebra/jobcollections/zebra", "{}").assertStatus(201);
    operator.post("/groups/zebra/zebra/pause", "{`note`:`zebra`}").assertStatus(200);
  }

  private ApiClient key(String role, String scope) {
    String grants = "`" + role + ":" + scope.formatted(role) + "`";
    String client = (role + scope).replaceAll("[^a-z]", "");
    Answer made = operator.post("/keys", "{`client`:`" + client + "`,`grants`:[" + grants + "]}");
    return api.with("Authorization", "Bearer " + made.assertStatus(201).json().getString("key"));
  }

  /** Records a failed execution of a job. */
  private void fail(String job) {
    String key = "default/default/" + job;
    HistoryEntry entry =
        HistoryEntry.of(
            new Attempt(key, NOW, 1, Attempt.Phase.MAIN, 1, 1, 0),
            NOW,
            NOW,
            Status.FAILED,
            "of " + job);
    api.redis.ask(
        "XADD carillon:{0}:outcomes * job %s execution '%s'"
            .formatted(key, AttemptRecordCodec.write(new Source(job, ""), State.FAILED, entry)));
    api.redis.ask(
        "HSET carillon:{%d}:job:%s latest '%s'"
            .formatted(JobName.partition(key, 4), key, StoredJson.write(entry)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/due",
        "/overview",
        "/overview?scope=default/default",
        "/forecast/jobs?from=2026-11-20T18:00:00Z&until=2026-11-21T18:00:00Z",
        "/jobcollections",
        "/search",
        "/search?name=a",
        "/executions",
        "/executions/causes",
      })
  void aViewHasWhatIsOfTheTeamAndNothingElse(String path) {
    String body = team.get(path).assertStatus(200).body();

    assertTrue(body.contains("own-a") || body.contains("orders-eu"), body);
    assertFalse(body.toLowerCase(Locale.ROOT).contains("zebra"), body);
    assertTrue(operator.get(path).body().contains("zebra"), path);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/due?$top=1",
        "/forecast",
        "/executions?state=running",
        "/overview?scope=zebra",
        "/groups/zebra/zebra/search",
        "/search?name=zebra",
        "/jobcollections/orders/search",
        "/calendars",
        "/flows",
        "/health",
        "/session",
      })
  void noViewNamesOthers(String path) {
    String body = team.get(path).assertStatus(200).body().replaceFirst("\"scope\":\"zebra\"", "");

    assertFalse(body.toLowerCase(Locale.ROOT).contains("zebra"), body);
  }

  @Test
  void theOverviewCountsWhatTheTeamMayRead() {
    JsonObject overview = team.get("/overview").assertStatus(200).json();

    assertEquals(2, overview.getInteger("collections"));
    assertEquals(2, overview.getJsonObject("jobs").getInteger("enabled"));
    for (String ofAll : List.of("due", "done", "redis", "facts")) {
      assertFalse(overview.containsKey(ofAll), ofAll);
      assertTrue(operator.get("/overview").json().containsKey(ofAll), ofAll);
    }
    List<String> attention =
        overview.getJsonArray("attention").stream()
            .map(one -> ((JsonObject) one).getString("what"))
            .toList();
    assertEquals(
        List.of("Job 'orders-eu/own-b' fails", "Job 'orders/own-a' fails"),
        attention.stream().sorted().toList());
  }

  @Test
  void aPauseThatHoldsTheTeamBackIsTold() {
    operator.post("/groups/default/default/pause", "{`note`:`move`}").assertStatus(200);

    team.get("/overview").assertStatus(200).assertContains("Group 'default/default' is paused");
    team.get("/due").assertStatus(200).assertContains("move");
  }

  @Test
  void aKeyOfAnotherGroupBeginsWithItsOwn() {
    JsonObject overview = key("operator", "zebra/zebra").get("/overview").json();

    assertEquals("zebra", overview.getString("scope"));
    assertEquals(1, overview.getInteger("collections"));
    assertEquals(0, key("reader", "nothing").get("/overview").json().getInteger("collections"));
  }

  @Test
  void theForecastCountsTheJobsOfTheTeam() {
    JsonObject forecast = team.get("/forecast").assertStatus(200).json();

    assertEquals(2, forecast.getInteger("jobs"));
    assertEquals(0, forecast.getInteger("others"));
    assertFalse(forecast.containsKey("completeUntil"), forecast::encode);
  }

  @Test
  void whatIsDueOfOthersDoesNotHideWhatIsDueOfTheTeam() {
    crowd(200);

    JsonObject due = team.get("/due?$top=2").assertStatus(200).json();

    assertEquals(List.of("own-a", "own-b"), jobs(due));
    assertFalse(due.containsKey("completeUntil"), due::encode);
  }

  @Test
  void anAnswerThatMayMissSomethingSaysFromWhenOn() {
    crowd(300);

    JsonObject due = team.get("/due").assertStatus(200).json();
    JsonObject forecast = team.get("/forecast").assertStatus(200).json();

    assertEquals(List.of(), jobs(due));
    assertEquals("2026-11-20T17:59:00Z", due.getString("completeUntil"));
    assertEquals("2026-11-20T17:59:00Z", forecast.getString("completeUntil"));
    assertEquals(0, forecast.getInteger("jobs") + forecast.getInteger("others"));
    assertFalse(operator.get("/due?$top=1000").json().containsKey("completeUntil"));
  }

  /** Makes jobs of others due first in each partition. */
  private void crowd(int ofPartition) {
    for (int partition = 0; partition < 4; partition++) {
      api.redis.eval(
          """
          for i = 1, %d do
            redis.call('ZADD', 'carillon:{%d}:due', %d, 'job:default/default/zebra/zebra-' .. i)
          end
          return 'done'
          """
              .formatted(ofPartition, partition, NOW.minusSeconds(60).toEpochMilli()));
    }
  }

  private static List<String> jobs(JsonObject page) {
    return page.getJsonArray("value").stream()
        .map(one -> ((JsonObject) one).getString("job"))
        .sorted()
        .toList();
  }

  private void putFlows() {
    operator.put("/flows/own", "{`collections`:[`orders-*`],`parallelism`:3}").assertStatus(201);
    operator.put("/flows/shared", "{`collections`:[`orders`,`zebra`]}").assertStatus(201);
    operator
        .put("/flows/host", "{`match`:[`vendor.example`],`collections`:[`zebra`,`*`]}")
        .assertStatus(201);
    operator.put("/flows/zebra", "{`collections`:[`zebra*`]}").assertStatus(201);
    operator.put("/flows/nobody", "{}").assertStatus(201);
    operator.post("/flows/zebra/pause", "{`note`:`zebra`}").assertStatus(200);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "reader   | GET    | own          |                                    | 200",
        "reader   | GET    | shared       |                                    | 200",
        "reader   | GET    | host         |                                    | 200",
        "reader   | GET    | zebra        |                                    | 404",
        "reader   | GET    | nobody       |                                    | 404",
        "reader   | GET    | zebra/log    |                                    | 404",
        "reader   | GET    | own/log      |                                    | 200",
        "reader   | POST   | own/pause    | {}                                 | 403",
        "reader   | PUT    | own          | {`collections`:`orders`}           | 403",
        "operator | POST   | own/pause    | {}                                 | 200",
        "operator | POST   | own/resume   |                                    | 200",
        "operator | POST   | own/reset    |                                    | 200",
        "operator | POST   | shared/pause | {}                                 | 403",
        "operator | POST   | shared/reset |                                    | 403",
        "operator | POST   | host/pause   | {}                                 | 403",
        "operator | POST   | zebra/pause  | {}                                 | 404",
        "operator | POST   | zebra/resume |                                    | 404",
        "operator | PATCH  | own          | {`parallelism`:1}                  | 403",
        "writer   | PUT    | own          | {`collections`:`orders-eu`}        | 200",
        "writer   | PUT    | own          | {`collections`:[`orders`,`zebra`]} | 403",
        "writer   | PUT    | own          | {`collections`:`order*`}           | 403",
        "writer   | PUT    | own          | {`collections`:`*`}                | 403",
        "writer   | PUT    | own          | {}                                 | 403",
        "writer   | PUT    | own | {`collections`:`orders`,`match`:`a.example`} | 403",
        "writer   | PUT    | shared       | {`collections`:`orders`}           | 403",
        "writer   | PUT    | host         | {`collections`:`orders`}           | 403",
        "writer   | PUT    | zebra        | {`collections`:`orders`}           | 403",
        "writer   | PUT    | new          | {`collections`:[`orders`]}         | 201",
        "writer   | PUT    | new          | {`match`:`a.example`}              | 403",
        "writer   | PATCH  | own          | {`parallelism`:1}                  | 200",
        "writer   | PATCH  | own          | {`collections`:`zebra`}            | 403",
        "writer   | PATCH  | own          | {`match`:`a.example`}              | 403",
        "writer   | PATCH  | shared       | {`parallelism`:1}                  | 403",
        "writer   | PATCH  | zebra        | {`parallelism`:1}                  | 404",
        "writer   | DELETE | own          |                                    | 200",
        "writer   | DELETE | shared       |                                    | 403",
        "writer   | DELETE | host         |                                    | 403",
        "writer   | DELETE | zebra        |                                    | 204",
        "writer   | DELETE | gone         |                                    | 204",
      })
  void aTeamManagesTheFlowsOfItsCollectionsAlone(
      String role, String method, String flow, String body, int status) {
    putFlows();
    String before = operator.get("/flows").body();

    Answer answer = key(role, TEAM).send(method, "/flows/" + flow, body);

    assertEquals(status, answer.status(), answer::body);
    assertFalse(
        answer.body().replace("/flows/zebra", "").replace("Flow 'zebra'", "").contains("zebra"),
        answer::body);
    if (status >= 400) {
      assertEquals(before, operator.get("/flows").body(), "nothing was changed");
    }
    assertTrue(operator.get("/flows/zebra").json().containsKey("pause"), "of others");
  }

  @Test
  void theListHasTheFlowsThatTheTeamMayName() {
    putFlows();

    JsonObject page = team.get("/flows").assertStatus(200).json();

    assertEquals(
        List.of("host [\"*\"]", "own [\"orders-*\"]", "shared [\"orders\"]"),
        page.getJsonArray("value").stream()
            .map(JsonObject.class::cast)
            .map(flow -> flow.getString("name") + " " + flow.getJsonArray("collections").encode())
            .toList());
    assertEquals(5, operator.get("/flows").json().getJsonArray("value").size());
    assertFalse(team.get("/overview").body().contains("zebra"));
    assertTrue(operator.get("/overview").body().contains("Flow 'zebra' is paused"));
  }

  @Test
  void aTeamHasABoundedNumberOfFlows() {
    ApiClient writer = key("writer", TEAM);
    for (int i = 0; i < 25; i++) {
      writer.put("/flows/f" + i, "{`collections`:`orders`}").assertStatus(201);
    }

    writer.put("/flows/more", "{`collections`:`orders`}").assertStatus(409);
    writer.put("/flows/f1", "{`collections`:`orders-eu`}").assertStatus(200);
    operator.put("/flows/more", "{`collections`:`orders`}").assertStatus(201);
  }

  @Test
  void aConditionHoldsForTheFlowsOfATeam() {
    ApiClient writer = key("writer", TEAM);
    String own = "{`collections`:`orders`}";
    writer.put("/flows/f", own, "If-Match", "*").assertStatus(412);
    Answer made = writer.put("/flows/f", own, "If-None-Match", "*").assertStatus(201);
    writer.put("/flows/f", own, "If-None-Match", "*").assertStatus(412);
    writer.put("/flows/f", own, "If-Match", "\"1\"").assertStatus(412);
    writer.delete("/flows/f", "If-Match", "\"1\"").assertStatus(412);
    writer.put("/flows/f", own, "If-Match", made.header("ETag")).assertStatus(200);
    writer.delete("/flows/f", "If-Match", "*").assertStatus(200);
  }

  @Test
  void calendarsOfTheGroupCanBeReadAndNotChanged() {
    String calendar = "{`spans`:[{`date`:`2026-12-25`}]}";
    operator.put("/calendars/holidays", calendar).assertStatus(201);

    ApiClient admin = key("admin", TEAM);

    admin.get("/calendars/holidays").assertStatus(200);
    admin.put("/calendars/holidays", calendar).assertStatus(403);
    admin.put("/calendars/new", calendar).assertStatus(403);
    admin.delete("/calendars/holidays").assertStatus(403);
  }

  @Test
  void theStreamHasTheAttemptsOfTheTeam() {
    String key = "reader:default";
    Answer made = operator.post("/keys", "{`client`:`live`,`grants`:[`" + key + "`]}");
    try (Stream<String> stream =
        api.stream(
            "/console/executions", "Authorization", "Bearer " + made.json().getString("key"))) {
      Iterator<String> lines = stream.iterator();
      assertEquals(": watching", lines.next());
      for (int i = 0; i < 300; i++) {
        Messages.ENDED.toAll(
            api.vertx().eventBus(), EndedAttempts.of("zebra", "zebra", Status.COMPLETED, ""));
      }
      Messages.ENDED.toAll(
          api.vertx().eventBus(), EndedAttempts.of("default", "own", Status.COMPLETED, ""));
      while (!lines.next().equals("event: executions")) {}

      JsonArray attempts = new JsonArray(lines.next().substring("data: ".length()));

      assertEquals(1, attempts.size(), attempts::encode);
      assertEquals("own", attempts.getJsonObject(0).getString("job"));
      api.redis.eval(
          "return redis.call('XADD', 'carillon:live', '*', 'node', 'n2', 'leftOut', '7')");
      while (!lines.next().equals("event: lost")) {}
      assertEquals("data: 1", lines.next(), "how many ended on another node is not told");
    }
  }

  @Test
  void pagesOfTheTeamLeadToNobodyElse() {
    for (String path : List.of("/search?$top=1", "/executions?$top=1", "/jobcollections?$top=1")) {
      String next = path;
      int pages = 0;
      while (next != null) {
        JsonObject page = team.get(next).assertStatus(200).json();
        assertFalse(page.encode().contains("zebra"), page::encode);
        String link = page.getString("nextLink");
        next = link == null ? null : link.replaceFirst("http://[^/]+", "");
        pages++;
      }
      assertTrue(pages > 1, path);
    }
    assertEquals(
        400, team.get("/search?$skiptoken=default/zebra/a").status(), "of another collection");
  }

  @Test
  void everyRoleReadsTheViews() {
    for (String role : List.of("operator", "writer", "admin")) {
      ApiClient caller = key(role, TEAM);
      for (String view : List.of("/due", "/overview", "/forecast", "/forecast/jobs")) {
        caller.get(view).assertStatus(200);
      }
      for (String ofAll : List.of("/nodes", "/destinations")) {
        caller.get(ofAll).assertStatus(403);
      }
    }
  }
}
