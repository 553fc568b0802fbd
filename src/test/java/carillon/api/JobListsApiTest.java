package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.job.JobName;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Lists of jobs, collections and history, page by page. */
class JobListsApiTest extends WithCollection {
  private static final String DAMAGE = "unreadable stored form: action: 5 must be an object";
  private static final String ARM_DEFAULT =
      "/subscriptions/default/resourceGroups/default/providers/Microsoft.Scheduler/jobCollections";
  private static final String CLASSIC_DEFAULT =
      "/default/cloudservices/default/resources/scheduler/~/jobcollections";

  @Test
  void jobsAreListedInPagesInTheOrderOfTheirNames() {
    api.send("PUT", C + "/jobs/J2", job().with("state", "disabled").json());
    IntStream.of(0, 1, 3, 4).forEach(i -> api.send("PUT", C + "/jobs/j" + i, ONCE));

    HttpResponse<String> first = api.send("GET", C + "/jobs?$top=2&$skip=1", null);
    HttpResponse<String> second = api.send("GET", nextLink(first), null);
    HttpResponse<String> disabled =
        api.send("GET", C + "/jobs?$filter=state%20eq%20'Disabled'", null);

    assertEquals(List.of("j1", "J2"), ids(first));
    assertEquals(List.of("j3", "j4"), ids(second));
    assertTrue(second.body().endsWith("],\"nextLink\":null}"), second.body());
    assertEquals(List.of("J2"), ids(disabled));
    assertEquals(400, api.send("GET", C + "/jobs?$filter=x", null).statusCode());
    assertEquals(400, api.send("GET", C + "/jobs?$top=101", null).statusCode());
  }

  @Test
  void aContinuationKeepsTheQuestionAndNamesTheProxy() {
    IntStream.range(0, 3).forEach(i -> api.send("PUT", C + "/jobs/j" + i, ONCE));
    String path = C + "/jobs?$filter=state%20eq%20enabled&api-version=x&$top=2";

    HttpResponse<String> forwarded =
        api.send(
            "GET",
            path,
            null,
            "X-Forwarded-Proto",
            "https, http",
            "X-Forwarded-Host",
            "jobs.example:8443");
    HttpResponse<String> nonsense =
        api.send("GET", path, null, "X-Forwarded-Proto", "gopher", "X-Forwarded-Host", "a/b?c");

    String rest = "?$filter=state%20eq%20enabled&api-version=x&$top=2&$skiptoken=j1\"}";
    assertTrue(
        forwarded.body().endsWith("\"nextLink\":\"https://jobs.example:8443" + C + "/jobs" + rest),
        forwarded.body());
    assertTrue(
        nonsense.body().endsWith("http://127.0.0.1:" + api.port() + C + "/jobs" + rest),
        nonsense.body());
  }

  @Test
  void withoutAHostAListGoesOnAtTheAddressThatWasAsked() {
    IntStream.range(0, 2).forEach(i -> api.send("PUT", C + "/jobs/j" + i, ONCE));
    String request = "GET " + C + "/jobs?$top=1 HTTP/1.0\r\n\r\n";

    RawHttp.Reply reply =
        RawHttp.exchange(api.port(), out -> out.write(request.getBytes(StandardCharsets.US_ASCII)));

    String rest = C + "/jobs?$top=1&$skiptoken=j0\"}";
    assertTrue(
        reply.body().endsWith("\"nextLink\":\"http://127.0.0.1:" + api.port() + rest),
        reply.text());
  }

  @Test
  void aDamagedJobIsNamedByTheListsThatGoOnWithoutIt() {
    List.of("a", "j", "k").forEach(job -> api.send("PUT", C + "/jobs/" + job, ONCE));
    damage("c", "j");

    HttpResponse<String> list = api.send("GET", C + "/jobs", null);
    HttpResponse<String> search = api.send("GET", C + "/search?name=j", null);
    HttpResponse<String> arm = api.send("GET", ARM_DEFAULT + "/c/jobs" + VERSION, null);
    HttpResponse<String> classic =
        api.send("GET", CLASSIC_DEFAULT + "/c/jobs", null, "x-ms-version", "2013-03-01");

    assertEquals(List.of("a", "k"), ids(list));
    for (HttpResponse<String> answer : List.of(list, search, arm)) {
      assertEquals(200, answer.statusCode(), answer.body());
      assertTrue(
          answer.body().endsWith(",\"damaged\":[{\"name\":\"j\",\"reason\":\"" + DAMAGE + "\"}]}"),
          answer.body());
    }
    assertEquals(200, classic.statusCode(), classic.body());
    assertEquals(
        "199 - \"job 'j' is damaged: " + DAMAGE + "\"",
        classic.headers().firstValue("Warning").orElse(""));
  }

  @Test
  void aDamagedJobSaysSoAndCanBePutAnewOrDeleted() {
    List.of("j", "k", "l").forEach(job -> api.send("PUT", C + "/jobs/" + job, ONCE));
    List.of("j", "k", "l").forEach(job -> damage("c", job));

    HttpResponse<String> get = api.send("GET", J, null);

    assertEquals(500, get.statusCode());
    assertEquals(
        "{\"error\":{\"code\":\"JobDamaged\",\"message\":\"Job 'j' is damaged in Redis: "
            + DAMAGE
            + ". PUT it anew or DELETE it.\"}}",
        get.body());
    assertEquals(500, api.send("PATCH", J, "{\"state\":\"disabled\"}").statusCode());
    assertEquals(200, api.send("PUT", J, ONCE).statusCode());
    assertEquals(200, api.send("GET", J, null).statusCode());
    assertEquals(200, api.send("DELETE", C + "/jobs/k", null).statusCode());
    assertEquals(
        200,
        api.send("DELETE", CLASSIC_DEFAULT + "/c/jobs", null, "x-ms-version", "2013-03-01")
            .statusCode());
    assertEquals(404, api.send("GET", C + "/jobs/l", null).statusCode());
  }

  private void damage(String collection, String job) {
    api.redis.ask("HSET " + key(collection, job) + " definition '{\"action\":5}'");
  }

  private static String key(String collection, String job) {
    String name = "default/default/" + collection + "/" + job;
    return "carillon:{" + JobName.partition(name, 4) + "}:job:" + name;
  }

  @Test
  void aJobWhoseKeyHoldsAnotherTypeIsNamedByListsAndMendedByTheNextWrite() {
    List.of("a", "j", "k").forEach(job -> api.send("PUT", C + "/jobs/" + job, ONCE));
    api.redis.ask("SET " + key("c", "j") + " junk");

    for (String list : List.of("/jobs", "/search?name=j")) {
      HttpResponse<String> answer = api.send("GET", C + list, null);
      assertEquals(200, answer.statusCode(), answer.body());
      assertTrue(answer.body().contains("its key holds no hash"), answer.body());
    }
    for (String read : List.of("", "/history", "/occurrences")) {
      HttpResponse<String> answer = api.send("GET", J + read, null);
      assertTrue(
          answer.statusCode() == 200 || answer.body().contains("JobDamaged"), read + answer.body());
    }
    assertTrue(api.send("GET", J, null).body().contains("\"code\":\"JobDamaged\""));
    assertEquals(201, api.send("PUT", J, ONCE).statusCode());
    assertEquals(200, api.send("GET", J, null).statusCode());
  }

  @Test
  void aListGoesOnWhereItWasAlsoWhenJobsComeAndGo() {
    IntStream.range(0, 6).forEach(i -> api.send("PUT", C + "/jobs/j" + i, ONCE));

    HttpResponse<String> first = api.send("GET", C + "/jobs?$top=3", null);
    api.send("DELETE", C + "/jobs/j0", null);
    api.send("DELETE", C + "/jobs/j2", null);
    api.send("PUT", C + "/jobs/a", ONCE);
    api.send("PUT", C + "/jobs/j33", ONCE);
    HttpResponse<String> second = api.send("GET", nextLink(first), null);

    assertEquals(List.of("j0", "j1", "j2"), ids(first));
    assertEquals(List.of("j3", "j33", "j4"), ids(second));
  }

  @Test
  void collectionsAreSkippedWithinTheirGroup() {
    for (String group : List.of("g0", "g1", "g10")) {
      for (int i = 0; i < 4; i++) {
        api.send("PUT", ARM.replace("g1", group) + "/c" + i + VERSION, "{\"properties\":{}}");
      }
    }

    HttpResponse<String> page = api.send("GET", ARM + VERSION + "&$skip=1&$top=2", null);
    HttpResponse<String> rest = api.send("GET", nextLink(page), null);
    HttpResponse<String> beyond = api.send("GET", ARM + VERSION + "&$skip=4", null);
    HttpResponse<String> all =
        api.send(
            "GET",
            "/subscriptions/s1/providers/Microsoft.Scheduler/jobCollections"
                + VERSION
                + "&$skip=11",
            null);

    assertEquals(List.of("c1", "c2"), names(page));
    assertEquals(List.of("c3"), names(rest));
    assertEquals(List.of(), names(beyond));
    assertEquals(1, names(all).size());
    assertTrue(all.body().contains("resourceGroups/g10/"), all.body());
  }

  @Test
  void historyIsListedInPagesNewestFirst() {
    api.send("PUT", J, DAILY);
    for (int partition = 0; partition < 4; partition++) {
      if (api.redis
          .ask("EXISTS carillon:{" + partition + "}:job:default/default/c/j")
          .equals(":1")) {
        for (int n = 1; n <= 3; n++) {
          api.redis.ask(
              "LPUSH carillon:{" + partition + "}:history:default/default/c/j " + entry(n));
        }
      }
    }

    HttpResponse<String> first = api.send("GET", J + "/history?$top=2", null);
    HttpResponse<String> second = api.send("GET", nextLink(first), null);
    HttpResponse<String> failed =
        api.send("GET", J + "/history?$filter=status%20eq%20Failed", null);
    HttpResponse<String> one = api.send("GET", J + "/history/" + ids(second).get(0), null);

    assertEquals(2, ids(first).size());
    assertTrue(first.body().contains("\"repeatCount\":3"), first.body());
    assertEquals(1, ids(second).size());
    assertTrue(second.body().endsWith("],\"nextLink\":null}"), second.body());
    assertEquals(1, ids(failed).size());
    assertTrue(second.body().contains(one.body()), one.body());
    assertEquals(404, api.send("GET", J + "/history/1:2", null).statusCode());
  }

  private static List<String> names(HttpResponse<String> list) {
    return Pattern.compile("\"name\":\"([^\"]*)\"")
        .matcher(list.body())
        .results()
        .map(name -> name.group(1))
        .toList();
  }

  private static String entry(int n) {
    return "{\\\"end\\\":\\\"2026-11-20T18:00:0N.000Z\\\",\\\"start\\\":\\\"2026-11-20T18:00:0NZ\\\",\\\"due\\\":\\\"2026-11-20T18:00:0NZ\\\",\\\"status\\\":\\\"S\\\",\\\"action\\\":\\\"main\\\",\\\"occurrence\\\":N,\\\"retry\\\":0,\\\"execution\\\":\\\"e\\\",\\\"message\\\":\\\"m\\\"}"
        .replace("\\", "")
        .replace("\"S\"", n == 2 ? "\"failed\"" : "\"completed\"")
        .replace("N", Integer.toString(n))
        .transform(json -> "\"" + json.replace("\"", "\\\"") + "\"");
  }
}
