package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The overview of jobs, load and alerts. */
class OverviewApiTest extends WithDefaultCollection {
  @Test
  void theOverviewCountsJobsAndWhatIsDue() {
    put("now", job().json());
    put("soon", job().startTime("2026-11-20T18:30:30Z").json());
    put("night", job().startTime("2026-11-21T00:00:00Z").json());
    put("off", daily().with("state", "disabled").json());
    api.put("/jobcollections/other", "{`state`:`disabled`}");

    JsonObject overview = get("/overview");

    assertEquals(2, overview.getInteger("collections"));
    assertEquals(3, overview.getJsonObject("jobs").getInteger("enabled"));
    assertEquals(1, overview.getJsonObject("jobs").getInteger("disabled"));
    JsonObject hour = overview.getJsonObject("due").getJsonObject("hour");
    assertEquals("2026-11-20T18:00:00Z", hour.getString("from"));
    assertEquals(60, hour.getJsonArray("counts").size());
    assertEquals(1, hour.getJsonArray("counts").getInteger(0));
    assertEquals(1, hour.getJsonArray("counts").getInteger(30));
    JsonArray day = overview.getJsonObject("due").getJsonObject("day").getJsonArray("counts");
    assertEquals(1, day.getInteger(24), "midnight");
    assertTrue(overview.getJsonArray("redis").getJsonObject(0).getLong("usedMemory") > 0);
    assertTrue(
        overview.getJsonArray("attention").encode().contains("Collection 'other' is disabled"));
  }

  @Test
  void theOverviewCountsWhatIsDueInEachMinute() {
    Random random = new Random(4711);
    Integer[] minutes = new Integer[60];
    Arrays.fill(minutes, 0);
    for (int i = 0; i < 40; i++) {
      int minute = i < 2 ? 59 * i : random.nextInt(60);
      String second = i % 2 == 0 ? "00" : "59.999";
      put("at-" + i, job().startTime("2026-11-20T18:%02d:%sZ".formatted(minute, second)).json());
      minutes[minute]++;
    }

    JsonObject due = get("/overview").getJsonObject("due");
    assertEquals(List.of(minutes), due.getJsonObject("hour").getJsonArray("counts").getList());
    assertEquals(
        40,
        due.getJsonObject("day").getJsonArray("counts").stream()
            .limit(4)
            .mapToInt(count -> (Integer) count)
            .sum());
  }

  @Test
  void theOverviewCountsTheJobsOfTheSubscriptionOrGroupThatIsAskedFor() {
    put("here", DAILY);
    for (String group : List.of("/groups/default/Team", "/groups/other/team")) {
      api.put(group + "/jobcollections/c", "{`state`:`disabled`}");
      api.put(group + "/jobcollections/c/jobs/there", DAILY).assertStatus(201);
    }

    for (String[] asked :
        new String[][] {
          {"", "default", "2"},
          {"?scope=Default", "default", "2"},
          {"?scope=default/team", "default/team", "1"},
          {"?scope=other", "other", "1"},
          {"?scope=none/at-all", "none/at-all", "0"},
        }) {
      JsonObject overview = get("/overview" + asked[0]);
      assertEquals(asked[1], overview.getString("scope"));
      assertEquals(asked[2], "" + overview.getJsonObject("jobs").getInteger("enabled"), asked[1]);
      assertEquals(
          3,
          overview.getJsonObject("due").getJsonObject("day").getJsonArray("counts").stream()
              .mapToInt(n -> (Integer) n)
              .sum(),
          "what is due is of all");
    }
    assertTrue(
        get("/overview").getJsonArray("attention").encode().contains("'Team/c' is disabled"));
    for (String wrong : List.of("*", "a/b/c", "a/", "", "%20")) {
      Answer refused = api.get("/overview?scope=" + wrong);
      assertEquals(400, refused.status(), wrong);
      refused.assertContains("subscription/group");
    }
  }

  /** Redis holds what each node noted of each minute, in one line that people can read. */
  @Test
  void theOverviewTellsWhatAllNodesDidInTheLastHour() {
    String key = "'carillon:activity:2026-11-20T";
    for (String noted :
        List.of(
            "17:00:00Z', 'a', '9 9 9,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0'",
            "17:01:00Z', 'a', '1 0 1,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0'",
            "18:00:00Z', 'a', '5 1 4,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0'",
            "18:00:00Z', 'b', '2 3 0,0,0,0,1,0,0,0,0,0,0,0,0,0,0,0'",
            "18:00:00Z', 'c', 'of another version'")) {
      api.redis.eval("return tostring(redis.call('HSET', " + key + noted + "))");
    }

    JsonObject done = get("/overview").getJsonObject("done");

    assertEquals("2026-11-20T17:01:00Z", done.getString("from"));
    assertEquals(60, done.getJsonArray("completed").size());
    assertEquals(1, done.getJsonArray("completed").getInteger(0));
    assertEquals(7, done.getJsonArray("completed").getInteger(59));
    assertEquals(4, done.getJsonArray("failed").getInteger(59));
    assertEquals(0.001, done.getDouble("latenessP50"));
    assertEquals(0.025, done.getDouble("latenessP99"));
  }

  /** Both sentences count the same attempts: a destination has no more failures than there are. */
  @Test
  void alertsOfAllAttemptsAndOfADestinationCountTheSame() {
    String lateness = " 0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0";
    String durations = " 0 0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0";
    for (String[] noted :
        new String[][] {
          {"activity", "17:45", "0 90" + lateness}, // a minute before the window
          {"destinations", "17:45", "crm.example:443 0 90" + durations},
          {"activity", "17:46", "10 60" + lateness},
          {"destinations", "17:46", "crm.example:443 10 60" + durations},
          {"activity", "18:00", "390 15" + lateness},
          {
            "destinations",
            "18:00",
            "busy.example:443 390 6" + durations + "\\nother 0 9" + durations
          },
        }) {
      api.redis.eval(
          "return tostring(redis.call('HSET', 'carillon:%s:2026-11-20T%s:00Z', 'a', '%s'))"
              .formatted((Object[]) noted));
    }

    String attention = get("/overview").getJsonArray("attention").encode();

    assertTrue(attention.contains("75 of 475 attempts failed in the last 15"), attention);
    assertTrue(attention.contains("60 of 70 attempts failed in the last 15"), attention);
    assertTrue(attention.contains("Calls of crm.example:443 fail"), attention);
    assertFalse(attention.contains("busy.example"), "6 of 396 are an accident");
    assertFalse(attention.contains("Calls of other"), attention);
  }

  @Test
  void theOverviewIsCachedForAFewSeconds() {
    assertEquals(0, get("/overview").getJsonObject("jobs").getInteger("enabled"));
    put("new", DAILY);

    api.moveTo(ApiServer.START.plusSeconds(3));

    assertEquals(1, get("/overview").getJsonObject("jobs").getInteger("enabled"));
  }
}
