package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.api.BadInputs.Case;
import carillon.api.BadInputs.Spelling;
import carillon.support.Effort;
import carillon.support.JobJson;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.TestInstance;

/**
 * Test of bad and boundary inputs in both dialects. Each must be answered correctly, in time and in
 * the usual form, and a refusal must leave Redis unchanged. The clock is near the times in the
 * inputs, since the ARM dialect allows times up to 18 months ahead.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("redis")
class BadInputsTest {
  /** Inputs that Carillon deliberately answers differently from the file, in every dialect. */
  private static final Map<String, String> DELIBERATE =
      Map.of(
          "rec-26", "a lone value stands for an array of one: the service's documents have it so",
          "time-04", "a time without offset is UTC, as the service had it",
          "time-13", "more than seven fraction digits are rounded, as recorded");

  private static final Map<String, String> DELIBERATE_IN_ARM =
      Map.of("json-26", "unknown properties are ignored: clients of other versions send them");

  private static final Map<String, String> DELIBERATE_IN_NATIVE =
      Map.of(
          "rec-10",
          "the native dialect has seconds",
          "name-24",
          "the first job makes its collection, for who may make it");

  /** Texts that a message must contain when an input of the group is refused. */
  private static final Map<String, String> NAMED =
      Map.of(
          "time", "startTime",
          "rec", "recurrence",
          "retry", "action.",
          "act", "action.",
          "hdr", "action.request.headers",
          "uri", "action.request.uri");

  private static final Set<String> TESTED_APART = Set.of("http-13", "http-15", "http-16");

  private static final Instant NOW = Instant.parse("2030-12-01T00:00:00Z");
  private static final int MAX_MESSAGE_LENGTH = 300;
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String GOOD = JobJson.get("http://127.0.0.1:9/").json();

  /** Script for one status word that covers all names, types and values, and any times to live. */
  private static final String DIGEST =
      "EVAL \"local keys = redis.call('KEYS', '*') table.sort(keys) local all = ''"
          + " for _, key in ipairs(keys) do all = redis.sha1hex(all .. key .. redis.call('DUMP', key))"
          + " end return redis.status_reply(redis.call('DBSIZE') .. '/' .. all)\" 0";

  private final List<Case> cases = BadInputs.load();
  @AutoClose private ApiServer api;

  @BeforeAll
  void start() {
    api = new ApiServer(setup -> setup.budget = ApiServer.PLENTY);
    api.moveTo(NOW);
    api.put("/jobcollections/c1", "{}");
    api.put(BadInputs.ARM_COLLECTIONS + "/c1?api-version=2016-03-01", "{}");
  }

  @TestFactory
  Stream<DynamicTest> everyInputIsAnsweredAsItShould() {
    return Stream.of(Spelling.ARM, Spelling.NATIVE)
        .flatMap(
            spelling ->
                cases.stream()
                    .filter(input -> !TESTED_APART.contains(input.id()))
                    .map(
                        input ->
                            DynamicTest.dynamicTest(
                                "%s %s: %s"
                                    .formatted(
                                        spelling.name(), input.id(), input.get("why").asText()),
                                () -> check(input, spelling))));
  }

  private void check(Case input, Spelling spelling) {
    String before = digest();
    Effort effort = new Effort();
    Got got = send(input, spelling);

    assertExpected(input, spelling, got);
    effort.assertSmall(input::id);
    if (got.status >= 400) {
      assertRefusal(input, got.body);
      assertEquals(before, digest());
    }
    assertHealthy();
  }

  private static void assertExpected(Case input, Spelling spelling, Got got) {
    Set<String> deliberate =
        Stream.of(DELIBERATE, spelling.isEnveloped() ? DELIBERATE_IN_ARM : DELIBERATE_IN_NATIVE)
            .flatMap(reasons -> reasons.keySet().stream())
            .collect(Collectors.toSet());
    if (deliberate.contains(input.id())) {
      assertFalse(input.expected().contains(got.status), "no deviation any more");
      assertEquals(201, got.status, got.body);
    } else {
      assertTrue(
          input.expected().contains(got.status),
          () -> got.status + " is none of " + input.expected() + ": " + got.body);
    }
  }

  private static void assertRefusal(Case input, String body) {
    JsonNode error = error(body);
    String message = error.path("message").asText();
    assertFalse(error.path("code").asText().isEmpty(), body);
    assertFalse(message.isEmpty(), body);
    assertTrue(message.length() <= MAX_MESSAGE_LENGTH, body);
    for (String inside : List.of("Exception", "java.", "io.vertx", "carillon.", "WRONGTYPE")) {
      assertFalse(message.contains(inside), body);
    }
    if (error.path("code").asText().equals("BadRequest")
        && NAMED.containsKey(input.group())
        && !message.startsWith("Malformed Job Object")) {
      assertTrue(message.startsWith(NAMED.get(input.group())), body);
    }
  }

  private static JsonNode error(String body) {
    try {
      return JSON.readTree(body).path("error");
    } catch (IOException e) {
      throw new UncheckedIOException(body, e);
    }
  }

  private void assertHealthy() {
    api.get("/health").assertStatus(200);
    int status = api.put("/jobcollections/c1/jobs/good", GOOD).status();
    assertTrue(status == 200 || status == 201, () -> "a good job: " + status);
  }

  private String digest() {
    return api.redis.ask(DIGEST);
  }

  private record Got(int status, String body) {}

  private Got send(Case input, Spelling spelling) {
    if (input.has("rawRequest")) {
      String text = spelling.fill(input.get("rawRequest").asText());
      return raw(out -> out.write(text.getBytes(StandardCharsets.UTF_8)));
    }
    if (input.has("bodyGen")) {
      return raw(out -> writeGenerated(out, input, spelling));
    }
    String[] headers =
        input.headers().entrySet().stream()
            .flatMap(header -> Stream.of(header.getKey(), spelling.fill(header.getValue())))
            .toArray(String[]::new);
    Answer answer =
        api.send(
            input.get("method").asText(),
            spelling.path(input),
            input.has("body") ? spelling.body(input) : null,
            headers);
    return new Got(answer.status(), answer.body());
  }

  private Got raw(RawHttp.Request request) {
    RawHttp.Reply reply = RawHttp.exchange(api.port(), request);
    assertTrue(reply.closed(), "a connection that carried this cannot be trusted");
    return new Got(reply.status(), reply.body());
  }

  private static void writeGenerated(OutputStream out, Case input, Spelling spelling)
      throws IOException {
    JsonNode generated = input.get("bodyGen");
    StringBuilder head =
        new StringBuilder(input.get("method").asText())
            .append(' ')
            .append(spelling.path(input))
            .append(" HTTP/1.1\r\nHost: h\r\n");
    input
        .headers()
        .forEach(
            (name, value) ->
                head.append(name).append(": ").append(spelling.fill(value)).append("\r\n"));
    switch (generated.path("kind").asText()) {
      case "none" -> out.write(ascii(head + "\r\n"));
      case "template" -> writeTemplate(out, head, generated, spelling);
      case "gzipZeros" -> {
        byte[] member = gzipOfZeros();
        long members = generated.path("bytes").asLong() / (1 << 20);
        out.write(ascii(head + "Content-Length: " + members * member.length + "\r\n\r\n"));
        for (long i = 0; i < members; i++) {
          out.write(member);
        }
      }
      case "chunkedEndless" -> {
        out.write(ascii(head + "Transfer-Encoding: chunked\r\n\r\n"));
        byte[] chunk = ascii("1000\r\n" + "a".repeat(0x1000) + "\r\n");
        while (true) {
          out.write(chunk); // until the server closes the connection
        }
      }
      default -> throw new IllegalArgumentException(generated.toString());
    }
  }

  private static void writeTemplate(
      OutputStream out, StringBuilder head, JsonNode generated, Spelling spelling)
      throws IOException {
    String[] parts = spelling.fill(generated.path("text").asText()).split("%s", -1);
    byte[] fill = ascii(generated.path("fill").asText().repeat(1 << 16));
    long count = generated.path("count").asLong();
    long length = parts[0].length() + count + parts[1].length();
    out.write(ascii(head + "Content-Length: " + length + "\r\n\r\n" + parts[0]));
    for (long left = count; left > 0; left -= fill.length) {
      out.write(fill, 0, (int) Math.min(left, fill.length));
    }
    out.write(ascii(parts[1]));
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** Returns gzip of one MiB of zeros. Several of them in sequence are a valid gzip file again. */
  private static byte[] gzipOfZeros() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
      gzip.write(new byte[1 << 20]);
    }
    return bytes.toByteArray();
  }

  private Case named(String id) {
    return cases.stream().filter(input -> input.id().equals(id)).findFirst().orElseThrow();
  }

  private Answer put(String id) {
    Case input = named(id);
    return api.put(Spelling.ARM.path(input), Spelling.ARM.body(input));
  }

  private JsonNode job(String id) throws IOException {
    String path = BadInputs.ARM_COLLECTIONS + "/c1/jobs/" + id + "?api-version=2016-03-01";
    return JSON.readTree(api.get(path).body()).path("properties");
  }

  @Test
  void aRepeatedPutLeavesOneDueEntry() {
    put("ok-05");
    String once = api.redis.ask("EVAL \"return #redis.call('KEYS', '*')\" 0");
    put("ok-05");

    assertEquals(once, api.redis.ask("EVAL \"return #redis.call('KEYS', '*')\" 0"));
    assertEquals(
        ":1",
        api.redis.ask(
            "EVAL \"local n = 0 for p = 0, 3 do if redis.call('ZSCORE', 'carillon:{' .. p .. '}:due',"
                + " 'job:s1/g1/c1/ok-05') then n = n + 1 end end return n\" 0"));
  }

  @Test
  void aStatusThatAClientSendsCountsForNothing() throws IOException {
    put("json-29");

    JsonNode status = job("json-29").path("status");

    assertEquals(0, status.path("executionCount").asInt());
    assertEquals("2031-01-01T00:00:00Z", status.path("nextExecutionTime").asText());
  }

  @Test
  void yearsOfMissedRunsAreNotMadeUp() throws IOException {
    put("time-21");

    assertEquals(
        "2030-12-01T00:00:00Z", job("time-21").path("status").path("nextExecutionTime").asText());
  }

  @Test
  void theNameInThePathWins() {
    put("name-23");

    String other = BadInputs.ARM_COLLECTIONS + "/c1/jobs/other?api-version=2016-03-01";
    api.get(other).assertStatus(404);
  }

  @Test
  void aPropertyNameThatNoReaderTakesIsRefused() {
    Answer answer = api.put("/jobcollections/c1/jobs/long", "{\"" + "x".repeat(50_001) + "\":1}");

    answer.assertStatus(400);
    answer.assertContains("Malformed Job Object: it has a name that is too long");
  }

  @Test
  void noRetriesAreNoRetries() throws IOException {
    put("retry-18");

    assertEquals(
        "{\"retryType\":\"none\"}", job("retry-18").path("action").path("retryPolicy").toString());
  }

  @Test
  void aClientThatLeavesAfterItsRequestHasAllOfItDoneOrNothing() throws IOException {
    Case input = named("http-15");
    String body = Spelling.ARM.body(input);

    RawHttp.sendAndLeave(
        api.port(),
        "PUT "
            + Spelling.ARM.path(input)
            + " HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\nContent-Length: "
            + body.getBytes(StandardCharsets.UTF_8).length
            + "\r\n\r\n"
            + body);

    JsonNode job = job("http-15");
    assertTrue(
        job.isMissingNode()
            || job.path("status").path("nextExecutionTime").asText().equals("2031-01-01T00:00:00Z"),
        job::toString);
    assertHealthy();
  }

  @Test
  void aRapidResetOfHttp2FindsNoHttp2() {
    byte[] settings = {0, 0, 0, 4, 0, 0, 0, 0, 0};
    RawHttp.Reply reply =
        RawHttp.exchange(
            api.port(),
            out -> {
              out.write(ascii("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"));
              out.write(settings);
              int resets = named("http-16").get("h2RapidReset").asInt();
              for (int stream = 1; stream < 2 * resets; stream += 2) {
                out.write(frame(1, 0x5, stream, new byte[] {(byte) 0x82, (byte) 0x84}));
                out.write(frame(3, 0, stream, new byte[4]));
              }
            });

    assertTrue(reply.closed());
    assertHealthy();
  }

  private static byte[] frame(int type, int flags, int stream, byte[] payload) {
    byte[] frame = new byte[9 + payload.length];
    frame[2] = (byte) payload.length;
    frame[3] = (byte) type;
    frame[4] = (byte) flags;
    frame[7] = (byte) (stream >> 8);
    frame[8] = (byte) stream;
    System.arraycopy(payload, 0, frame, 9, payload.length);
    return frame;
  }
}
