package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Test of requests to disable with the properties of a pause. */
class PauseApiTest extends WithScheduledJobs {
  private static final String DAILY =
      "{`action`:{`type`:`http`,`request`:{`uri`:`http://127.0.0.1:9/`,`method`:`GET`}},"
          + "`recurrence`:{`frequency`:`day`}}";
  private static final String PAUSE =
      "{`note`:`vendor down, ticket 4711`,`until`:`2026-12-02T06:00:00Z`}";

  private JsonObject pause() {
    return get(JOBS + "j").getJsonObject("pause");
  }

  @Test
  void whatIsSaidIsAnsweredWhileTheJobIsDisabled() {
    put("j", DAILY);

    api.post(JOBS + "j/disable", PAUSE).assertIs(200, "");

    assertEquals(
        new JsonObject()
            .put("since", "2026-11-20T18:00:00Z")
            .put("by", "anybody")
            .put("note", "vendor down, ticket 4711")
            .put("until", "2026-12-02T06:00:00Z")
            .put("reason", "client"),
        pause());
    api.post(JOBS + "j/enable").assertStatus(200);
    assertEquals(null, pause());
  }

  @Test
  void sinceWhenAndByWhomIsAnsweredWhereNothingWasSaid() {
    JsonObject pause =
        new JsonObject()
            .put("since", "2026-11-20T18:00:00Z")
            .put("by", "anybody")
            .put("reason", "client");
    put("j", DAILY);

    String etag = api.post(JOBS + "j/disable").assertStatus(200).etag();
    api.post("/jobcollections/default/disable").assertIs(200, "");

    assertEquals(pause, pause());
    assertEquals(pause, get("/jobcollections/default").getJsonObject("pause"));
    api.moveTo(ApiServer.START.plusSeconds(60));
    assertEquals(etag, api.post(JOBS + "j/disable").etag());
    assertEquals(pause, pause());
  }

  @Test
  void aRepeatChangesNothingAndOtherWordsReplaceIt() {
    put("j", DAILY);
    String first = api.post(JOBS + "j/disable", PAUSE).etag();

    assertEquals(first, api.post(JOBS + "j/disable", PAUSE).etag());
    assertEquals(first, api.post(JOBS + "j/disable").etag());
    assertNotEquals(first, api.post(JOBS + "j/disable", "{`note`:`still down`}").etag());

    assertEquals("still down", pause().getString("note"));
    assertEquals(null, pause().getString("until"));
  }

  @Test
  void aChangeKeepsThePauseAndOneThatEnablesEndsIt() {
    put("j", DAILY);
    api.post(JOBS + "j/disable", PAUSE).assertStatus(200);

    api.patch(JOBS + "j", "{`recurrence`:{`interval`:2}}").assertContains("`vendor down");
    api.patch(JOBS + "j", "{`state`:`enabled`}").assertLacks("vendor down");
    api.patch(JOBS + "j", "{`state`:`disabled`}").assertLacks("vendor down");
  }

  @Test
  void aJobCanBePutAsItWasAnswered() {
    put("j", DAILY);
    api.post(JOBS + "j/disable", PAUSE).assertStatus(200);

    api.put(JOBS + "j", get(JOBS + "j").encode()).assertStatus(200).assertLacks("vendor down");
  }

  @Test
  void theBoundOfFailuresPassesEachDoor() {
    String bounded = DAILY.substring(0, DAILY.length() - 1) + ",`pauseAfterFailures`:5}";
    put("j", bounded);
    assertEquals(5, get(JOBS + "j").getInteger("pauseAfterFailures"));
    api.patch(JOBS + "j", "{`pauseAfterFailures`:null}").assertLacks("pauseAfterFailures");

    api.put(arm("a"), "{`properties`:" + bounded + "}")
        .assertStatus(201)
        .assertContains("`pauseAfterFailures`:5");
  }

  @Test
  void resourceManagerAnswersItInsideTheProperties() {
    api.put(arm("a"), "{`properties`:" + DAILY + "}").assertStatus(201);
    api.post(arm("a").replace("?", "/disable?"), PAUSE).assertStatus(200);

    assertEquals(
        "vendor down, ticket 4711",
        api.get(arm("a"))
            .assertStatus(200)
            .json()
            .getJsonObject("properties")
            .getJsonObject("pause")
            .getString("note"));
  }

  @Test
  void aCollectionIsPausedLikewise() {
    api.post("/jobcollections/default/disable", PAUSE).assertIs(200, "");

    JsonObject pause = get("/jobcollections/default").getJsonObject("pause");
    assertEquals("vendor down, ticket 4711", pause.getString("note"));
    assertEquals("2026-12-02T06:00:00Z", pause.getString("until"));

    api.patch("/jobcollections/default", "{`tags`:{`a`:`b`}}").assertContains("vendor down");
    api.post("/jobcollections/default/disable").assertStatus(200);
    api.get("/jobcollections/default").assertContains("vendor down");
    api.post("/jobcollections/default/enable").assertStatus(200);
    api.get("/jobcollections/default").assertLacks("vendor down");
    api.post("/jobcollections/default/disable").assertStatus(200);
    api.get("/jobcollections/default").assertLacks("vendor down");
  }

  @Test
  void resourceManagerPausesACollectionLikewise() {
    String collection = arm("a").replace("/jobs/a", "");
    api.post(collection.replace("?", "/disable?"), PAUSE).assertStatus(200);

    assertEquals(
        "vendor down, ticket 4711",
        api.get(collection)
            .assertStatus(200)
            .json()
            .getJsonObject("properties")
            .getJsonObject("pause")
            .getString("note"));
  }

  @Test
  void aCollectionThatIsPutAnewHasNoPause() {
    api.post("/jobcollections/default/disable", PAUSE).assertStatus(200);

    api.put("/jobcollections/default", get("/jobcollections/default").encode())
        .assertStatus(200)
        .assertLacks("vendor down");
  }

  @Test
  void aPauseOfACollectionKeepsToTheSameRules() {
    api.post("/jobcollections/default/disable", "{`until`:`2020-01-01`}")
        .assertError(
            400, "BadRequest", "until: '2020-01-01' must be later than now, 2026-11-20T18:00:00Z");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "{`note`:``} | note: must not be empty; leave it out instead",
        "{`note`:`  `} | note: must not be empty; leave it out instead",
        "{`note`:4711} | note: 4711 must be a string",
        "{`note`:[`a`]} | note: an array must be a string",
        "{`note`:{}} | note: an object must be a string",
        "{`Notes`:`a`} | Notes: this property is not known here; known are note, until",
        "{`until`:`2026-11-20T18:00:00Z`} | until: '2026-11-20T18:00:00Z' must be later than now, 2026-11-20T18:00:00Z",
        "{`until`:`2020-01-01`} | until: '2020-01-01' must be later than now, 2026-11-20T18:00:00Z",
        "{`until`:`2037-01-01`} | until: '2037-01-01' must be at most 3660 days ahead",
        "{`reason`:`client`} | reason: this property is not known here; known are note, until",
        "{`by`:`me`} | by: this property is not known here; known are note, until",
        "[] | Malformed pause: it is not a JSON object",
        "hello | Malformed pause: it is not JSON at line 1, column 1",
        "{`until`:null,`note`:true} | note: true must be a string",
        "{`note`:`a\\u0000b`} | note: 'a\\\\u0000b' must have no control characters but line breaks and tabs",
        "{`note`:`\\u001b[31mred`} | note: '\\\\u001b[31mred' must have no control characters but line breaks and tabs"
      })
  void whatBreaksARuleIsRefused(String body, String message) {
    put("j", DAILY);

    api.post(JOBS + "j/disable", body).assertError(400, "BadRequest", message);
  }

  @Test
  void aNoteIsBounded() {
    put("j", DAILY);

    api.post(JOBS + "j/disable", "{`note`:`" + "n".repeat(501) + "`}")
        .assertError(400, "BadRequest", "note: 501 characters are more than the 500 allowed");
    api.post(JOBS + "j/disable", "{`until`:`soon`}").assertContains("until: 'soon' ");
    api.post(JOBS + "j/disable", "{`until`:60}").assertContains("until: 60 ");
  }
}
