package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.job.attempt.HistoryEntry.Reason;
import io.vertx.core.json.JsonObject;
import io.vertx.redis.client.Command;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Test that a pause of everything or of a group holds back its jobs like a pause of a collection.
 */
class PauseEverythingTest extends WithEngine {
  private static final String GROUP = "/groups/default/default";

  /** Moves the clocks of both nodes to this instant. */
  private void moveTo(Instant now) {
    api.moveTo(now);
    engine.stepTo(now);
    engine.beat();
    engine.step();
  }

  private void post(String path, String body) {
    api.post(path, body).assertStatus(200);
  }

  private JsonObject waits() {
    return api.get(J).assertStatus(200).json().getJsonObject("waits");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", GROUP})
  void aOneTimeJobWaitsAndRunsWhenThePauseEnds(String scope) {
    api.put(J, job(at("12:00:10"))).assertStatus(201);
    post(scope + "/pause", "{`note`:`INC-123`}");

    moveTo(at("12:01:00"));

    assertEquals(List.of(), target.calls());
    assertEquals("INC-123", waits().getString("note"));
    post(scope + "/resume", "");
    moveTo(at("12:01:10"));
    assertEquals(1, target.calls().size());
    assertNull(waits());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", GROUP})
  void occurrencesOfARecurringJobAreSkipped(String scope) {
    api.put(J, job().startTime(at("12:00:10")).every("minute").json()).assertStatus(201);
    post(scope + "/pause", "{}");

    moveTo(at("12:00:20"));

    assertEquals(List.of(), target.calls());
    assertEquals(Optional.of(Reason.COLLECTION_DISABLED), skipped().get(0).reason());
    String what = scope.isEmpty() ? "everything" : "the group";
    assertEquals("Not performed: " + what + " is paused", skipped().get(0).message());
    post(scope + "/resume", "");
    moveTo(at("12:01:20"));
    assertEquals(1, target.calls().size());
  }

  @Test
  void aPauseEndsAutomatically() {
    api.put(J, job(at("12:00:10"))).assertStatus(201);
    post("/pause", "{`until`:`2026-11-20T12:05:00Z`}");

    moveTo(at("12:04:00"));
    assertEquals(List.of(), target.calls());
    moveTo(at("12:05:10"));
    moveTo(at("12:05:20"));

    assertEquals(1, target.calls().size());
    assertNull(api.get("/pause").json().getJsonObject("pause"));
  }

  @ParameterizedTest
  @CsvSource({"/pause, everything", "/jobcollections/default/disable, collection"})
  void aPlannedPauseHoldsBackWhatIsDueAtItsVeryInstantAndNothingBefore(String path, String what) {
    api.put(J, job().startTime(at("12:09:00")).every("minute").json()).assertStatus(201);
    post(path, "{`from`:`2026-11-20T12:10:00Z`,`until`:`2026-11-20T12:12:30Z`}");

    moveTo(at("12:09:00"));
    assertEquals(1, target.calls().size());
    assertNull(waits());
    moveTo(at("12:10:00"));
    assertEquals(1, target.calls().size());
    assertEquals(what, waits().getString("for"));
    moveTo(at("12:11:00"));
    moveTo(at("12:12:00"));
    assertEquals(1, target.calls().size());
    moveTo(at("12:12:40"));
    moveTo(at("12:13:00"));

    assertEquals(2, target.calls().size());
    assertEquals(3, skipped().size());
  }

  /** The end of a pause takes effect before the next heartbeat. */
  @ParameterizedTest
  @ValueSource(strings = {"/pause", GROUP + "/pause", "/jobcollections/default/disable"})
  void whatIsDueAtTheVeryEndRunsAndIsNotSkipped(String pause) {
    api.put(J, job().startTime(at("12:09:00")).every("minute").json()).assertStatus(201);
    post(pause, "{`until`:`2026-11-20T12:10:00Z`}");
    moveTo(at("12:09:00"));

    api.moveTo(at("12:10:00"));
    engine.stepTo(at("12:10:00"));

    assertEquals(1, target.calls().size());
    assertEquals(1, skipped().size());
    assertNull(waits());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{}", "{`note`:`again`}"})
  void anotherPauseBeginsAnewWhereTheOneBeforeIsOver(String body) {
    post("/pause", "{`until`:`2026-11-20T12:10:00Z`}");

    api.moveTo(at("12:10:00"));
    post("/pause", body);

    api.get("/pause").assertContains("`since`:`2026-11-20T12:10:00Z`").assertLacks("until");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{}"})
  void anotherPauseThatSaysNothingKeepsWhatWasSaid(String body) {
    post("/pause", "{`note`:`INC-123`,`until`:`2026-11-20T13:00:00Z`}");

    post("/pause", body);

    api.get("/pause").assertContains("INC-123", "`until`:`2026-11-20T13:00:00Z`");
  }

  @Test
  void theWidestPauseIsToldAndEachHoldsForItself() {
    api.put(J, job(at("12:00:10"))).assertStatus(201);
    post("/jobcollections/default/disable", "");
    post(GROUP + "/pause", "");
    post("/pause", "");
    moveTo(at("12:00:20"));

    assertEquals("everything", waits().getString("for"));
    post("/resume", "");
    moveTo(at("12:00:30"));
    assertEquals("group", waits().getString("for"));
    assertEquals("default/default", waits().getString("name"));
    post(GROUP + "/resume", "");
    moveTo(at("12:00:40"));
    assertEquals("collection", waits().getString("for"));
    assertEquals(List.of(), target.calls());
    post("/jobcollections/default/enable", "");
    moveTo(at("12:00:50"));

    assertEquals(1, target.calls().size());
  }

  @Test
  void anotherGroupGoesOn() {
    api.put(J, job(at("12:00:10"))).assertStatus(201);
    post("/groups/default/other/pause", "");

    moveTo(at("12:00:20"));

    assertEquals(1, target.calls().size());
  }

  @Test
  void collectionsAndTheListOfPausesTellWhichWiderPauseHoldsThemBack() {
    post("/pause", "{`note`:`CHG-1`,`from`:`2026-11-20T14:00:00Z`}");
    post(GROUP + "/pause", "{`note`:`INC-123`}");
    String waits =
        "`waits`:{`for`:`group`,`name`:`default/default`,"
            + "`since`:`2026-11-20T12:00:00Z`,`by`:`anybody`,`note`:`INC-123`}";

    api.get("/overview")
        .assertContains("Group 'default/default' is paused", "`link`:`/collections`");
    api.get("/pauses")
        .assertStatus(200)
        .assertContains("{`value`:[{`for`:`everything`,`since`:`2026-11-20T14:00:00Z`")
        .assertContains("{`for`:`group`,`name`:`default/default`,");
    api.get("/jobcollections/default").assertContains("`state`:`enabled`", waits);
    api.get("/jobcollections").assertContains(waits);
    String answered = api.get("/jobcollections/default").body();
    api.put("/jobcollections/default", answered).assertStatus(200).assertContains(waits);
    post(GROUP + "/resume", "");
    api.get("/jobcollections/default").assertLacks("waits");
  }

  @Test
  void theOverviewAndTheAuditLogSayWhoPausedEverything() {
    post("/pause", "{`note`:`INC-123`,`until`:`2026-11-20T13:00:00Z`}");

    String overview = api.get("/overview").assertStatus(200).body();
    assertTrue(overview.contains("Everything is paused"), overview);
    assertTrue(
        overview.contains("By anybody: INC-123, until 2026-11-20T13:00:00Z. No job"), overview);
    api.get("/audit?$filter=object%20eq%20'pause:*'").assertContains("pause:*", "INC-123");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{`from`:`2026-11-20T11:00:00Z`} | from: '2026-11-20T11:00:00Z' must be later than now",
        "{`until`:`2026-11-20T11:00:00Z`} | until: '2026-11-20T11:00:00Z' must be later than now",
        "{`from`:`2026-11-20T14:00:00Z`,`until`:`2026-11-20T13:00:00Z`} | must be later than from",
        "{`because`:`x`} | because"
      })
  void whatBreaksARuleIsRefused(String body, String message) {
    api.post("/pause", body).assertStatus(400).assertContains(message);
    api.get("/pause").assertIs(200, "{}");
  }

  @ParameterizedTest
  @CsvSource({"/pause, /resume", "/jobcollections/default/disable, /jobcollections/default/enable"})
  void aPauseAndAPlannedOneDoNotReplaceEachOther(String pause, String resume) {
    api.put(J, job().startTime(at("12:09:00")).every("minute").json()).assertStatus(201);
    String plan = "{`note`:`CHG-99`,`from`:`2026-11-20T12:10:00Z`,`until`:`2026-11-20T12:12:30Z`}";
    post(pause, plan);
    post(pause, "{`note`:`INC-7`}");
    post(resume, "");
    moveTo(at("12:09:00"));
    assertEquals(1, target.calls().size());
    post(pause, "{`note`:`INC-8`}");
    post(pause, plan);
    api.get(pause.equals("/pause") ? "/pauses" : "/jobcollections/default")
        .assertContains("INC-8", "`planned`:{`since`:`2026-11-20T12:10:00Z`", "CHG-99");

    moveTo(at("12:09:20"));
    post(resume, "");
    moveTo(at("12:10:00"));
    moveTo(at("12:11:00"));
    assertEquals("CHG-99", waits().getString("note"));
    moveTo(at("12:12:00"));
    assertEquals(1, target.calls().size());
    moveTo(at("12:12:40"));
    moveTo(at("12:13:00"));

    assertEquals(2, target.calls().size());
  }

  @ParameterizedTest
  @ValueSource(strings = {"/pause", "/jobcollections/default/disable"})
  void aPlannedPauseFollowsOneThatEndsAutomatically(String pause) {
    api.put(J, job().startTime(at("12:04:00")).every("minute").json()).assertStatus(201);
    post(pause, "{`note`:`CHG-99`,`from`:`2026-11-20T12:05:00Z`,`until`:`2026-11-20T12:07:30Z`}");
    post(pause, "{`note`:`INC-7`,`until`:`2026-11-20T12:05:00Z`}");

    for (int minute = 4; minute < 8; minute++) {
      moveTo(at("12:0" + minute + ":00"));
      assertEquals(List.of(), target.calls());
      if (minute == 6) {
        assertEquals("CHG-99", waits().getString("note"));
      }
    }
    moveTo(at("12:07:40"));
    moveTo(at("12:08:00"));

    assertEquals(1, target.calls().size());
  }

  @Test
  void aResumeInThePlannedWindowEndsIt() {
    post("/pause", "{`from`:`2026-11-20T12:05:00Z`,`until`:`2026-11-20T12:30:00Z`}");
    post("/pause", "{}");
    moveTo(at("12:06:00"));

    post("/resume", "");

    api.get("/pause").assertIs(200, "{}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"nonsense", "-1", "5 nonsense", "5 {}", "{}", "5 {`since`:`x`}"})
  void aDamagedEntryIsToldHoldsBackAndIsMended(String entry) {
    api.put(J, job(at("12:00:10"))).assertStatus(201);
    post("/pause", "{`note`:`INC-123`}");
    engine.redis(Command.HSET, "carillon:pauses", "*", entry.replace('`', '"'), "x", "nonsense");

    moveTo(at("12:06:00"));
    moveTo(at("12:06:10"));

    assertEquals(List.of(), target.calls());
    assertEquals("The stored pause is damaged: resume, or pause anew", waits().getString("note"));
    api.get("/overview").assertStatus(200).assertContains("The stored pause is damaged");
    api.get("/pause").assertStatus(200).assertContains("The stored pause is damaged");
    post("/pause", "");
    api.get("/pause").assertContains("`since`:`2026-11-20T12:06:10Z`").assertLacks("damaged");
    post("/resume", "");
    moveTo(at("12:06:20"));
    assertEquals(1, target.calls().size());
  }

  @Test
  void whereTheKeyHoldsAnotherTypeTheOverviewAndJobsAreStillShown() {
    api.put(J, job(at("12:00:10"))).assertStatus(201);
    post("/pause", "");
    engine.redis(Command.SET, "carillon:pauses", "nonsense");

    moveTo(at("12:00:20"));

    assertEquals(List.of(), target.calls());
    assertEquals("everything", waits().getString("for"));
    api.get("/overview").assertStatus(200).assertContains("The stored pause is damaged");
  }

  @Test
  void aCollectionSaysWhichPauseIsPlannedForItAndThenThatItIsDisabled() {
    plan();
    String pause = "`pause`:{`since`:`2026-11-20T12:10:00Z`,`by`:`anybody`,`note`:`CHG-88`";

    api.get("/jobcollections/default").assertContains("`state`:`enabled`", pause);
    api.get("/overview").assertContains("Collection 'default' will be disabled");
    moveTo(at("12:10:00"));
    api.get("/overview").assertContains("Collection 'default' is disabled");
    moveTo(at("12:10:10"));

    api.get("/jobcollections/default").assertContains("`state`:`disabled`", pause);
    String log = api.get("/audit?%24filter=object%20eq%20%27default/default/default%27").body();
    assertTrue(log.contains("\"by\":\"carillon\""), log);
  }

  private void plan() {
    post("/jobcollections/default/disable", "{`note`:`CHG-88`,`from`:`2026-11-20T12:10:00Z`}");
  }

  @Test
  void enableCancelsThePlanOfACollection() {
    api.put(J, job(at("12:10:00"))).assertStatus(201);
    plan();

    post("/jobcollections/default/enable", "");
    moveTo(at("12:10:00"));

    assertEquals(1, target.calls().size());
    api.get("/jobcollections/default").assertContains("`state`:`enabled`").assertLacks("pause");
  }

  @Test
  void aDocumentOfACollectionKeepsItsPlan() {
    plan();

    api.put("/jobcollections/default", "{`tags`:{`a`:`b`}}").assertStatus(200);
    api.patch("/jobcollections/default", "{`tags`:{`a`:`c`}}").assertStatus(200);

    api.get("/jobcollections/default").assertContains("`note`:`CHG-88`", "`a`:`c`");
  }

  @Test
  void aCollectionWithAPlanIsDisabledAtOnceWhenSomebodyAsksForThat() {
    plan();

    post("/jobcollections/default/disable", "{`note`:`INC-123`}");

    api.get("/jobcollections/default")
        .assertContains("`state`:`disabled`", "`since`:`2026-11-20T12:00:00Z`", "INC-123");
  }

  @Test
  void aPlanWithTheNoteAndEndOfThePauseThatGoesOnIsAPlanAllTheSame() {
    post("/jobcollections/default/disable", "{`until`:`2026-11-20T13:00:00Z`}");

    post(
        "/jobcollections/default/disable",
        "{`from`:`2026-11-20T12:30:00Z`,`until`:`2026-11-20T13:00:00Z`}");

    api.get("/jobcollections/default").assertContains("`planned`:{`since`:`2026-11-20T12:30:00Z`");
  }

  @Test
  void noPauseIsPlannedWhereADocumentDisables() {
    api.put("/jobcollections/default", "{`state`:`disabled`}").assertStatus(200);

    api.post("/jobcollections/default/disable", "{`from`:`2026-11-20T12:10:00Z`}")
        .assertStatus(400)
        .assertContains("from: must be left out while the state in its document");
  }

  @ParameterizedTest
  @CsvSource({
    "`from`:`2026-11-20T11:00:00Z`, must be later than now",
    "`from`:`2026-11-20T14:00:00Z`;`until`:`2026-11-20T13:00:00Z`, must be later than from"
  })
  void aPlanThatMakesNoSenseIsRefused(String plan, String rule) {
    api.post("/jobcollections/default/disable", "{" + plan.replace(';', ',') + "}")
        .assertStatus(400)
        .assertContains(rule);
  }

  @Test
  void aWindowThatNoHeartbeatSawIsForgottenWhenItIsOver() {
    api.put(J, job(at("12:30:00"))).assertStatus(201);
    post(
        "/jobcollections/default/disable",
        "{`from`:`2026-11-20T12:10:00Z`,`until`:`2026-11-20T12:20:00Z`}");

    moveTo(at("12:30:00"));

    assertEquals(1, target.calls().size());
    moveTo(at("12:30:10"));
    api.get("/jobcollections/default").assertContains("`state`:`enabled`").assertLacks("pause");
  }

  @Test
  void onlyACollectionGroupOrEverythingHasAPlan() {
    api.put(J, job(at("12:30:00"))).assertStatus(201);

    api.post(J + "/disable", "{`from`:`2026-11-20T12:10:00Z`}")
        .assertStatus(400)
        .assertContains("from");
  }
}
