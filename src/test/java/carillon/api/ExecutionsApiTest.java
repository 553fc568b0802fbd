package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.cli.CarillonCommands;
import carillon.support.Engine;
import carillon.support.JobJson;
import io.vertx.core.json.JsonObject;
import io.vertx.redis.client.Command;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Test of the executions of all jobs. */
class ExecutionsApiTest extends WithEngine {
  private static final String JOBS = "/jobcollections/default/jobs/";

  /** Creates a success, a final failure, and a failure whose retry succeeds. */
  private void run() {
    api.put(JOBS + "well", job(at("12:01:00")));
    engine.stepTo(at("12:01:00"));
    target.answer(503);
    api.put(JOBS + "Bad", job().noRetry().startTime(at("12:02:00")).json());
    engine.stepTo(at("12:02:00"));
    api.put(JOBS + "mended", job().fixedRetry("PT30S", 1).startTime(at("12:03:00")).json());
    engine.stepTo(at("12:03:00"));
    target.answer(200);
    engine.stepTo(at("12:03:30"));
  }

  private List<String> listed(String query) {
    return api.get("/executions" + query).assertStatus(200).json().getJsonArray("value").stream()
        .map(
            one ->
                ((JsonObject) one).getString("job") + " " + ((JsonObject) one).getString("state"))
        .toList();
  }

  @Test
  void whatFailedOrRecoveredIsListedNewestFirstWithWhatCameOfIt() {
    run();

    assertEquals(List.of("mended completed", "mended retrying", "Bad failed"), listed(""));
    JsonObject bad =
        api.get("/executions?state=failed").json().getJsonArray("value").getJsonObject(0);
    assertEquals(503, bad.getInteger("statusCode"));
    assertEquals("answer", bad.getString("message"));
    assertEquals("default", bad.getString("collection"));
    assertEquals(target.url("").replaceAll("https?://|/$", ""), bad.getString("destination"));
    api.get(JOBS + "bad/history/" + bad.getString("id")).assertStatus(200);
  }

  @ParameterizedTest
  @CsvSource({
    "?code=5xx, 2",
    "?code=200, 1",
    "?state=retrying, 1",
    "?collection=default, 3",
    "?collection=default&job=BAD, 1",
    "?collection=default/default/other, 0",
    "?destination=nowhere:80, 0",
    "?destination=[::1]:80, 0",
    "?destination=Carillon-Queue, 0",
    "?since=2026-11-20T12:03:00Z&until=2026-11-20T12:03:00Z, 0",
    "?since=2026-11-20T12:03:00Z, 2",
    "?until=2026-11-20T12:03:00Z, 1",
    "?since=2026-11-20T12:03:00Z&until=2026-11-20T12:03:10Z, 1",
  })
  void aQueryNamesWhichAreListed(String query, int count) {
    run();

    assertEquals(count, listed(query).size());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "?code=9xx|code: '9xx' must be a status",
        "?state=bad|state: 'bad' must be one of",
        "?since=yesterday|since: 'yesterday'",
        "?state=running&code=5xx|code: '5xx' does not go with state=running",
        "?state=running&$skiptoken=1-0_0|$skiptoken: must be the token of a nextLink",
        "?job=j|job: 'j' needs a collection",
        "?collection=default&job=a/b|job: 'a/b' must begin with",
        "?collection=a/b|collection: 'a/b' must be a name",
        "?collection=a/b/c/d|collection: 'a/b/c/d' must be a name",
        "?destination=http://a:80|destination: 'http://a:80' must be host:port",
        "?destination=a|destination: 'a' must be host:port",
        "?since=2026-11-20T12:00:01Z&until=2026-11-20T12:00:00Z"
            + "|since: '2026-11-20T12:00:01Z' must not be later than until, '2026-11-20T12:00:00Z'",
      })
  void aQueryThatMeansNothingIsRefusedWithNameValueAndRule(String query, String message) {
    Answer answer = api.get("/executions" + query).assertStatus(400);

    assertTrue(answer.body().contains(message), answer::body);
  }

  @Test
  void aDamagedNameIsThatOfTheKey() {
    target.answer(503);
    api.put(JOBS + "bad", job().noRetry().startTime(at("12:01:00")).json());
    String slot = Engine.slot("bad");
    engine.redis(Command.HSET, slot + "job:" + Engine.name("bad").key(), "name", "nonsense");
    engine.stepTo(at("12:01:00"));

    assertEquals(List.of("bad failed"), listed(""));
    assertEquals("bad", target.calls().get(0).headers().get("carillon-job"));

    String entry =
        engine
            .redis(Command.XRANGE, slot + "outcomes", "-", "+")
            .get(0)
            .get(1)
            .get(3)
            .toString()
            .replace("default/bad", "nonsense");
    engine.redis(
        Command.XADD, slot + "outcomes", "*", "job", Engine.name("bad").key(), "execution", entry);
    assertEquals(List.of("bad failed", "bad failed"), listed(""));
  }

  @Test
  void pagesFollowEachOther() {
    run();

    JsonObject first = api.get("/executions?$top=2").json();

    assertEquals(2, first.getJsonArray("value").size());
    JsonObject second =
        api.get(first.getString("nextLink").replaceFirst("https?://[^/]*", "")).json();
    assertEquals("Bad", second.getJsonArray("value").getJsonObject(0).getString("job"));
    assertEquals(null, second.getString("nextLink"));
  }

  /** Begins calls that the target does not answer, one after the other. */
  private void hang(String... names) {
    target.hold();
    for (int i = 0; i < names.length; i++) {
      Instant start = at("12:01:0" + i);
      api.put(JOBS + names[i], job(start));
      clock.set(start);
      engine.poll();
      target.awaitCalls(i + 1);
    }
  }

  @Test
  void whatIsInFlightIsListedUntilItEndsTheOldestFirst() {
    hang("first", "Second");

    Answer answer = api.get("/executions?state=running").assertStatus(200);

    assertEquals(List.of("first running", "second running"), listed("?state=running"));
    assertEquals(List.of("second running"), listed("?state=running&collection=default&job=SECOND"));
    assertEquals(List.of(), listed("?state=running&collection=default/default/other"));
    JsonObject first = answer.json().getJsonArray("value").getJsonObject(0);
    assertEquals("node", first.getString("node"));
    assertEquals(1, first.getInteger("attempt"));
    assertEquals("2026-11-20T12:01:00Z", first.getString("startTime"));
    assertEquals(
        target.calls().get(0).headers().get("idempotency-key"), first.getString("executionId"));
    target.release();
    engine.awaitIdle();
    assertEquals(List.of(), listed("?state=running"));
  }

  @Test
  void pagesOfWhatIsInFlightFollowEachOther() {
    hang("a", "b", "c");

    JsonObject page = api.get("/jobcollections/default/executions?state=running&$top=2").json();

    assertEquals(2, page.getJsonArray("value").size());
    JsonObject rest = api.get(page.getString("nextLink").replaceFirst("https?://[^/]*", "")).json();
    assertEquals("c", rest.getJsonArray("value").getJsonObject(0).getString("job"));
    assertEquals(null, rest.getString("nextLink"));
    target.release();
    engine.awaitIdle();
  }

  @Test
  void theCommandLineRunsWhatFailedForGoodAgain() {
    run();
    target.answer(503);
    api.put(JOBS + "again", job().noRetry().startTime(at("12:04:00")).json());
    api.put(JOBS + "later", job().noRetry().startTime(at("12:05:00")).every("hour").json());
    engine.stepTo(at("12:04:00"));
    engine.stepTo(at("12:05:00"));
    CarillonCommands carillon = new CarillonCommands("http://127.0.0.1:" + api.port());

    CarillonCommands.Run planned =
        carillon.type("executions", "retry", "--code=5xx", "--dry-run").ok();
    assertEquals(
        List.of(
            "default/later to be started",
            "default/again to be retried",
            "default/Bad to be retried"),
        planned.lines());
    assertEquals("faulted", api.get(JOBS + "bad").json().getString("state"));
    target.hold(); // the retry does not fail in the meantime
    assertEquals(
        List.of("default/Bad retried"),
        carillon.type("executions", "retry", "--collection=default", "--job=bad").ok().lines());
    assertEquals("enabled", api.get(JOBS + "bad").json().getString("state"));
    assertEquals(
        List.of("default/later started", "default/again retried"),
        carillon.type("executions", "retry", "--yes").lines());
    assertEquals(2, carillon.type("executions", "--code=5xx", "retry").code());
    target.release();
    engine.awaitIdle();
  }

  @Test
  void aCollectionHasItsOwn() {
    run();

    Answer own = api.get("/jobcollections/default/executions?state=failed").assertStatus(200);

    assertEquals(1, own.json().getJsonArray("value").size());
    api.get("/jobcollections/other/executions").assertStatus(404);
  }

  @Test
  void whatFailsAgainAndAgainNeedsAttention() {
    target.answer(503);
    api.put(JOBS + "bad", job().noRetry().startTime(at("12:01:00")).every("minute").json());
    for (int minute = 1; minute <= 5; minute++) {
      engine.stepTo(at("12:0" + minute + ":00"));
    }
    api.moveTo(at("12:06:00"));

    String failing = api.get("/overview").json().getJsonArray("attention").encode();

    assertTrue(failing.contains("Job 'default/bad' fails"), failing);
    assertTrue(failing.contains("5 executions were given up within a day"), failing);
    assertTrue(failing.contains("/c/default/j/bad"), failing);
    target.answer(200);
    engine.stepTo(at("12:06:00"));
    api.moveTo(at("12:07:00"));
    String mended = api.get("/overview").json().getJsonArray("attention").encode();
    assertFalse(mended.contains("'default/bad'"), mended);
  }

  @Test
  void aDurationMeansSoLongAgo() {
    run();
    api.moveTo(at("12:04:00"));

    assertEquals(List.of("mended completed", "mended retrying"), listed("?since=1m"));
    assertEquals(List.of("Bad failed"), listed("?until=PT61S&since=2m"));
    assertEquals(List.of(), listed("?since=1s"));
    api.get("/executions?since=1h&until=2h").assertStatus(400);
    api.get("/executions?since=999999999Y").assertStatus(400);
    api.get("/executions?since=P999999999Y999999999M").assertStatus(400);
  }

  @Test
  void moreJobsThatFailThanAreNamedAreCounted() {
    target.answer(503);
    for (int i = 0; i < 8; i++) {
      api.put(JOBS + "bad" + i, job().noRetry().startTime(at("12:01:00")).every("minute").json());
    }
    engine.stepTo(at("12:01:00"));
    engine.stepTo(at("12:02:00"));
    api.moveTo(at("12:03:00"));

    String failing = api.get("/overview").json().getJsonArray("attention").encode();

    assertEquals(6, failing.split("Job 'default/bad", -1).length, failing);
    assertTrue(failing.contains("3 more jobs fail"), failing);
    assertTrue(failing.contains("\"link\":\"/failed\""), failing);
  }

  @Test
  void faultedJobsLinkToWhereTheyCanBeRetried() {
    target.answer(503);
    api.put(JOBS + "once", job().noRetry().startTime(at("12:01:00")).json());
    engine.stepTo(at("12:01:00"));
    api.moveTo(at("12:02:00"));

    String attention = api.get("/overview?scope=default").json().getJsonArray("attention").encode();

    assertTrue(attention.contains("1 job has faulted"), attention);
    assertTrue(attention.contains("\"link\":\"/failed\""), attention);
  }

  @Test
  void whatWasSkippedDoesNotHideThatAJobFails() {
    target.answer(503);
    api.put(JOBS + "bad", job().noRetry().startTime(at("12:01:00")).every("minute").json());
    for (int minute = 1; minute <= 2; minute++) {
      engine.stepTo(at("12:0" + minute + ":00"));
    }
    String bad = "default/default/default/bad";
    int partition = Engine.KEYS.partition(bad);
    String stored = Engine.KEYS.job(partition, bad);
    String history = Engine.KEYS.history(partition, bad);
    String skipped =
        "{`end`:`2026-11-20T12:02:01.000Z`,`start`:`2026-11-20T12:02:01Z`,"
            + "`due`:`2026-11-20T12:02:01Z`,`status`:`skipped`,`reason`:`overlap`,`action`:`main`,"
            + "`occurrence`:3,`retry`:0,`execution`:`e`,`message`:`m`}";
    String entry = " '" + skipped.replace('`', '"') + "'";
    api.redis.ask("HSET " + stored + " latest" + entry); // the newest is stored with the job
    for (int i = 1; i < 10; i++) {
      api.redis.ask("LPUSH " + history + entry);
    }
    api.moveTo(at("12:03:00"));

    String newest = api.get(JOBS + "bad/history?$top=10").body();
    String failing = api.get("/overview").json().getJsonArray("attention").encode();

    assertFalse(newest.contains("failed"), newest);
    assertTrue(failing.contains("Job 'default/bad' fails"), failing);
    api.redis.ask("DEL " + history);
    api.redis.ask("HDEL " + stored + " latest historyBytes");
    api.moveTo(at("12:04:00"));
    String another = api.get("/overview").json().getJsonArray("attention").encode();
    assertFalse(another.contains("'default/bad'"), another);
  }

  @Test
  void anAlarmThatIsRaisedDoesNotHideThatItsJobFails() {
    target.answer(503);
    JobJson alarm =
        JobJson.of(
            "redisStream",
            "redisStream",
            new JsonObject().put("stream", "alarms").put("message", "bad"));
    api.put(
        JOBS + "bad",
        job().noRetry().errorAction(alarm).startTime(at("12:01:00")).every("minute").json());
    for (int minute = 1; minute <= 3; minute++) {
      engine.stepTo(at("12:0" + minute + ":00"));
    }
    api.moveTo(at("12:04:00"));

    String failing = api.get("/overview").json().getJsonArray("attention").encode();

    String newest = api.get(JOBS + "bad/history?$top=1").body();
    assertTrue(newest.contains("ErrorAction") && newest.contains("completed"), newest);
    assertTrue(failing.contains("Job 'default/bad' fails"), failing);
  }
}
