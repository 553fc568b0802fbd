package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Test of paged lists of jobs, collections and history. */
class JobListsApiTest extends WithCollection {
  private static final String DAMAGE = "unreadable stored form: action: 5 must be an object";
  private static final String ARM_DEFAULT =
      "/subscriptions/default/resourceGroups/default/providers/Microsoft.Scheduler/jobCollections";
  private static final String CLASSIC_DEFAULT =
      "/default/cloudservices/default/resources/scheduler/~/jobcollections";

  @Test
  void jobsAreListedInPagesInTheOrderOfTheirNames() {
    api.put(C + "/jobs/J2", job().with("state", "disabled").json());
    IntStream.of(0, 1, 3, 4).forEach(i -> api.put(C + "/jobs/j" + i, ONCE));

    Answer first = api.get(C + "/jobs?$top=2&$skip=1");
    Answer second = api.get(nextLink(first));
    Answer disabled = api.get(C + "/jobs?$filter=state%20eq%20'Disabled'");

    assertEquals(List.of("j1", "J2"), ids(first));
    assertEquals(List.of("j3", "j4"), ids(second));
    second.assertEndsWith("],`nextLink`:null}");
    assertEquals(List.of("J2"), ids(disabled));
    api.get(C + "/jobs?$filter=x").assertStatus(400);
    api.get(C + "/jobs?$top=101").assertStatus(400);
  }

  @Test
  void aContinuationKeepsTheQuestionAndNamesTheProxy() {
    IntStream.range(0, 3).forEach(i -> api.put(C + "/jobs/j" + i, ONCE));
    String path = C + "/jobs?$filter=state%20eq%20enabled&api-version=x&$top=2";

    Answer forwarded =
        api.get(path, "X-Forwarded-Proto", "https, http", "X-Forwarded-Host", "jobs.example:8443");
    Answer nonsense = api.get(path, "X-Forwarded-Proto", "gopher", "X-Forwarded-Host", "a/b?c");

    String rest = "?$filter=state%20eq%20enabled&api-version=x&$top=2&$skiptoken=j1\"}";
    forwarded.assertEndsWith("`nextLink`:`https://jobs.example:8443" + C + "/jobs" + rest);
    nonsense.assertEndsWith("http://127.0.0.1:" + api.port() + C + "/jobs" + rest);
  }

  @Test
  void withoutAHostAListGoesOnAtTheAddressThatWasAsked() {
    IntStream.range(0, 2).forEach(i -> api.put(C + "/jobs/j" + i, ONCE));
    String request = "GET " + C + "/jobs?$top=1 HTTP/1.0\r\n\r\n";

    RawHttp.Reply reply =
        RawHttp.exchange(api.port(), out -> out.write(request.getBytes(StandardCharsets.US_ASCII)));

    String rest = C + "/jobs?$top=1&$skiptoken=j0\"}\n";
    assertTrue(
        reply.body().endsWith("\"nextLink\":\"http://127.0.0.1:" + api.port() + rest),
        reply.text());
  }

  @Test
  void aDamagedJobIsNamedByTheListsThatGoOnWithoutIt() {
    List.of("a", "j", "k").forEach(job -> api.put(C + "/jobs/" + job, ONCE));
    damage("j");

    Answer list = api.get(C + "/jobs");
    Answer search = api.get(C + "/search?name=j");
    Answer arm = api.get(ARM_DEFAULT + "/c/jobs" + VERSION);
    Answer classic = api.get(CLASSIC_DEFAULT + "/c/jobs", "x-ms-version", "2013-03-01");

    assertEquals(List.of("a", "k"), ids(list));
    for (Answer answer : List.of(list, search, arm)) {
      answer.assertStatus(200);
      answer.assertEndsWith(",`damaged`:[{`name`:`j`,`reason`:`" + DAMAGE + "`}]}");
    }
    classic.assertStatus(200);
    assertEquals("199 - \"job 'j' is damaged: " + DAMAGE + "\"", classic.header("Warning"));
  }

  @Test
  void aDamagedJobSaysSoAndCanBePutAnewOrDeleted() {
    List.of("j", "k", "l").forEach(job -> api.put(C + "/jobs/" + job, ONCE));
    List.of("j", "k", "l").forEach(this::damage);

    Answer get = api.get(J);

    get.assertError(
        500,
        "JobDamaged",
        "Job 'j' is damaged in Redis: " + DAMAGE + ". PUT it anew or DELETE it.");
    api.patch(J, "{`state`:`disabled`}").assertStatus(500);
    api.put(J, ONCE).assertStatus(200);
    api.get(J).assertStatus(200);
    api.delete(C + "/jobs/k").assertStatus(200);
    api.delete(CLASSIC_DEFAULT + "/c/jobs", "x-ms-version", "2013-03-01").assertStatus(200);
    api.get(C + "/jobs/l").assertStatus(404);
  }

  @ParameterizedTest
  @CsvSource({
    "epoch, zz, GET",
    "epoch, -1, GET",
    "epoch, 9007199254740993, GET",
    "epoch, 99999999999999999999, GET",
    "attemptRevision, q, PATCH",
    "heldAttempt, q, PATCH"
  })
  void aDamagedFieldIsToldByTheJobAndHidesNoOther(String field, String value, String first) {
    List.of("a", "j").forEach(job -> api.put(C + "/jobs/" + job, ONCE));
    api.redis.ask("HSET " + key("job", "j") + " " + field + " " + value);

    if (first.equals("GET")) {
      api.get(J).assertStatus(500).assertContains("`code`:`JobDamaged`");
      api.get(J).assertContains("its field '" + field + "' holds '" + value + "'");
    }
    api.patch(J, "{`state`:`disabled`}").assertStatus(500).assertContains("`code`:`JobDamaged`");
    for (String list : List.of("/jobs", "/jobs?$orderby=id", "/search?name=a")) {
      assertTrue(ids(api.get(C + list).assertStatus(200)).contains("a"), list);
    }
    api.put(J, ONCE).assertStatus(200);
    api.patch(J, "{`state`:`disabled`}").assertStatus(200);
  }

  @ParameterizedTest
  @CsvSource({"-1, 200", "99999999999999999999, 200", "9007199254740993, 200"})
  void aJobWithAnEpochThatIsNoneCanBeDeleted(String epoch, int status) {
    api.put(J, ONCE);
    api.redis.ask("HSET " + key("job", "j") + " epoch " + epoch);

    api.delete(J).assertStatus(status);

    api.get(J).assertStatus(404);
    assertEquals(List.of(), ids(api.get(C + "/jobs")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "-5", "99999999999999999999", "007"})
  void aJobWithARevisionThatIsNoneIsMendedByAPutAndCanBeDeleted(String revision) {
    for (String job : List.of("j", "k", "l")) {
      api.put(C + "/jobs/" + job, ONCE);
      api.redis.ask("HSET " + key("job", job) + " revision " + revision);
    }

    api.put(J, ONCE).assertStatus(200);
    api.patch(J, "{`state`:`disabled`}").assertStatus(200);
    api.delete(C + "/jobs/k").assertStatus(200);
    api.get(C + "/jobs/k").assertStatus(404);
    api.put(C + "/jobs/k", ONCE).assertStatus(201);
    api.get(C + "/jobs/k").assertStatus(200);
    assertEquals(200, api.put(C + "/jobs/l", ONCE.replace("GET", "PUT")).status());
  }

  @Test
  void aJobWithAHugeEpochIsToldAlsoWhereItsCollectionWasAnotherOnce() {
    api.delete(C).assertStatus(200);
    api.put(C, "{}").assertStatus(201);
    api.put(J, ONCE).assertStatus(201);
    api.redis.ask("HSET " + key("job", "j") + " epoch 99999999999999999999");

    api.get(J).assertStatus(500).assertContains("`code`:`JobDamaged`");
    api.put(J, ONCE).assertStatus(200);
    api.get(J).assertStatus(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "definition",
        "revision",
        "state",
        "next",
        "created",
        "claimedOccurrence",
        "attemptRevision",
        "heldAttempt",
        "marks",
        "name",
        "latest",
        "epoch",
        "occurrence"
      })
  void aFieldThatIsNotUtf8IsMendedByAPut(String field) {
    api.put(J, ONCE);
    api.redis.ask(
        "EVAL \"redis.call('HSET', KEYS[1], ARGV[1], '{\\\\255}')\" 1 "
            + key("job", "j")
            + " "
            + field);

    Answer get = api.get(J);
    assertTrue(get.status() == 200 || get.body().contains("which is not UTF-8"), get::body);
    assertEquals(
        field.equals("definition"), get.status() == 500 && get.body().contains("'definition'"));
    api.get(C + "/jobs").assertStatus(200);
    api.put(J, ONCE).assertStatus(200);
    api.get(J).assertStatus(200).assertContains("`id`:`j`");
    api.patch(J, "{`state`:`disabled`}").assertStatus(200);
    api.delete(J).assertStatus(200);
  }

  @Test
  void aDamagedNameIsThatOfTheKey() {
    api.put(J, ONCE);
    api.redis.ask("HSET " + key("job", "j") + " name other");

    assertEquals(List.of("j"), ids(api.get(C + "/jobs").assertStatus(200)));
    api.patch(J, "{`state`:`disabled`}").assertStatus(200).assertContains("`id`:`j`");
  }

  @ParameterizedTest
  @ValueSource(strings = {"nonsense", "\"\"", "\"5 x\"", "\"1 99999999999999999999\""})
  void aFenceThatCannotBeReadHidesNothing(String fence) {
    api.put(J, ONCE);
    String epochs = key("job", "j").replaceFirst("job:.*", "epochs");
    api.redis.ask("HSET " + epochs + " default/default/c " + fence);

    assertEquals(List.of("j"), ids(api.get(C + "/jobs").assertStatus(200)));
    api.get(J).assertStatus(200);
    api.patch(J, "{`state`:`disabled`}").assertStatus(200);
    api.get(J + "/history").assertStatus(200);
    api.delete(J).assertStatus(200);
    api.redis.ask("DEL " + epochs);
  }

  private void damage(String job) {
    api.redis.ask("HSET " + key("job", job) + " definition '{\"action\":5}'");
  }

  @Test
  void aJobWhoseKeyHoldsAnotherTypeIsNamedByListsAndMendedByTheNextWrite() {
    List.of("a", "j", "k").forEach(job -> api.put(C + "/jobs/" + job, ONCE));
    api.redis.ask("SET " + key("job", "j") + " junk");

    for (String list : List.of("/jobs", "/search?name=j")) {
      Answer answer = api.get(C + list);
      answer.assertStatus(200).assertContains("its key holds no hash");
    }
    for (String read : List.of("", "/history", "/occurrences")) {
      Answer answer = api.get(J + read);
      assertTrue(
          answer.status() == 200 || answer.body().contains("JobDamaged"), read + answer.body());
    }
    api.get(J).assertContains("`code`:`JobDamaged`");
    api.put(J, ONCE).assertStatus(201);
    api.get(J).assertStatus(200);
  }

  @Test
  void aListGoesOnWhereItWasAlsoWhenJobsComeAndGo() {
    IntStream.range(0, 6).forEach(i -> api.put(C + "/jobs/j" + i, ONCE));

    Answer first = api.get(C + "/jobs?$top=3");
    api.delete(C + "/jobs/j0");
    api.delete(C + "/jobs/j2");
    api.put(C + "/jobs/a", ONCE);
    api.put(C + "/jobs/j33", ONCE);
    Answer second = api.get(nextLink(first));

    assertEquals(List.of("j0", "j1", "j2"), ids(first));
    assertEquals(List.of("j3", "j33", "j4"), ids(second));
  }

  @Test
  void collectionsAreSkippedWithinTheirGroup() {
    for (String group : List.of("g0", "g1", "g10")) {
      for (int i = 0; i < 4; i++) {
        api.put(ARM.replace("g1", group) + "/c" + i + VERSION, "{`properties`:{}}");
      }
    }

    Answer page = api.get(ARM + VERSION + "&$skip=1&$top=2");
    Answer rest = api.get(nextLink(page));
    Answer beyond = api.get(ARM + VERSION + "&$skip=4");
    Answer all =
        api.get(
            "/subscriptions/s1/providers/Microsoft.Scheduler/jobCollections"
                + VERSION
                + "&$skip=11");

    assertEquals(List.of("c1", "c2"), names(page));
    assertEquals(List.of("c3"), names(rest));
    assertEquals(List.of(), names(beyond));
    assertEquals(1, names(all).size());
    all.assertContains("resourceGroups/g10/");
  }

  @Test
  void historyEntriesThatCannotBeReadAreLeftOut() {
    putWithHistory();
    api.redis.ask("LSET " + key("history", "j") + " 1 nojson");
    api.redis.ask("HSET " + key("job", "j") + " latest nojson");

    Answer first = api.get(J + "/history?$top=1");
    Answer second = api.get(nextLink(first));

    assertEquals(1, ids(first).size());
    assertEquals(1, ids(second).size());
    api.get(C + "/search?name=j").assertStatus(200).assertContains("\"id\":\"j\"");
  }

  @Test
  void aJobWhoseKeyHoldsAnotherTypeIsChangedByNothingAndDeleted() {
    api.put(J, ONCE);
    api.redis.ask("SET " + key("job", "j") + " junk");

    for (String change : List.of("/disable", "/run")) {
      api.post(J + change, null).assertContains("JobDamaged");
    }
    api.send("PATCH", J, "{}").assertContains("JobDamaged");
    api.get(J).assertContains("JobDamaged");
    api.delete(J).assertStatus(200);

    api.get(J).assertStatus(404);
    api.get(C + "/jobs").assertStatus(200).assertContains("\"value\":[]");
    assertEquals(":1", api.redis.ask("EXISTS " + key("job", "j").replaceFirst(":", ":damaged:")));
  }

  @ParameterizedTest(name = "{1} without {0}")
  @CsvSource({
    "due, /due",
    "due, /overview",
    "finished, /due",
    "jobs:default/default/c, /jobcollections/c/jobs",
    "jobs:default/default/c, /jobcollections/c/search?name=j",
    "audit, /audit",
  })
  void whatNeedsAKeyThatHoldsAnotherTypeNamesIt(String key, String path) {
    String damaged = "carillon:{0}:" + key;
    api.redis.ask("DEL " + damaged);
    api.redis.ask("SET " + damaged + " junk");

    Answer answer = api.get(path);

    answer.assertError(
        500,
        "StoreDamaged",
        "Redis: the key '"
            + damaged
            + "' holds another type than it must. 'carillon fsck --repair' moves it aside.");
    api.redis.ask("DEL " + damaged);
    api.get(path).assertStatus(200);
  }

  @Test
  void aDamagedJobIsToldByItsField() {
    api.put(J, ONCE);
    api.redis.ask("HSET " + key("job", "j") + " state weird");

    api.get(J).assertContains("its field 'state' holds 'weird'");
  }

  @Test
  void historyIsListedInPagesNewestFirst() {
    putWithHistory();

    Answer first = api.get(J + "/history?$top=2");
    Answer second = api.get(nextLink(first));
    Answer failed = api.get(J + "/history?$filter=status%20eq%20Failed");
    Answer one = api.get(J + "/history/" + ids(second).get(0));

    assertEquals(2, ids(first).size());
    first.assertContains("`repeatCount`:3");
    assertEquals(1, ids(second).size());
    second.assertEndsWith("],`nextLink`:null}");
    assertEquals(1, ids(failed).size());
    assertTrue(second.body().contains(one.body()), one.body());
    api.get(J + "/history/1:2").assertStatus(404);
  }

  private static List<String> names(Answer list) {
    return Pattern.compile("\"name\":\"([^\"]*)\"")
        .matcher(list.body())
        .results()
        .map(name -> name.group(1))
        .toList();
  }

  /** Creates a job with three entries in its history, of which the second failed. */
  private void putWithHistory() {
    api.put(J, DAILY);
    for (int n = 1; n <= 3; n++) {
      api.redis.ask("LPUSH " + key("history", "j") + " " + entry(n));
    }
    api.redis.ask("HSET " + key("job", "j") + " historyBytes 3");
  }

  private static String entry(int n) {
    return ("'{`end`:`2026-11-20T18:00:0%1$d.000Z`,`start`:`2026-11-20T18:00:0%1$dZ`,"
            + "`due`:`2026-11-20T18:00:0%1$dZ`,`status`:`%2$s`,`action`:`main`,`occurrence`:%1$d,"
            + "`retry`:0,`execution`:`e`,`message`:`m`}'")
        .formatted(n, n == 2 ? "failed" : "completed")
        .replace('`', '"');
  }
}
