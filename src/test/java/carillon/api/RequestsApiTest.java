package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.support.Await;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Test of malformed requests to any resource. */
class RequestsApiTest extends WithCollection {
  @Test
  void answersTellTheirDate() {
    assertEquals("Fri, 20 Nov 2026 18:00:00 GMT", api.get("/jobcollections").header("Date"));
    api.moveTo(ApiServer.START.plusMillis(999));
    assertEquals("Fri, 20 Nov 2026 18:00:00 GMT", api.get("/nowhere").header("Date"));
    api.moveTo(ApiServer.START.plusSeconds(1));
    assertEquals("Fri, 20 Nov 2026 18:00:01 GMT", api.get("/console/").header("Date"));
    assertTrue(api.sendRaw("GET\r\n\r\n").contains("\r\ndate: Fri, 20 Nov 2026 18:00:01 GMT\r\n"));
  }

  @Test
  void theTimeOfARequestCountsFromItsHead() throws IOException {
    Duration pause = Duration.ofMillis(200);
    for (String path : List.of("/preview", "/nowhere")) {
      double before = secondsOfRequests();
      try (Socket socket = RawHttp.connect(api.port())) {
        String head =
            "POST %s HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n";
        socket.getOutputStream().write(head.formatted(path).getBytes(StandardCharsets.US_ASCII));
        assertEquals('H', socket.getInputStream().read()); // the server waits for the body now
        long begun = System.nanoTime();
        Await.until("a pause", () -> System.nanoTime() - begun > pause.toNanos());
        socket.getOutputStream().write("{}".getBytes(StandardCharsets.US_ASCII));
        socket.shutdownOutput();
        socket.getInputStream().readAllBytes();
      }
      double seconds = secondsOfRequests() - before;
      assertTrue(seconds >= pause.toMillis() / 1000.0, () -> path + ": " + seconds);
    }
  }

  private double secondsOfRequests() {
    String sum = "carillon_api_request_seconds_sum ";
    return api.get("/metrics")
        .body()
        .lines()
        .filter(line -> line.startsWith(sum))
        .mapToDouble(line -> Double.parseDouble(line.substring(sum.length())))
        .sum();
  }

  @Test
  void whatIsMissingIsSaidToBe() {
    String collection = "Job collection 'x' was not found.";

    api.get(J).assertError(404, "NotFound", "Job 'j' cannot be found.");
    api.delete(J).assertError(404, "NotFound", "Job 'j' cannot be found.");
    api.post(J + "/run").assertError(404, "NotFound", "Job 'j' cannot be found.");
    api.get(J + "/history").assertError(404, "NotFound", "Job 'j' cannot be found.");
    api.patch("/jobcollections/x/jobs/j", ONCE).assertError(404, "NotFound", collection);
    api.get("/jobcollections/x/jobs").assertError(404, "NotFound", collection);
    api.get("/jobcollections/x").assertError(404, "NotFound", collection);
    api.get("/x").assertError(404, "NotFound", "Nothing is at '/x'.");
    api.delete("/jobcollections/x").assertIs(204, "");
  }

  @ParameterizedTest
  @CsvSource({
    "POST, /jobcollections/c/jobs/j, 'GET, PUT, PATCH, DELETE'",
    "TRACE, /jobcollections/c/jobs/j, 'GET, PUT, PATCH, DELETE'",
    "DELETE, /jobcollections/c/jobs, 'GET, POST, PATCH'",
    "GET, /jobcollections/c/jobs/j/run, POST",
    "PUT, /jobcollections/c/enable, POST",
    "PUT, /jobcollections, GET",
    "PUT, /jobcollections/c/jobs/j/history, GET",
    "GET, /preview, POST",
    "GET, /explain, POST",
    "PURGE, /nodes, GET",
    "PURGE, /due, GET",
    "PURGE, /jobcollections/c, 'GET, PUT, PATCH, DELETE'",
    "PURGE, /jobcollections/c/search, GET",
    "PURGE, /jobcollections/c/jobs/j/validate, POST",
    "PURGE, /jobcollections/c/jobs/j/history/1:2, GET",
    "PURGE, /subscriptions/s/providers/Microsoft.Scheduler/register?api-version=2016-03-01, POST",
  })
  void aMethodThatIsNotAllowedIsAnsweredWithThoseThatAre(String method, String path, String allow) {
    Answer answer = api.send(method, path, null);

    answer.assertError(
        405,
        "MethodNotAllowed",
        "The method '" + method + "' is not allowed here; use " + allow + ".");
    assertEquals(
        allow.replace("GET", "GET, HEAD") + ", OPTIONS",
        answer.headers().firstValue("Allow").orElseThrow());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "POST   | /jobcollections/c/jobs/j/run    | overlap | did you mean the query parameter 'overlap'? POST /jobcollections/{collection}/jobs/{job}/run takes no body",
        "POST   | /jobcollections/c/jobs/j/run    | Overlp  | did you mean the query parameter 'overlap'? POST /jobcollections/{collection}/jobs/{job}/run takes no body",
        "POST   | /jobcollections/c/jobs/j/enable | note    | POST /jobcollections/{collection}/jobs/{job}/enable takes no body",
        "POST   | /jobcollections/c/jobs/j/retry  | note    | POST /jobcollections/{collection}/jobs/{job}/retry takes no body",
        "POST   | /jobcollections/c/retry         | filter  | did you mean the query parameter '$filter'? POST /jobcollections/{collection}/retry takes no body",
        "POST   | /jobcollections/c/enable        | note    | POST /jobcollections/{collection}/enable takes no body",
        "POST   | /groups/s/g/flows/crm/resume    | note    | POST /groups/{subscription}/{group}/flows/{flow}/resume takes no body",
        "POST   | /flows/crm/reset                | note    | POST /flows/{flow}/reset takes no body",
        "DELETE | /calendars/holidays             | force   | did you mean the query parameter 'force'? DELETE /calendars/{calendar} takes no body",
        "GET    | /executions                     | state   | did you mean the query parameter 'state'? GET /executions takes no body",
        "DELETE | /keys/k                         | note    | DELETE /keys/{key} takes no body",
        "POST   | /session                        | key     | POST /session takes no body",
      })
  void whatABodySaysToNoEffectIsRefused(String method, String path, String name, String hint) {
    api.send(method, path, "{`" + name + "`:`x`}")
        .assertError(400, "BadRequest", name + ": this property is not known here; " + hint);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "POST   | /jobcollections/c/jobs/j/run     | overlap  | must be one of allowAll, skip",
        "DELETE | /calendars/holidays              | force    | must be one of true, false",
        "GET    | /jobcollections/c/jobs/j/history | marks    | must be one of true, false",
        "GET    | /executions                      | since    | must not be empty; leave it out instead",
        "GET    | /jobcollections/c/search         | name     | must not be empty; leave it out instead",
        "GET    | /jobcollections/c/jobs           | $orderby | must not be empty; leave it out instead",
        "GET    | /forecast/jobs                   | from     | must not be empty; leave it out instead",
      })
  void aParameterThatIsGivenAsNothingIsRefused(
      String method, String path, String name, String rule) {
    api.put(J, ONCE).assertStatus(201);

    for (String query : new String[] {"?" + name + "=", "?" + name}) {
      api.send(method, path + query, null).assertError(400, "BadRequest", name + ": '' " + rule);
    }
  }

  @Test
  void anotherNameOfACollectionThanThatOfTheAddressIsRefused() {
    String message = "name: 'other' must be 'c', as in the address";

    api.put(C, "{`name`:`other`}").assertError(400, "BadRequest", message);
    api.patch(C, "{`name`:`other`}").assertError(400, "BadRequest", message);
    api.patch(C, "{`name`:`C`}").assertStatus(200);
    api.put(C, "{`id`:`c`}").assertStatus(400);
    api.put(ARM + "/c" + VERSION, "{`name`:`other`}").assertStatus(201);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{`recurence`:null} | recurence",
        "{`recurrence`:{`until`:null}} | recurrence.until",
        "{`action`:{`request`:{`url`:null}}} | action.request.url",
      })
  void aChangeThatRemovesWhatIsNotKnownIsRefused(String change, String place) {
    api.put(J, DAILY).assertStatus(201);

    api.patch(J, change)
        .assertStatus(400)
        .assertContains(place + ": this property is not known here");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{`priority`:null}",
        "{`recurrence`:{`endTime`:null,`schedule`:null}}",
        "{`action`:{`request`:{`headers`:{`X-Other`:null},`body`:{`x`:null}}}}",
        "{`labels`:{`team`:null}}",
        "{`missed`:{`run`:`none`,`max`:null}}"
      })
  void aChangeMayRemoveWhatIsKnownAndNotThere(String change) {
    api.put(J, DAILY).assertStatus(201);

    api.patch(J, change).assertStatus(200).assertLacks("null");
  }

  @Test
  void aChangeOfACollectionMayRemoveWhatIsKnownAlone() {
    api.patch(C, "{`quotas`:null}").assertStatus(400);
    api.patch(C, "{`quota`:{`maxJobs`:null}}").assertStatus(400);
    api.patch(C, "{`quota`:{`maxJobCount`:null},`tags`:{`a`:null}}")
        .assertIs(200, "{`name`:`c`,`state`:`enabled`}");
  }

  @Test
  void aPauseThatADocumentBringsAlongIsRefused() {
    String message = "pause: an object does not disable it; POST .../disable does";

    api.put(J, job().with("pause", new JsonObject().put("note", "x")).json())
        .assertError(400, "BadRequest", message);
    api.put(C, "{`pause`:{`note`:`x`}}").assertError(400, "BadRequest", message);
    api.patch(C, "{`pause`:{`note`:`x`}}").assertError(400, "BadRequest", message);
    api.put(J, ONCE).assertStatus(201);
    api.patch(J, "{`pause`:{`note`:`x`}}").assertError(400, "BadRequest", message);
  }

  @Test
  void thePauseThatWasAnsweredMayComeBack() {
    api.put(J, DAILY).assertStatus(201);
    api.post(J + "/disable", "{`note`:`x`}").assertStatus(200);
    api.post(C + "/disable", "{`note`:`x`}").assertStatus(200);

    api.put(J, api.get(J).body()).assertStatus(200);
    api.patch(C, api.get(C).body()).assertStatus(200);
    api.put(C, api.get(C).body()).assertStatus(200);
  }

  @Test
  void aJobHasNoNameBesideItsId() {
    api.put(J, job().with("name", "other").json())
        .assertStatus(400)
        .assertContains("name: this property is not known here; did you mean 'id'?");
  }

  @Test
  void anEmptyObjectIsNoBody() {
    api.put(J, ONCE).assertStatus(201);

    api.post(J + "/disable", "{}").assertStatus(200);
    api.post(J + "/enable", "{}").assertStatus(200);
    api.post(J + "/enable", "[").assertStatus(400);
  }

  @Test
  void theDialectsOfAzureIgnoreWhatABodySaysToNoEffect() {
    api.post(ARM + "/c/enable" + VERSION, "{`note`:`x`}").assertStatus(404);
    api.put(ARM + "/c" + VERSION, "{}").assertStatus(201);

    api.post(ARM + "/c/enable" + VERSION, "{`note`:`x`}").assertStatus(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "application/x-www-form-urlencoded",
        "text/plain",
        "multipart/form-data; boundary=x"
      })
  void aBodyThatIsNotJsonIsNotRead(String type) {
    api.put(J, ONCE, "Content-Type", type)
        .assertError(
            415,
            "UnsupportedMediaType",
            "The body must be JSON in UTF-8; send 'Content-Type: application/json'.");
  }

  @Test
  void aCompressedBodyIsNotRead() {
    api.put(J, ONCE, "Content-Encoding", "gzip").assertStatus(415);
    api.put(
            J,
            ONCE,
            "Content-Encoding",
            "identity",
            "Content-Type",
            "Application/JSON; Charset=UTF-8")
        .assertStatus(201);
  }

  @Test
  void aBodyThatIsTooLargeIsNotRead() {
    api.put(J, " ".repeat(262_145))
        .assertError(
            413, "RequestEntityTooLarge", "The body is larger than the 262144 bytes allowed.");
    assertTrue(
        api.sendRaw("PUT " + J + " HTTP/1.1\r\nHost: h\r\nContent-Length: 10737418240\r\n\r\n")
            .startsWith("HTTP/1.1 413 "));
    assertTrue(
        api.sendRaw(
                "PUT "
                    + J
                    + " HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n40001\r\n"
                    + " ".repeat(0x40001)
                    + "\r\n")
            .startsWith("HTTP/1.1 413 "));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET / HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a b\r\n\r\n",
        "PUT /jobcollections/c/jobs/x HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /x HTTP/1.1\r\n\r\n",
        "PUT /jobcollections/c/jobs/x HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n",
        "PUT /jobcollections/c/jobs/x HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\nabcde",
        "PUT /jobcollections/c/jobs/x HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
        "GET / HTTP/1.1\r\nHost : h\r\n\r\n",
        "hello\r\n\r\n"
      })
  void aRequestThatCouldBeReadInTwoWaysIsRefused(String request) {
    String answer = api.sendRaw(request);

    assertTrue(answer.matches("(?s)HTTP/1\\.[01] 400 .*"), answer);
    assertTrue(answer.contains("{\"error\":{\"code\":\"BadRequest\""), answer);
    assertEquals(1, answer.split("HTTP/1", -1).length - 1, answer);
  }

  @ParameterizedTest
  @MethodSource("brokenBodies")
  void aBodyThatCannotBeReadIsRefusedAndEndsTheConnection(String chunks) {
    String head =
        "PUT "
            + J
            + " HTTP/1.1\r\nHost: h\r\nX-Request-Id: mine\r\nTransfer-Encoding: chunked\r\n\r\n";
    String next = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";

    String answer = api.sendRaw(head + chunks + next);

    assertTrue(answer.startsWith("HTTP/1.1 400 "), answer);
    assertTrue(answer.contains("\r\nX-Request-Id: mine\r\n"), answer);
    assertTrue(answer.contains("\r\nConnection: close\r\n"), answer);
    assertTrue(answer.contains("{\"error\":{\"code\":\"BadRequest\""), answer);
    assertEquals(1, answer.split("HTTP/1", -1).length - 1, answer);
    api.get(J).assertStatus(404);
  }

  static Stream<String> brokenBodies() {
    return Stream.of(
        "1\r\nabc\r\n",
        "ZZ\r\nabc\r\n",
        "FFFFFFFFFF\r\n{}\r\n",
        "2\r\n{}\r\nZZ\r\n",
        "2\r\n{}\r\n0\r\nX: " + "a".repeat(9000) + "\r\n\r\n");
  }

  /** The request is answered before its body is read, so that no other request can follow. */
  @Test
  void aBodyThatNobodyReadsEndsTheConnectionToo() {
    String answer =
        api.sendRaw(
            "GET /nothing/here HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n");

    assertTrue(answer.startsWith("HTTP/1.1 4"), answer);
  }

  @Test
  void anotherVersionOfHttpIsRefused() {
    String answer = api.sendRaw("GET / HTTP/1.2\r\nHost: h\r\nX-Request-Id: mine\r\n\r\n");

    assertTrue(answer.startsWith("HTTP/1.1 505 "), answer);
    assertTrue(answer.contains("\r\nX-Request-Id: mine\r\n"), answer);
    assertTrue(answer.contains("{\"error\":{\"code\":\"HttpVersionNotSupported\""), answer);
  }

  @Test
  void aRequestThatIsTooLongIsRefused() {
    String longLine = api.sendRaw("GET /" + "a".repeat(5000) + " HTTP/1.1\r\nHost: h\r\n\r\n");
    String longHeader =
        api.sendRaw("GET / HTTP/1.1\r\nHost: h\r\nX: " + "a".repeat(9000) + "\r\n\r\n");

    assertTrue(longLine.contains(" 414 "), longLine);
    assertTrue(longHeader.contains(" 431 "), longHeader);
  }

  /** Paths that a proxy in front, which routes by paths, reads as another path. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "//jobcollections/c",
        "/jobcollections//c",
        "/./jobcollections/c",
        "/x/../jobcollections/c",
        "/%6aobcollections/c",
        "/jobcollections/%63",
        "/jobcollections/c/jobs/../jobs"
      })
  void aPathIsWrittenInOneWay(String path) {
    Answer answer = api.get(path);

    answer.assertStatus(400).assertContains("must not have empty segments");
  }

  @Test
  void answersAreNeitherGuessedAtNorKept() {
    for (String path : List.of(C, J, "/health/live", "/x")) {
      Answer answer = api.get(path);

      assertEquals("nosniff", answer.header("X-Content-Type-Options"));
      assertEquals("no-store", answer.header("Cache-Control"));
    }
  }
}
