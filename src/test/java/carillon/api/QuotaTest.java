package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.support.JobJson;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Test of quotas with a stopped clock, so that the cache of an event loop never expires. */
class QuotaTest extends WithApi {
  private static final String JOB = job().startTime("2026-12-01T00:00:00Z").json();
  private static final String C = "/jobcollections/c";
  private static final String PLACES = "carillon:quota:{carillon:collection:default/default/c}";

  private static JobJson job() {
    return JobJson.get("http://127.0.0.1:9/");
  }

  private static String quota(int maxJobCount) {
    return "{\"quota\":{\"maxJobCount\":" + maxJobCount + "}}";
  }

  private int put(String job) {
    return api.put(C + "/jobs/" + job, JOB).status();
  }

  private long number(String command) {
    return Long.parseLong(api.redis.ask(command).substring(1));
  }

  /** Asserts that all places are confirmed, and that there are as many as jobs. */
  private void assertPlaces(int jobs) {
    assertEquals(jobs, number("ZCARD " + PLACES));
    assertEquals(0, number("ZCOUNT " + PLACES + " (0 +inf"), "in doubt");
    String list = api.get(C + "/jobs?$top=100").body();
    assertEquals(jobs, list.split("\\{\"id\":", -1).length - 1, list);
  }

  @Test
  void aFullCollectionTakesNoMoreJobs() {
    api.put(C, quota(2));

    assertEquals(201, put("a"));
    api.post(C + "/jobs", JOB).assertStatus(201);
    Answer refused = api.put(C + "/jobs/b", JOB);
    Answer posted = api.post(C + "/jobs", JOB);

    refused.assertError(
        409,
        "Conflict",
        "Job collection 'c' has 2 jobs, and its quota maxJobCount allows 2; delete a job or raise"
            + " the quota.");
    posted.assertStatus(409);
    assertEquals(200, put("a"));
    api.delete(C + "/jobs/b").assertStatus(404);
    assertPlaces(2);
  }

  @Test
  void aDeletedJobGivesItsPlaceBack() {
    api.put(C, quota(1));
    put("a");

    api.delete(C + "/jobs/a", "If-Match", "\"1\"").assertStatus(412);
    assertEquals(409, put("b"));
    api.delete(C + "/jobs/a").assertStatus(200);
    assertEquals(201, put("b"));
    assertPlaces(1);
  }

  @Test
  void aRefusedWriteKeepsNoPlace() {
    api.put(C, quota(1));

    api.put(C + "/jobs/a", JOB, "If-Match", "*").assertStatus(412);
    assertPlaces(0);
    assertEquals(201, put("b"));
  }

  @ParameterizedTest
  @CsvSource({"Free, 5", "Standard, 50", "P10Premium, 50"})
  void thePlanBoundsTheNumberOfJobs(String sku, int jobs) {
    api.put(C, "{`sku`:`" + sku + "`}");

    assertTrue(IntStream.range(0, jobs).allMatch(i -> put("j" + i) == 201));
    assertEquals(409, put("more"));
  }

  @Test
  void aQuotaHoldsForAllWhoKnewTheCollectionWithoutOne() {
    api.put(C, "{}");
    IntStream.range(0, 5).forEach(i -> put("j" + i));
    try (ApiServer other = api.another()) {
      IntStream.range(0, 10).forEach(i -> other.get(C + "/jobs/j0"));

      api.put(C, quota(3)).assertStatus(200);

      assertPlaces(5);
      for (int i = 0; i < 10; i++) {
        other.put(C + "/jobs/n" + i, JOB).assertStatus(409);
        assertEquals(409, put("m" + i));
      }
      IntStream.range(0, 3).forEach(i -> api.delete(C + "/jobs/j" + i));
      other.put(C + "/jobs/n", JOB).assertStatus(201);
      assertEquals(409, put("m"));
      assertEquals(200, put("j4"));
    }
  }

  @Test
  void aQuotaThatIsTakenAwayAndSetAgainCountsAnew() {
    api.put(C, quota(1));
    put("a");
    api.put(C, "{}");
    assertEquals(201, put("b"));
    assertEquals(0, number("EXISTS " + PLACES));

    api.patch(C, quota(3));

    assertEquals(201, put("c"));
    assertEquals(409, put("d"));
    assertPlaces(3);
  }

  @Test
  void aCountingThatWasCutShortIsDoneByWhoNeedsIt() {
    api.put(C, "{}");
    IntStream.range(0, 5).forEach(i -> put("j" + i));
    api.put(C, quota(6));
    api.redis.ask("UNLINK " + PLACES);
    api.redis.ask("HSET carillon:collection:default/default/c quotaPending 1");

    assertEquals(201, put("one"));
    assertEquals(409, put("more"));
    assertPlaces(6);
  }

  @Test
  void aPlaceWhoseHolderDiedIsFoundEmpty() {
    api.put(C, quota(2));
    put("a");
    hold("ghost", ApiServer.START.minusSeconds(10));
    assertEquals(409, put("b"), "may still be written");

    api.moveTo(ApiServer.START.plusSeconds(180));

    assertEquals(201, put("b"));
    assertPlaces(2);
  }

  @Test
  void aPlaceWhoseHolderDiedAfterTheWriteStays() {
    api.put(C, quota(1));
    put("a");
    hold("a", ApiServer.START.minusSeconds(300));

    assertEquals(409, put("b"));
    assertPlaces(1);
  }

  @Test
  void aPlaceThatNobodyDoubtsIsFoundEmptyToo() {
    api.put(C, quota(2));
    put("a");
    api.redis.ask("ZADD " + PLACES + " 0 ghost");

    assertEquals(201, put("b"));
    assertEquals(409, put("c"));
    assertPlaces(2);
  }

  @Test
  void aJobWithoutAPlaceCanBeDeleted() {
    api.put(C, quota(2));
    put("a");
    api.redis.ask("ZREM " + PLACES + " a");

    api.delete(C + "/jobs/a").assertStatus(200);
    assertPlaces(0);
  }

  /** Leaves a place as a node does that dies while it writes a job. */
  private void hold(String job, Instant since) {
    api.redis.ask("ZADD " + PLACES + " " + (since.toEpochMilli() * 1024 + 1) + " " + job);
  }

  @Test
  void ofManyWhoSubmitAtOnceExactlySoManyAreTaken() throws Exception {
    api.put(C, quota(50));
    try (ApiServer other = api.another()) {
      List<Integer> statuses =
          AtOnce.run(16, 300, i -> (i % 2 == 0 ? api : other).put(C + "/jobs/j" + i, JOB).status());

      assertEquals(50, statuses.stream().filter(status -> status == 201).count());
      assertEquals(250, statuses.stream().filter(status -> status == 409).count());
      assertPlaces(50);
    }
  }

  @Test
  void whoeverWritesAndDeletesTheSameJobsTheCountIsRightAtTheEnd() throws Exception {
    long seed = System.nanoTime();
    api.put(C, quota(20));
    try (ApiServer other = api.another()) {
      List<Integer> statuses =
          AtOnce.run(
              16,
              1500,
              i -> {
                Random random = new Random(seed + i);
                ApiServer node = random.nextBoolean() ? api : other;
                String path = C + "/jobs/j" + random.nextInt(30);
                return switch (random.nextInt(5)) {
                  case 0, 1 -> node.delete(path).status();
                  case 2 -> node.put(path, JOB, "If-None-Match", "*").status();
                  default -> node.put(path, JOB).status();
                };
              });

      assertTrue(
          statuses.stream().allMatch(s -> List.of(200, 201, 404, 409, 412).contains(s)),
          () -> "seed " + seed + ": " + statuses);
      int jobs = (int) number("ZCARD " + PLACES);
      assertTrue(jobs <= 20, () -> "seed " + seed + ": " + jobs);
      assertPlaces(jobs);
      for (int i = jobs; i < 20; i++) {
        assertEquals(201, put("more" + i));
      }
      assertEquals(409, put("last"));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "\"frequency\":\"minute\",\"interval\":59 | recurrence: occurrences PT59M apart exceed the quota maxRecurrence of job collection 'c', which is every 1 hour",
        "\"frequency\":\"day\",\"schedule\":{\"hours\":[5],\"minutes\":[0,30]} | recurrence: occurrences PT30M apart exceed the quota maxRecurrence of job collection 'c', which is every 1 hour",
        "\"frequency\":\"day\" | recurrence.count: none exceeds the quota maxJobOccurrence of job collection 'c', which is 10",
        "\"frequency\":\"day\",\"count\":11 | recurrence.count: 11 exceeds the quota maxJobOccurrence of job collection 'c', which is 10",
      })
  void aJobThatRecursTooOftenIsRefused(String recurrence, String message) {
    String count =
        recurrence.contains("minute\"") || recurrence.contains("minutes") ? ",\"count\":10" : "";
    api.put(C, "{`sku`:`Free`,`quota`:{`maxJobOccurrence`:10}}");
    String job = job().recurrence("{" + recurrence + count + "}").json();
    put("once");

    Answer written = api.put(C + "/jobs/j", job);
    Answer patched = api.patch(C + "/jobs/once", "{`recurrence`:{" + recurrence + count + "}}");

    String error = "{\"error\":{\"code\":\"Conflict\",\"message\":\"" + message + "\"}}";
    assertEquals(error, written.withoutRequestId().body());
    assertEquals(error, patched.withoutRequestId().body());
    written.assertStatus(409);
    assertPlaces(1);
  }

  @Test
  void aJobWithinItsLimitsIsTaken() {
    api.put(C, "{`sku`:`Free`,`quota`:{`maxJobOccurrence`:10}}");
    String job = job().recurrence("{`frequency`:`hour`,`interval`:1,`count`:10}").json();

    api.put(C + "/jobs/j", job).assertStatus(201);
  }

  @Test
  void aTighterRecurrenceHoldsForAllWhoKnewTheCollectionBefore() {
    api.put(C, "{}");
    String minutely = job().every("minute").json();
    try (ApiServer other = api.another()) {
      for (int i = 0; i < 10; i++) {
        other.put(C + "/jobs/j" + i, minutely).assertStatus(201);
      }

      api.put(C, "{`quota`:{`maxRecurrence`:{`frequency`:`hour`,`interval`:1}}}");

      for (int i = 0; i < 10; i++) {
        other.put(C + "/jobs/n" + i, minutely).assertStatus(409);
      }
    }
  }
}
