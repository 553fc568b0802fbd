package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Test of flows as clients write and read them, and of jobs that use a flow. */
class FlowApiTest extends WithScheduledJobs {
  private static final String FLOW = "/flows/crm";
  private static final String FULL =
      "{`match`:[`API.crm.example`,`*.crm.example:443`],"
          + "`rate`:{`limit`:100,`per`:`PT1S`,`burst`:20},`parallelism`:10,"
          + "`breaker`:{`ratio`:0.5,`calls`:20},`retryAfter`:false}";

  private static final String FOR_ALL = "{`collections`:`*`}";

  private static String job(String flow) {
    return job()
        .json()
        .replace("`action`:{", "`action`:{`flow`:`" + flow + "`,")
        .replace("\"action\":{", "\"action\":{\"flow\":\"" + flow + "\",");
  }

  @Test
  void aFlowIsAnsweredWithItsDefaults() {
    Answer made = api.put(FLOW, FULL).assertStatus(201);

    assertEquals(
        new JsonObject(
            ("{`name`:`crm`,`match`:[`api.crm.example`,`*.crm.example:443`],"
                    + "`rate`:{`limit`:100,`per`:`PT1S`,`burst`:20},`parallelism`:10,"
                    + "`breaker`:{`ratio`:0.5,`calls`:20,`window`:`PT30S`,`pause`:`PT30S`,"
                    + "`maxPause`:`PT10M`,`probes`:1},`retryAfter`:false}")
                .replace('`', '"')),
        made.json());
    assertEquals(made.header("ETag"), api.get(FLOW).header("ETag"));
  }

  @Test
  void aFlowTellsItsState() {
    api.put(FLOW, "{`parallelism`:3}").assertStatus(201);

    assertEquals(
        new JsonObject(
            "{`breaker`:`closed`,`inFlight`:0,`byNode`:{},`stopped`:[],`waiting`:0,`begun`:{`lastMinute`:0}}"
                .replace('`', '"')),
        get(FLOW).getJsonObject("state"));
  }

  @Test
  void neitherAPauseNorADefinitionOfTheSameMomentIsLost() {
    api.put(FLOW, "{`parallelism`:1}").assertStatus(201);
    for (int i = 2; i < 30; i++) {
      String definition = "{`parallelism`:" + i + "}";
      String order = i % 2 == 0 ? "/pause" : "/resume";
      CompletableFuture<Answer> put =
          CompletableFuture.supplyAsync(() -> api.put(FLOW, definition));

      api.post(FLOW + order, null).assertStatus(200);
      put.join().assertStatus(200);

      assertEquals(i % 2 == 0, get(FLOW).containsKey("pause"), order);
      assertEquals(i, get(FLOW).getInteger("parallelism"));
    }
  }

  @Test
  void aPauseThatIsOverIsNotToldAnyMore() {
    api.put(FLOW, "{`parallelism`:3}").assertStatus(201);
    api.post(FLOW + "/pause", "{`until`:`2026-11-20T19:00:00Z`}").assertStatus(200);
    assertTrue(get(FLOW).containsKey("pause"));

    api.moveTo(Instant.parse("2026-11-20T19:00:00Z"));

    assertFalse(get(FLOW).containsKey("pause"));
    assertFalse(api.patch(FLOW, "{`parallelism`:4}").assertStatus(200).json().containsKey("pause"));
  }

  @Test
  void whatIsAnsweredCanBePutAgain() {
    api.put(FLOW, FULL).assertStatus(201);
    api.post(FLOW + "/pause", "{}").assertStatus(200);
    JsonObject whole = get(FLOW);

    api.put(FLOW, whole.encode()).assertStatus(200);

    assertEquals(whole, get(FLOW));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{`rate`:{}}|rate.limit: is missing",
        "{`rate`:{`limit`:0}}|rate.limit: 0 must be a whole number from 1 to 1000000",
        "{`rate`:{`limit`:5,`per`:`PT0.5S`}}|rate.per: 'PT0.5S' must be from PT1S to PT168H",
        "{`rate`:{`limit`:5,`burst`:6}}|rate.burst: 6 must be a whole number from 1 to 5",
        "{`parallelism`:100001}|parallelism: 100001 must be a whole number from 1 to 100000",
        "{`breaker`:{`ratio`:0}}|breaker.ratio: 0 must be a number above 0, at most 1",
        "{`breaker`:{`ratio`:1.5}}|breaker.ratio: 1.5 must be a number above 0, at most 1",
        "{`breaker`:{`ratio`:`x`}}|breaker.ratio: 'x' must be a number above 0, at most 1",
        "{`match`:[`a.example`,`b.example`,`A.example`]}|match[2]: 'A.example' must be named once; match[0] names it, too",
        "{`pause`:{`note`:`x`}}|pause: an object does not stop calls; POST /flows/crm/pause does",
        "{`breaker`:{`pause`:`PT2M`,`maxPause`:`PT1M`}}|breaker.maxPause: 'PT1M' must be from PT2M to PT24H",
        "{`match`:[`http://a`]}|match: 'http://a' must be a host such as",
        "{`breaker`:{`calls`:5}}|breaker.calls: 5 needs a ratio",
        "{`breaker`:{`consecutive`:3,`window`:`PT5S`}}|breaker.window: 'PT5S' needs a ratio",
        "{`name`:`other`}|name: 'other' must be 'crm', as in the address",
        "{`matches`:`a`}|matches: this property is not known here",
        "{`rate`:{`limits`:1}}|rate.limits: this property is not known here",
      })
  void whatIsWrongIsRefusedWithFieldValueAndRule(String flow, String message) {
    Answer answer = api.put(FLOW, flow).assertStatus(400);

    assertTrue(answer.body().contains(message), answer::body);
  }

  @Test
  void aPatternThatIsLongerThanAHostIsRefused() {
    String pattern = "a.".repeat(3000) + "b";
    Answer answer = api.put(FLOW, "{`match`:[`" + pattern + "`]}").assertStatus(400);

    assertTrue(
        answer
            .body()
            .contains(
                "match: '" + pattern.substring(0, 80) + "...' must have at most 253 characters"),
        answer::body);
  }

  @Test
  void aChangeOfWhatOnlyCountsWithARatioNeedsOne() {
    api.put(FLOW, "{`name`:`CRM`,`breaker`:{`consecutive`:3}}").assertStatus(201);

    api.patch(FLOW, "{`breaker`:{`calls`:5}}").assertStatus(400);
    api.patch(FLOW, "{`name`:`other`}").assertStatus(400);
    api.patch(FLOW, "{`breaker`:{`ratio`:0.5,`calls`:5}}").assertStatus(200);
    api.patch(FLOW, "{`breaker`:{`calls`:6}}").assertStatus(200);
    JsonObject without = api.patch(FLOW, "{`breaker`:{`ratio`:null}}").assertStatus(200).json();

    assertFalse(without.getJsonObject("breaker").containsKey("calls"), without::encode);
  }

  @Test
  void hostsThatAreStoredTwiceHinderNoChange() {
    api.put(FLOW, "{`match`:[`a.example`,`b.example`]}").assertStatus(201);
    String one = "1 2026-11-20T18:00:00Z 2026-11-20T18:00:00Z default/default/crm ";
    api.redis.ask(
        "HSET carillon:flows default/default/crm '"
            + one
            + "{\"match\":[\"a.example\",\"a.example\"],\"retryAfter\":true}'");

    assertEquals(2, get(FLOW).getJsonArray("match").size());
    api.patch(FLOW, "{`parallelism`:2}").assertStatus(200);
    api.patch(FLOW, "{`match`:[`a.example`,`a.example`]}")
        .assertError(
            400, "BadRequest", "match[1]: 'a.example' must be named once; match[0] names it, too");
  }

  @Test
  void theNameOfAFlowFollowsTheRuleOfNames() {
    api.put("/flows/a%20b", "{}").assertStatus(400);
  }

  @Test
  void conditionsHoldAsForJobs() {
    api.put(FLOW, "{}", "If-Match", "*").assertStatus(412);
    String etag = api.put(FLOW, "{}", "If-None-Match", "*").assertStatus(201).header("ETag");
    api.put(FLOW, "{}", "If-None-Match", "*").assertStatus(412);

    api.send("PATCH", FLOW, "{`parallelism`:2}", "If-Match", etag).assertStatus(200);
    api.send("PATCH", FLOW, "{`parallelism`:3}", "If-Match", etag).assertStatus(412);
    api.send("DELETE", FLOW, null, "If-Match", etag).assertStatus(412);

    api.delete(FLOW).assertStatus(200);
    api.delete(FLOW).assertStatus(204);
    api.get(FLOW).assertStatus(404);
    api.patch(FLOW, "{}").assertStatus(404);
  }

  @Test
  void aChangeKeepsWhatItDoesNotMention() {
    api.put(FLOW, FULL).assertStatus(201);

    JsonObject changed =
        api.patch(FLOW, "{`rate`:{`limit`:50},`breaker`:null}").assertStatus(200).json();

    assertEquals(
        new JsonObject("{\"limit\":50,\"per\":\"PT1S\",\"burst\":20}"),
        changed.getJsonObject("rate"));
    assertEquals(null, changed.getJsonObject("breaker"));
    assertEquals(10, changed.getInteger("parallelism"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"{`paralelism`:null}", "{`rate`:{`burts`:null}}", "{`breaker`:{`x`:null}}"})
  void aChangeOfAnUnknownPropertyIsRefusedAlsoWithNull(String change) {
    api.put(FLOW, FULL).assertStatus(201);

    api.patch(FLOW, change).assertStatus(400);
  }

  @Test
  void aPauseSaysWhoAndWhyAndStaysThroughAPut() {
    api.put(FLOW, "{}").assertStatus(201);

    JsonObject paused =
        api.post(FLOW + "/pause", "{`note`:`vendor down`,`until`:`2035-01-01T00:00:00Z`}")
            .assertStatus(200)
            .json()
            .getJsonObject("pause");
    api.put(FLOW, "{`parallelism`:1}").assertStatus(200);

    assertEquals("vendor down", paused.getString("note"));
    assertEquals("2035-01-01T00:00:00Z", paused.getString("until"));
    assertEquals("anybody", paused.getString("by"));
    assertEquals(paused, get(FLOW).getJsonObject("pause"));
    assertEquals(
        null, api.post(FLOW + "/resume", null).assertStatus(200).json().getJsonObject("pause"));
    api.post(FLOW + "/pause", "{`until`:`2020-01-01T00:00:00Z`}").assertStatus(400);
    api.post(FLOW + "/pause", "{`note`:` `}")
        .assertError(400, "BadRequest", "note: must not be empty; leave it out instead");
    api.post(FLOW + "/pause", "{`note`:`" + "n".repeat(501) + "`}").assertStatus(400);
    api.post(FLOW + "/pause", "[]")
        .assertError(400, "BadRequest", "Malformed pause: it is not a JSON object");
    api.post("/flows/gone/pause", null).assertStatus(404);
    api.post("/flows/gone/reset", null).assertStatus(404);
    api.post(FLOW + "/reset", null).assertStatus(200);
  }

  @Test
  void theLogTellsWhoDidWhatAndWhy() {
    api.put(FLOW, "{}").assertStatus(201);
    api.post(FLOW + "/pause", "{`note`:`vendor down`,`until`:`2035-01-01T00:00:00Z`}")
        .assertStatus(200);
    api.post(FLOW + "/resume", null).assertStatus(200);
    api.post(FLOW + "/reset", null).assertStatus(200);

    JsonArray log = get(FLOW + "/log").getJsonArray("value");

    assertEquals("reset", log.getJsonObject(0).getString("what"));
    assertEquals("resumed", log.getJsonObject(1).getString("what"));
    assertEquals(
        new JsonObject(
            ("{`at`:`%s`,`what`:`paused`,`by`:`anybody`,`note`:`vendor down`,"
                    + "`until`:`2035-01-01T00:00:00Z`}")
                .formatted(log.getJsonObject(2).getString("at"))
                .replace('`', '"')),
        log.getJsonObject(2));
    assertEquals(3, log.size());
    api.get("/flows/gone/log").assertStatus(404);
    api.delete(FLOW).assertStatus(200);
    api.put(FLOW, "{}").assertStatus(201);
    assertEquals(0, get(FLOW + "/log").getJsonArray("value").size());
  }

  @Test
  void theLogTellsThatAPauseIsOver() {
    api.put(FLOW, "{}").assertStatus(201);
    api.post(FLOW + "/pause", "{`until`:`2026-11-20T18:30:00Z`}").assertStatus(200);
    api.moveTo(Instant.parse("2026-11-20T18:29:59.999Z"));
    assertEquals(List.of("paused"), logged());

    api.moveTo(Instant.parse("2026-11-20T18:30:00Z"));
    assertEquals(
        new JsonObject(
            "{`at`:`2026-11-20T18:30:00Z`,`what`:`resumed`,`by`:`carillon`,`reason`:`pauseOver`}"
                .replace('`', '"')),
        get(FLOW + "/log").getJsonArray("value").getJsonObject(0));

    api.moveTo(Instant.parse("2026-11-20T18:40:00Z"));
    api.post(FLOW + "/pause", null).assertStatus(200);
    assertEquals(List.of("paused", "resumed", "paused"), logged());
  }

  @Test
  void theLogTellsNoEndOfAPauseThatGaveWayToAnotherBefore() {
    api.put(FLOW, "{}").assertStatus(201);
    api.post(FLOW + "/pause", "{`until`:`2026-11-20T18:30:00Z`}").assertStatus(200);
    api.post(FLOW + "/pause", "{`until`:`2026-11-20T19:30:00Z`}").assertStatus(200);
    api.moveTo(Instant.parse("2026-11-20T19:00:00Z"));
    assertEquals(List.of("paused", "paused"), logged());

    api.post(FLOW + "/resume", null).assertStatus(200);
    api.moveTo(Instant.parse("2026-11-20T20:00:00Z"));
    assertEquals(List.of("resumed", "paused", "paused"), logged());
  }

  @Test
  void theLogTellsNothingOfAResumeWhereNothingWasPaused() {
    api.put(FLOW, "{}").assertStatus(201);
    api.post(FLOW + "/resume", null).assertStatus(200);
    assertEquals(List.of(), logged());

    api.post(FLOW + "/pause", "{`until`:`2026-11-20T18:30:00Z`}").assertStatus(200);
    api.moveTo(Instant.parse("2026-11-20T19:00:00Z"));
    api.post(FLOW + "/resume", null).assertStatus(200);

    assertEquals(List.of("resumed", "paused"), logged());
  }

  /** Returns the events in the log, the newest first. */
  private List<String> logged() {
    return get(FLOW + "/log").getJsonArray("value").stream()
        .map(event -> ((JsonObject) event).getString("what"))
        .toList();
  }

  @Test
  void theOverviewSaysWhichFlowsArePaused() {
    api.put(FLOW, "{}").assertStatus(201);
    api.post(FLOW + "/pause", "{`note`:`vendor down`}").assertStatus(200);
    api.put("/groups/s1/g1/flows/other", "{}").assertStatus(201);
    api.post("/groups/s1/g1/flows/other/pause", null).assertStatus(200);

    String attention = get("/overview").getJsonArray("attention").encode();

    assertTrue(attention.contains("Flow 'crm' is paused"), attention);
    assertTrue(
        attention.contains("By anybody: vendor down. Its calls wait until it is resumed"),
        attention);
    assertFalse(attention.contains("other"), attention);
  }

  @Test
  void flowsAreListedByNameInPages() {
    for (String name : new String[] {"B", "a", "c"}) {
      api.put("/flows/" + name, "{}").assertStatus(201);
    }
    api.put("/groups/s1/g1/flows/d", "{}").assertStatus(201);

    JsonObject first = get("/flows?$top=2");
    JsonObject rest = get(first.getString("nextLink").replaceFirst("^http://[^/]*", ""));

    assertEquals("a", first.getJsonArray("value").getJsonObject(0).getString("name"));
    assertEquals("B", first.getJsonArray("value").getJsonObject(1).getString("name"));
    assertEquals("c", rest.getJsonArray("value").getJsonObject(0).getString("name"));
    assertEquals(null, rest.getString("nextLink"));
    assertEquals(1, get("/groups/s1/g1/flows").getJsonArray("value").size());
  }

  @Test
  void aJobNamesAFlowOnlyWhereThatAdmitsItsCall() {
    api.put(FLOW, "{`match`:[`crm.example:8443`],`collections`:[`stock-*`,`Billing`]}")
        .assertStatus(201);
    api.put("/jobcollections/stock-eu", "{}");
    api.put("/jobcollections/billing", "{}");
    String stranger = job("crm");
    String fits = stranger.replace(uri(stranger), "https://CRM.example:8443/x");
    String otherPort = stranger.replace(uri(stranger), "https://crm.example/x");

    api.put(JOBS + "j", fits).assertStatus(201);
    for (String refused : List.of(stranger, otherPort, withErrorAction(fits, stranger))) {
      Answer answer = api.put(JOBS + "k", refused).assertStatus(400);
      assertTrue(
          answer.body().contains("flow: 'crm' does not admit this call: its match must fit"),
          answer::body);
    }
    api.put("/jobcollections/stock-eu/jobs/j", stranger).assertStatus(201);
    api.put("/jobcollections/billing/jobs/j", stranger).assertStatus(201);
    api.put(arm("k"), "{`properties`:" + stranger + "}").assertStatus(400);
    api.post(JOBS + "k/validate", stranger).assertStatus(200).assertContains("does not admit");
    api.get(JOBS + "k").assertStatus(404);
  }

  private static String uri(String job) {
    return new JsonObject(job.replace('`', '"'))
        .getJsonObject("action")
        .getJsonObject("request")
        .getString("uri");
  }

  /** Returns the first job with the action of the second as its error action. */
  private static String withErrorAction(String job, String other) {
    JsonObject whole = new JsonObject(job.replace('`', '"'));
    JsonObject error = new JsonObject(other.replace('`', '"')).getJsonObject("action");
    error.remove("retryPolicy");
    whole.getJsonObject("action").put("errorAction", error);
    return whole.encode();
  }

  @Test
  void aJobThatAStricterFlowNoLongerAdmitsIsRefusedWhenItsCallIsChanged() {
    api.put(FLOW, FOR_ALL).assertStatus(201);
    api.put(JOBS + "j", job("crm")).assertStatus(201);
    api.put(FLOW, "{`match`:[`crm.example`]}").assertStatus(200);

    api.patch(JOBS + "j", "{`startTime`:`2035-01-01T00:00:00Z`}").assertStatus(200);
    api.patch(JOBS + "j", "{`action`:{`request`:{`uri`:`http://other.example/`}}}")
        .assertStatus(400);
    api.put(JOBS + "j", job("crm")).assertStatus(400);
    api.patch(JOBS + "j", "{`action`:{`request`:{`uri`:`http://crm.example/`}}}").assertStatus(200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a b", "a*b", "**", "", "-a"})
  void whatIsNoPatternOfCollectionsIsRefused(String pattern) {
    Answer answer = api.put(FLOW, "{`collections`:[`" + pattern + "`]}").assertStatus(400);

    assertTrue(answer.body().contains("collections: '" + pattern + "' must be"), answer::body);
  }

  @Test
  void aJobNamesAFlowThatIsThere() {
    Answer refused = api.put(JOBS + "j", job("crm")).assertStatus(400);
    api.put(FLOW, FOR_ALL).assertStatus(201);
    api.put(JOBS + "j", job("CRM")).assertStatus(201);

    assertTrue(refused.body().contains("action.flow: 'crm' names no flow"), refused::body);
    assertEquals("CRM", get(JOBS + "j").getJsonObject("action").getString("flow"));
    api.put(JOBS + "k", job("a b")).assertStatus(400);
  }

  @Test
  void aJobWhoseFlowIsGoneCanStillBeChanged() {
    api.put(FLOW, FOR_ALL).assertStatus(201);
    api.put(JOBS + "j", job("crm")).assertStatus(201);
    api.delete(FLOW).assertStatus(200);

    api.patch(JOBS + "j", "{`startTime`:`2035-01-01T00:00:00Z`}").assertStatus(200);
    api.patch(JOBS + "j", "{`action`:{`flow`:`other`}}").assertStatus(400);
  }

  @Test
  void allDialectsKnowTheFlowOfAnAction() {
    api.put(FLOW, FOR_ALL).assertStatus(201);

    api.put(arm("j"), "{`properties`:" + job("crm") + "}").assertStatus(201);

    assertEquals(
        "crm", get(arm("j")).getJsonObject("properties").getJsonObject("action").getString("flow"));
    assertEquals("crm", get(JOBS + "j").getJsonObject("action").getString("flow"));
  }

  @Test
  void changesOfFlowsAreInTheAuditLog() {
    api.put(FLOW, "{`parallelism`:1}").assertStatus(201);
    api.patch(FLOW, "{`parallelism`:2}").assertStatus(200);
    api.delete(FLOW).assertStatus(200);

    String audit = api.get("/audit").assertStatus(200).body();

    assertTrue(audit.contains("flow:default/default/crm"), audit);
    assertTrue(audit.contains("PATCH flow"), audit);
    assertTrue(audit.contains("DELETE flow"), audit);
  }

  @Test
  void theDefaultOfFailuresInARowGivesWayToARatioAndComesBackWithoutIt() {
    api.put(FLOW, "{`breaker`:{}}").assertStatus(201);
    assertEquals(10, get(FLOW).getJsonObject("breaker").getInteger("consecutive"));

    JsonObject ratio = api.patch(FLOW, "{`breaker`:{`ratio`:0.5}}").assertStatus(200).json();
    JsonObject none = api.patch(FLOW, "{`breaker`:{`ratio`:null}}").assertStatus(200).json();
    api.patch(FLOW, "{`breaker`:{`consecutive`:7}}").assertStatus(200);
    JsonObject both = api.patch(FLOW, "{`breaker`:{`ratio`:0.5}}").assertStatus(200).json();

    assertEquals(null, ratio.getJsonObject("breaker").getInteger("consecutive"));
    assertEquals(10, none.getJsonObject("breaker").getInteger("consecutive"));
    assertEquals(7, both.getJsonObject("breaker").getInteger("consecutive"), "as it was given");
    api.patch(FLOW, "{`breaker`:{`consecutive`:10}}").assertStatus(200);
    JsonObject given = api.patch(FLOW, "{`breaker`:{`ratio`:0.6}}").assertStatus(200).json();
    assertEquals(10, given.getJsonObject("breaker").getInteger("consecutive"), "beside a ratio");
  }

  @Test
  void aDefaultThatFollowsFromTheRestFollowsFromTheChangedRest() {
    api.put(FLOW, "{`rate`:{`limit`:5},`breaker`:{`consecutive`:5}}").assertStatus(201);

    JsonObject more =
        api.patch(FLOW, "{`rate`:{`limit`:100},`breaker`:{`pause`:`PT20M`}}")
            .assertStatus(200)
            .json();
    JsonObject less = api.patch(FLOW, "{`rate`:{`limit`:2}}").assertStatus(200).json();

    assertEquals(100, more.getJsonObject("rate").getInteger("burst"));
    assertEquals("PT20M", more.getJsonObject("breaker").getString("maxPause"));
    assertEquals(2, less.getJsonObject("rate").getInteger("burst"));
    api.patch(FLOW, "{`rate`:{`burst`:1}}").assertStatus(200);
    JsonObject own = api.patch(FLOW, "{`rate`:{`limit`:50}}").assertStatus(200).json();
    assertEquals(1, own.getJsonObject("rate").getInteger("burst"), "as the client gave it");
  }

  @Test
  void aGroupUsesUpNeitherTheFlowsNorTheCalendarsOfItsSubscription() {
    String calendar = "{`spans`:[{`date`:`2026-12-25`}]}";
    for (int i = 0; i < 40; i++) {
      api.put("/groups/s1/g1/flows/f" + i, "{}").assertStatus(201);
      api.put("/groups/s1/g1/calendars/c" + i, calendar).assertStatus(201);
    }

    api.put("/groups/s1/g1/flows/more", "{}")
        .assertStatus(409)
        .assertContains("The group has 40 flows already, as many as groups.flows allows.");
    api.put("/groups/s1/g1/calendars/more", calendar)
        .assertStatus(409)
        .assertContains("The group has 40 calendars already, as many as groups.calendars allows.");
    api.put("/groups/s1/g1/flows/f0", "{`parallelism`:1}").assertStatus(200);
    api.put("/groups/s1/g2/flows/more", "{}").assertStatus(201);
    api.put("/groups/s1/g2/calendars/more", calendar).assertStatus(201);
  }
}
