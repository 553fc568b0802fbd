package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonObject;
import org.junit.jupiter.api.Test;

/**
 * Test of {@code missed}, {@code startWithin}, {@code jitter}, {@code overlap} and {@code priority}
 * as clients write and read them.
 */
class LateOccurrencesApiTest extends WithScheduledJobs {
  private static String daily(String more) {
    return "{`action`:{`type`:`http`,`request`:{`uri`:`http://127.0.0.1:9/`,`method`:`GET`}},"
        + "`startTime`:`2026-11-21T00:00:00Z`,`recurrence`:{`frequency`:`day`}"
        + more
        + "}";
  }

  private static JsonObject json(String text) {
    return new JsonObject(text.replace('`', '"'));
  }

  private static final String ALL = ",`missed`:{`run`:`all`,`max`:24,`pace`:`PT5S`}";

  @Test
  void aJobIsAnsweredAsItWasGiven() {
    put("j", daily(ALL + ",`startWithin`:`PT2H`"));

    JsonObject job = get(JOBS + "j");

    assertEquals(json("{`run`:`all`,`max`:24,`pace`:`PT5S`}"), job.getJsonObject("missed"));
    assertEquals("PT2H", job.getString("startWithin"));
  }

  @Test
  void aJobWithoutThemAnswersNothingNew() {
    put("j", daily(""));

    assertNull(get(JOBS + "j").getValue("missed"));
    assertNull(get(JOBS + "j").getValue("startWithin"));
  }

  @Test
  void aChangeKeepsWhatItDoesNotMention() {
    put("j", daily(ALL + ",`startWithin`:`PT2H`"));

    api.patch(JOBS + "j", "{`missed`:{`max`:5}}").assertStatus(200);
    assertEquals(
        json("{`run`:`all`,`max`:5,`pace`:`PT5S`}"), get(JOBS + "j").getJsonObject("missed"));

    api.patch(JOBS + "j", "{`startWithin`:null}").assertStatus(200);
    assertNull(get(JOBS + "j").getValue("startWithin"));
  }

  @Test
  void anotherChoiceReplacesTheOld() {
    put("j", daily(ALL));

    api.patch(JOBS + "j", "{`missed`:{`run`:`none`}}").assertStatus(200);
    assertEquals(json("{`run`:`none`}"), get(JOBS + "j").getJsonObject("missed"));

    api.patch(JOBS + "j", "{`startWithin`:`PT1H`}")
        .assertError(
            400,
            "BadRequest",
            "startWithin: 'PT1H' does not go with missed.run 'none', which is a startWithin of"
                + " PT1M; leave one out");
  }

  @Test
  void overlapIsAnsweredAsItWasGiven() {
    put("j", daily(",`overlap`:`bufferAll`,`bufferMax`:3"));

    JsonObject job = get(JOBS + "j");

    assertEquals("bufferAll", job.getString("overlap"));
    assertEquals(3, job.getInteger("bufferMax"));
  }

  @Test
  void aPriorityIsAnsweredAsItWasGiven() {
    put("j", daily(",`priority`:0"));
    assertNull(get(JOBS + "j").getValue("priority"));

    api.patch(JOBS + "j", "{`priority`:-10}").assertStatus(200);
    assertEquals(-10, get(JOBS + "j").getInteger("priority"));

    api.patch(JOBS + "j", "{`priority`:null}").assertStatus(200);
    assertNull(get(JOBS + "j").getValue("priority"));
  }

  @Test
  void aRunCanAskToBeAlone() {
    put("j", daily(""));

    api.post(JOBS + "j/run?overlap=skip").assertStatus(202);
    api.post(JOBS + "j/run?overlap=skip")
        .assertError(409, "Conflict", "Job 'j' is not run: another execution is under way.");
    api.post(JOBS + "j/run?overlap=allowAll").assertStatus(202);
    api.post(JOBS + "j/run?overlap=bufferOne")
        .assertError(400, "BadRequest", "overlap: 'bufferOne' must be one of allowAll, skip");
  }

  @Test
  void anotherOverlapForgetsHowManyMayWait() {
    put("j", daily(",`overlap`:`bufferAll`,`bufferMax`:3"));

    api.patch(JOBS + "j", "{`overlap`:`skip`}").assertStatus(200);
    assertEquals("skip", get(JOBS + "j").getString("overlap"));
    assertNull(get(JOBS + "j").getValue("bufferMax"));

    api.patch(JOBS + "j", "{`overlap`:null}").assertStatus(200);
    assertNull(get(JOBS + "j").getValue("overlap"));
  }

  @Test
  void resourceManagerHasTheSameProperties() {
    api.put(arm("a"), "{`properties`:" + daily(ALL + ",`startWithin`:`02:00:00`") + "}")
        .assertStatus(201);

    JsonObject properties = api.get(arm("a")).assertStatus(200).json().getJsonObject("properties");

    assertEquals(
        json("{`run`:`all`,`max`:24,`pace`:`00:00:05`}"), properties.getJsonObject("missed"));
    assertEquals("02:00:00", properties.getString("startWithin"));
  }

  @Test
  void aDelayIsAnsweredAsAnObjectAndPreviewed() {
    put("j", daily(",`jitter`:`PT15M`"));

    assertEquals(
        json("{`upTo`:`PT15M`,`per`:`occurrence`}"), get(JOBS + "j").getJsonObject("jitter"));
    assertEquals(
        "2026-11-21T00:00:00Z",
        get(JOBS + "j").getJsonObject("status").getString("nextExecutionTime"));
    JsonObject upcoming = get(JOBS + "j/occurrences");
    JsonObject preview =
        api.post(
                "/preview",
                "{`startTime`:`2026-11-21T00:00:00Z`,`recurrence`:{`frequency`:`day`},"
                    + "`jitter`:`PT15M`,`job`:`default/default/default/j`}")
            .assertStatus(200)
            .json();
    assertEquals(upcoming.getJsonArray("planned"), preview.getJsonArray("planned"));
    String planned = preview.getJsonArray("planned").getString(0);
    assertTrue(planned.startsWith("2026-11-21T00:"), planned);
    assertEquals("2026-11-21T00:00:00Z", preview.getJsonArray("occurrences").getString(0));

    api.patch(JOBS + "j", "{`jitter`:{`per`:`job`}}").assertStatus(200);
    assertEquals(json("{`upTo`:`PT15M`,`per`:`job`}"), get(JOBS + "j").getJsonObject("jitter"));
  }
}
