package carillon.api;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Test of HEAD, query parameters and compressed answers. */
@Tag("redis")
class HttpNicetiesTest {
  private static final String JOBS = "/jobcollections/default/jobs";

  @AutoClose private ApiServer api = new ApiServer();

  @BeforeEach
  void jobs() {
    api.put(JOBS + "/a", "{`action`:{`request`:{`uri`:`http://h/`}}}").assertStatus(201);
    api.put(JOBS + "/b", "{`action`:{`request`:{`uri`:`http://h/`}}}").assertStatus(201);
  }

  @Test
  void headIsAnsweredLikeGetWithoutItsBody() {
    for (String path : new String[] {JOBS + "/a", JOBS, "/health", "/openapi.yaml", "/none"}) {
      Answer got = api.get(path);
      Answer head = api.send("HEAD", path, null);

      assertEquals(got.status(), head.status(), path);
      assertEquals("", head.body());
      assertEquals(got.header("ETag"), head.header("ETag"));
      assertEquals(got.header("Content-Type"), head.header("Content-Type"));
      assertEquals(got.header("Content-Length"), head.header("Content-Length"), path);
    }
    api.send("HEAD", "/console/executions", null).assertStatus(405);
    api.send("HEAD", JOBS + "/a/run", null).assertStatus(405);
  }

  @Test
  void theMethodsOfAPathAreToldWithHeadAndOptions() {
    Answer options = api.send("OPTIONS", JOBS + "/a", null).assertStatus(204);
    Answer refused = api.send("PURGE", JOBS + "/a", null).assertStatus(405);

    assertEquals("GET, HEAD, PUT, PATCH, DELETE, OPTIONS", options.header("Allow"));
    assertEquals(options.header("Allow"), refused.header("Allow"));
    assertEquals("POST, OPTIONS", api.send("OPTIONS", "/call", null).header("Allow"));
    api.send("OPTIONS", "/nowhere", null).assertStatus(404);
  }

  @Test
  void whatIsNowhereIsNotFoundWhateverItsBody() {
    for (String type : new String[] {"text/plain", "application/json"}) {
      api.send("POST", "/v2/publish/x", "hello", "Content-Type", type).assertStatus(404);
    }
  }

  @Test
  void aFilterIsNotQuotedWithinQuotes() {
    api.get(JOBS + "?$filter=state%20eq%20'Bad'")
        .assertStatus(400)
        .assertContains("$filter: state eq 'Bad' names no state, which is one of");
    api.get(JOBS + "?$filter=bad")
        .assertStatus(400)
        .assertContains("$filter: 'bad' must be of the form");
  }

  @Test
  void theSignOfAParameterMayBeLeftOut() {
    assertEquals(
        api.get(JOBS + "?$top=1").body().replace("$top", "top"),
        api.get(JOBS + "?top=1").body().replace("$top", "top"));
    assertEquals(1, api.get(JOBS + "?skip=1").json().getJsonArray("value").size());
    api.get(JOBS + "?top=1&$top=1").assertStatus(400);
  }

  @Test
  void anUnknownParameterIsRefusedWithTheNearestAndThoseThatAreTaken() {
    api.get(JOBS + "?topp=1")
        .assertStatus(400)
        .assertContains(
            "topp: this query parameter is not known; did you mean 'top'? GET"
                + " /jobcollections/{collection}/jobs takes '$filter', '$orderby', '$top', '$skip', '$skiptoken'");
    api.get(JOBS + "/a?expand=all").assertStatus(400).assertContains("takes none");
    api.get("/due?$skip=1").assertStatus(400).assertContains("takes '$top'");
    api.get(JOBS + "?limit=1").assertStatus(400).assertContains("did you mean '$top'?");
    api.get(JOBS + "?offset=1").assertStatus(400).assertContains("did you mean '$skip'?");
    api.get(JOBS + "?state=enabled").assertStatus(400).assertContains("did you mean '$filter'?");
    api.send("POST", "/call?url=x", null).assertStatus(400).assertContains("POST /call takes 'in'");
    api.get("/jobcollections/default/search?lastoutcom=failed")
        .assertStatus(400)
        .assertContains("did you mean 'lastOutcome'?");
    api.send("DELETE", JOBS + "/a?force=true", null).assertStatus(400);
    api.get(JOBS + "/a").assertStatus(200);
  }

  @Test
  void parametersOfOtherDialectsProbesAndClientsAreIgnored() {
    api.get(JOBS + "/a?api-version=2016-03-01").assertStatus(200);
    api.get(JOBS + "?LASTOUTCOME&").assertStatus(400);
    api.get(JOBS + "?$TOP=1&").assertStatus(200);
    api.get("/health/live?probe=1").assertStatus(200);
    String group = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Scheduler/jobCollections";
    api.get(group + "?api-version=2016-03-01&$expand=all").assertStatus(200);
  }

  @Test
  void jsonEndsItsLineSoThatThePromptOfAShellHasItsOwn() throws Exception {
    String[] paths = {JOBS, JOBS + "/a", "/", "/health", "/due", "/none", JOBS + "/none"};
    for (String path : paths) {
      HttpResponse<byte[]> answer = got(path);
      String body = new String(answer.body(), StandardCharsets.UTF_8);

      assertTrue(body.endsWith("}\n"), path + ": " + body);
      assertEquals(1, body.lines().count(), path + ": " + body);
      assertEquals(
          answer.body().length, answer.headers().firstValueAsLong("Content-Length").orElse(-1));
    }
  }

  @Test
  void jsonOfOtherDialectsEndsAsTheServiceSentIt() throws Exception {
    String arm = "/subscriptions/s/resourceGroups/g/providers/Microsoft.Scheduler/jobCollections";
    for (String path : new String[] {arm + "?api-version=2016-03-01", arm, arm + "/none"}) {
      assertTrue(new String(got(path).body(), StandardCharsets.UTF_8).endsWith("}"), path);
    }
  }

  @Test
  void jsonComesInLinesWhereThatIsAskedFor() {
    String compact = api.get(JOBS + "/a").body();
    for (String path : new String[] {JOBS + "/a?pretty", JOBS + "/a?api-version=1&pretty=true"}) {
      Answer pretty = api.get(path).assertStatus(200).assertStartsWith("{\n  `id` : `a`,\n");
      pretty.assertEndsWith("}\n");
      assertEquals(compact, pretty.json().encode());
    }
    assertEquals(compact, api.get(JOBS + "/a?pretty=false").body());
    api.get(JOBS + "/none?pretty").assertStatus(404).assertStartsWith("{\n  `error` : {\n");
    api.get("/openapi.yaml?pretty").assertStatus(200).assertStartsWith("openapi: ");
    assertEquals("", api.send("DELETE", JOBS + "/a?pretty", null).body());
  }

  private HttpResponse<byte[]> got(String path, String... acceptEncoding) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + api.port() + path));
    for (String each : acceptEncoding) {
      request.header("Accept-Encoding", each);
    }
    return HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofByteArray());
  }

  private static boolean isGzip(HttpResponse<byte[]> response) {
    return response.headers().firstValue("Content-Encoding").filter("gzip"::equals).isPresent();
  }

  @Test
  void aLargeAnswerIsCompressedWhereTheClientAcceptsIt() throws Exception {
    byte[] plain = got("/openapi.yaml").body();
    HttpResponse<byte[]> answer = got("/openapi.yaml", "br;q=1.0, GZIP ; q=0.8");

    assertTrue(isGzip(answer));
    assertEquals("accept-encoding", answer.headers().firstValue("Vary").orElse(""));
    assertTrue(answer.body().length * 3 < plain.length, "bytes: " + answer.body().length);
    assertArrayEquals(
        plain, new GZIPInputStream(new ByteArrayInputStream(answer.body())).readAllBytes());
    assertTrue(isGzip(got("/openapi.yaml", "br", "gzip")));
  }

  @Test
  void otherAnswersAreSentAsTheyAre() throws Exception {
    assertFalse(isGzip(got("/openapi.yaml")));
    assertFalse(isGzip(got("/openapi.yaml", "br, gzip;q=0")));
    assertFalse(isGzip(got("/openapi.yaml", "gzip;q=0.000")));
    assertFalse(isGzip(got(JOBS + "/a", "gzip")));
    assertTrue(got(JOBS + "/a", "gzip").headers().firstValue("Vary").isEmpty());
  }
}
