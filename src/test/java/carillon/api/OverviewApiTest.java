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

/** Test of the overview of jobs, load and alerts. */
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

  /** Redis has one readable line for each minute of each node. */
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

  /** Both alerts count the same attempts: a destination has no more failures than all together. */
  @Test
  void alertsOfAllAttemptsAndOfADestinationCountTheSame() {
    String lateness = " 0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0";
    String durations = " 0 0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0";
    for (String[] noted :
        new String[][] {
          {"activity", "17:45", "0 90" + lateness}, // a minute before the window
          {"destinations", "17:45", "crm.example:443 0 90" + durations},
          {"activity", "17:59", "10 60" + lateness},
          {"destinations", "17:59", "crm.example:443 10 60" + durations},
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
    assertTrue(attention.contains("Most of them called crm.example:443."), attention);
    assertTrue(attention.contains("Calls of crm.example:443 fail"), attention);
    assertFalse(attention.contains("busy.example"), "6 of 396 are an accident");
    assertFalse(attention.contains("Calls of other"), attention);
  }

  private void noted(String key, String minute, String text) {
    api.redis.eval(
        "return tostring(redis.call('HSET', 'carillon:%s:2026-11-20T%s:00Z', 'a', '%s'))"
            .formatted(key, minute, text));
  }

  private JsonObject alert(String what) {
    List<JsonObject> found =
        get("/overview").getJsonArray("attention").stream()
            .map(JsonObject.class::cast)
            .filter(item -> item.getString("what").equals(what))
            .toList();
    assertEquals(1, found.size(), () -> what + " in " + get("/overview").getJsonArray("attention"));
    return found.get(0);
  }

  @Test
  void destinationsWhereOneCallInAHundredIsSlowNeedAttention() {
    StringBuilder lines = new StringBuilder();
    // Calls of a to e took 10 to 30 s. Of quick 5 of 500, of few 4 of 100 took over 10 s.
    for (String name : List.of("a", "b", "c", "d", "e")) {
      lines.append(name).append(":1 480 0 0 0,0,0,0,0,0,0,0,0,0,0,0,0,480,0,0,0\\n");
    }
    lines.append("quick:1 500 0 0 0,0,0,0,0,0,0,0,0,0,0,0,495,0,0,0,5\\n");
    lines.append("few:1 100 0 0 0,0,0,0,0,0,0,0,0,0,0,0,96,0,0,0,4");
    noted("destinations", "18:00", lines.toString());

    JsonObject slow = alert("Calls of a:1 are slow");

    assertTrue(
        slow.getString("why")
            .startsWith("480 of 480 attempts in the last 15 minutes took longer than 10 s."),
        slow.encode());
    assertEquals("/runs?state=slow&since=15&destination=a%3A1", slow.getString("link"));
    assertEquals("/destinations", alert("2 more destinations are slow").getString("link"));
    String attention = get("/overview").getJsonArray("attention").encode();
    assertFalse(attention.contains("quick:1") || attention.contains("few:1"), attention);
  }

  @Test
  void moreDestinationsThatFailThanAreNamedAreCounted() {
    StringBuilder lines = new StringBuilder();
    for (String name : List.of("a", "b", "c", "d")) {
      lines.append(name).append(":1 0 9 0 9,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0\\n");
    }
    noted("destinations", "18:00", lines.toString());

    assertEquals("/destinations", alert("1 more destination fails").getString("link"));
  }

  @Test
  void occurrencesThatAreBegunLateNeedAttention() {
    noted("activity", "17:45", "9 0 0,0,0,0,0,0,0,0,0,0,0,99,0,0,0,0"); // before the window
    noted("activity", "18:00", "9 0 400,0,0,0,0,0,0,0,0,0,50,0,6,0,0,0");

    JsonObject late = alert("6 occurrences were late");

    assertTrue(late.getString("why").contains("more than 5 s late"), late.encode());
    assertEquals("/nodes", late.getString("link"));
  }

  /** 55 of 100 attempts of each minute fail until 17:55, and none afterwards. */
  @Test
  void anAlertOfFailuresEndsWithinMinutesOfTheRepair() {
    String lateness = " 0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0";
    String durations = " 0 0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0";
    for (int minute = 46; minute < 60; minute++) {
      String counts = minute <= 55 ? "45 55" : "100 0";
      noted("activity", "17:" + minute, counts + lateness);
      noted("destinations", "17:" + minute, "crm.example:443 " + counts + durations);
    }

    assertFalse(attention().contains("fail"), attention());

    for (int minute = 56; minute < 60; minute++) {
      noted("activity", "17:" + minute, "45 55" + lateness);
    }
    api.moveTo(ApiServer.START.plusSeconds(4));
    assertTrue(attention().contains("55 % of attempts fail"), attention());
  }

  private String attention() {
    return get("/overview").getJsonArray("attention").encode();
  }

  @Test
  void aNodeThatDiedNeedsAttention() {
    String beat = Long.toString(ApiServer.START.minusSeconds(600).toEpochMilli());
    api.redis.ask("ZADD carillon:nodes " + beat + " lost");
    api.redis.ask("HSET carillon:node:lost roles timer version 1 started 2026-11-20T00:00:00Z");
    api.redis.ask(
        "HSET carillon:node:lost lease PT10S state working ranks 1 inFlight 0 takenOver 0 format 1");

    JsonObject died = alert("Node 'lost' died");

    assertTrue(died.getString("why").contains("2026-11-20T17:50:00Z"), died.encode());
    assertEquals("/nodes", died.getString("link"));
  }

  @Test
  void thousandsAreMarkedInWhatNeedsAttention() {
    noted("activity", "18:00", "476 1217 0,0,0,0,0,0,0,0,0,0,400,0,2000,0,0,0");

    String attention = get("/overview").getJsonArray("attention").encode();

    assertTrue(attention.contains("1,217 of 1,693 attempts failed"), attention);
    assertTrue(attention.contains("2,000 occurrences were late"), attention);
    assertTrue(attention.contains("Of 2,400 occurrences begun"), attention);
  }

  @Test
  void aCollectionWhoseQuotaIsUsedUpNeedsAttention() {
    api.put("/jobcollections/full", "{`quota`:{`maxJobCount`:1}}").assertStatus(201);
    api.put("/jobcollections/near", "{`quota`:{`maxJobCount`:5}}").assertStatus(201);
    api.put("/jobcollections/roomy", "{`quota`:{`maxJobCount`:6}}").assertStatus(201);
    api.put("/jobcollections/full/jobs/j", DAILY).assertStatus(201);
    for (String job : List.of("a", "b", "c", "d")) {
      api.put("/jobcollections/near/jobs/" + job, DAILY).assertStatus(201);
      api.put("/jobcollections/roomy/jobs/" + job, DAILY).assertStatus(201);
    }

    JsonObject full = alert("Collection 'full' is full");

    assertEquals("warn", full.getString("level"));
    assertTrue(full.getString("why").startsWith("It has 1 of the 1 job that its"), full.encode());
    assertEquals("/c/full/settings", full.getString("link"));
    assertEquals("note", alert("Collection 'near' is nearly full").getString("level"));
    String attention = get("/overview").getJsonArray("attention").encode();
    assertFalse(attention.contains("'roomy'"), attention);
  }

  @Test
  void aDisabledCollectionLinksToItself() {
    api.put("/groups/default/Team/jobcollections/c", "{`state`:`disabled`}").assertStatus(201);

    assertEquals("/g/default/Team/c/c", alert("Collection 'Team/c' is disabled").getString("link"));
  }

  @Test
  void theOverviewIsCachedForAFewSeconds() {
    assertEquals(0, get("/overview").getJsonObject("jobs").getInteger("enabled"));
    put("new", DAILY);

    api.moveTo(ApiServer.START.plusSeconds(3));

    assertEquals(1, get("/overview").getJsonObject("jobs").getInteger("enabled"));
  }
}
