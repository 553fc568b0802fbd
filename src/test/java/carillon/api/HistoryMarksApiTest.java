package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Test of change marks in the history of a job: the author of the change and the previous schedule.
 */
class HistoryMarksApiTest extends WithCollection {
  private static final String HISTORY = J + "/history";
  private static final String MARKED = HISTORY + "?marks=true";
  private static final String ALONE = "&$filter=status%20eq%20marked";
  private static final String WORDS = ": schedule was every day[^\"]*";

  private static List<String> all(String property, Answer answer) {
    return Pattern.compile("\"" + property + "\":\"([^\"]*)\"")
        .matcher(answer.body())
        .results()
        .map(found -> found.group(1))
        .toList();
  }

  @Test
  void aCreationWritesNone() {
    api.put(J, DAILY);

    api.get(MARKED).assertEndsWith("{`value`:[],`nextLink`:null}");
    assertEquals(":0", api.redis.ask("HEXISTS " + key("job", "j") + " marks"));
  }

  @Test
  void everyChangeOfAJobWritesOne() {
    api.put(J, DAILY);

    api.put(J, DAILY);
    api.put(J, DAILY.replaceFirst("\\{", "{\"description\":\"other words\","));
    api.patch(J, "{\"recurrence\":{\"frequency\":\"hour\"}}");
    api.post(J + "/disable", "{\"note\":\"vendor down\"}");
    api.post(J + "/enable", "");
    api.patch(C + "/jobs", "{\"state\":\"disabled\"}");

    Answer marks = api.get(MARKED + ALONE);
    assertEquals(
        List.of("disabled", "enabled", "disabled", "changed", "replaced"), all("change", marks));
    List<String> messages = all("message", marks);
    assertTrue(messages.get(2).contains(" (vendor down): schedule was every hour"), marks.body());
    assertTrue(messages.get(3).matches("changed by .+" + WORDS), marks.body());
    assertTrue(messages.get(4).matches("replaced by .+" + WORDS), marks.body());
    marks.assertContains("`definition`:{`recurrence`:{`frequency`:`day`");
    assertEquals(5, all("status", marks).size());
    api.get(HISTORY).assertStatus(200).assertLacks("marked");
  }

  @Test
  void anotherNoteOfAPauseIsTold() {
    api.put(J, DAILY);
    api.post(J + "/disable", "{\"note\":\"vendor down\"}");
    api.post(J + "/disable", "{\"note\":\"ticket 4711\"}");
    api.patch(J, "{\"description\":\"paused\"}");
    api.post(J + "/disable", "{\"until\":\"2035-01-01T00:00:00Z\"}").assertStatus(200);

    Answer marks = api.get(MARKED + ALONE);

    assertEquals(List.of("disabled", "changed", "disabled", "disabled"), all("change", marks));
    assertEquals(List.of("ticket 4711", "vendor down"), all("note", marks));
  }

  @Test
  void theyStandAmongTheEntriesAndGoByPagesAndFilters() {
    api.put(J, DAILY);
    api.patch(J, "{\"description\":\"a\"}");
    for (String end : List.of("2000-01-01T00:00:00.000Z", "2999-01-01T00:00:00.000Z")) {
      String entry =
          ("'{`end`:`" + end + "`,`start`:`" + end + "`,`due`:`" + end + "`,`status`:`failed`,")
              + "`execution`:`e`,`message`:`m`}'";
      api.redis.ask("LPUSH " + key("history", "j") + " " + entry.replace('`', '"'));
    }
    api.redis.ask("HSET " + key("job", "j") + " historyBytes 3");
    api.patch(J, "{\"description\":\"b\"}");

    Answer first = api.get(MARKED + "&$top=2");
    Answer second = api.get(nextLink(first));
    Answer marks = api.get(MARKED + ALONE);
    Answer failed = api.get(MARKED + "&$filter=status%20eq%20failed");

    assertEquals(List.of("failed", "marked"), all("status", first));
    assertEquals(List.of("marked"), all("status", second), "what is too old is left out");
    second.assertEndsWith("],`nextLink`:null}");
    assertEquals(2, all("status", marks).size());
    assertEquals(List.of("failed"), all("status", failed));
    assertEquals(1, all("status", api.get(HISTORY)).size());
    Answer one = api.get(HISTORY + "/" + ids(marks).get(0));
    assertTrue(marks.body().contains(one.body()), one.body());
    api.get(HISTORY + "?$filter=status%20eq%20marked")
        .assertStatus(400)
        .assertContains("one of completed, failed, skipped\"");
    api.get(HISTORY + "?marks=maybe").assertStatus(400);
  }

  @Test
  void theOtherDialectsShowNone() {
    String collection = ARM + "/c";
    api.put(collection + VERSION, "{\"location\":\"westus\",\"properties\":{}}");
    String job = collection + "/jobs/j";
    String body =
        "{\"properties\":{\"action\":{\"type\":\"http\",\"request\":{\"uri\":\"http://127.0.0.1:9/\","
            + "\"method\":\"GET\"}},\"recurrence\":{\"frequency\":\"day\",\"interval\":1}}}";
    api.put(job + VERSION, body).assertStatus(201);
    api.put(job + VERSION, body).assertStatus(200);

    Answer arm = api.get(job + "/history" + VERSION + "&marks=true");

    assertTrue(!arm.body().contains("marked"), arm.body());
    Answer plain = api.get(job + "/history" + VERSION);
    plain.assertStatus(200);
    assertEquals(List.of(), all("status", plain));
  }

  @Test
  void theNewestAreKeptAndNoneIsLong() {
    api.put(J, DAILY);
    IntStream.range(0, 30)
        .forEach(i -> api.patch(J, "{\"description\":\"" + i + "\"}").assertStatus(200));
    String rule = "{\"recurrence\":{\"cron\":\"" + "0,".repeat(200) + "1 * * * *\"}}";
    api.patch(J, rule).assertStatus(200);
    api.patch(J, "{\"description\":\"x\"}").assertStatus(200);

    Answer marks = api.get(MARKED + ALONE);
    String stored = String.join("\n", api.redis.list("HGET " + key("job", "j") + " marks"));

    assertTrue(all("status", marks).size() <= 20, marks.body());
    assertTrue(all("status", marks).size() >= 8, marks.body());
    assertEquals(":" + stored.length(), api.redis.ask("HSTRLEN " + key("job", "j") + " marks"));
    assertTrue(stored.length() <= 4096, () -> stored.length() + " bytes");
    assertTrue(stored.lines().allMatch(line -> line.length() <= 1024), stored);
  }

  @Test
  void aJobThatIsMadeAgainHasNoneOfTheFormerOne() {
    api.put(J, DAILY);
    api.put(J, DAILY);
    api.delete(J);
    api.put(J, DAILY);

    api.get(MARKED).assertEndsWith("{`value`:[],`nextLink`:null}");
  }

  @Test
  void whatCannotBeReadIsLeftOut() {
    api.put(J, DAILY);
    api.put(J, DAILY);
    api.redis.ask("HSET " + key("job", "j") + " marks nojson");

    api.get(MARKED).assertEndsWith("{`value`:[],`nextLink`:null}");
    api.get(J).assertStatus(200);
  }
}
