package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.support.Effort;
import carillon.support.JobJson;
import io.vertx.core.json.DecodeException;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Test of the API with random documents. No answer is 5xx, late or malformed, no refused document
 * changes Redis, and the server is healthy afterwards. The property {@code
 * -Dcarillon.fuzz.seconds=600} extends the test, {@code -Dcarillon.fuzz.seed=N} repeats a run.
 */
@Tag("redis")
class FuzzTest {
  private static final Duration TIME = Duration.ofSeconds(Long.getLong("carillon.fuzz.seconds", 5));
  private static final long SEED = Long.getLong("carillon.fuzz.seed", System.nanoTime());

  /** Maximum size of the body of a preview, in bytes. */
  private static final int MAX_PREVIEW = 16 * 1024;

  private static final Set<Integer> REFUSALS = Set.of(400, 404, 409, 412, 413);
  private static final String ARM =
      BadInputs.ARM_COLLECTIONS + "/c1/jobs/%s?api-version=2016-03-01";

  @AutoClose private static ApiServer api;

  private final Mutations mutations = new Mutations(SEED);
  private final Map<Integer, Integer> statuses = new TreeMap<>();

  @BeforeAll
  static void start() {
    api = new ApiServer(setup -> setup.budget = ApiServer.PLENTY);
    api.moveTo(Instant.parse("2030-12-01T00:00:00Z"));
    api.put("/jobcollections/c1", "{}");
    api.put(BadInputs.ARM_COLLECTIONS + "/c1?api-version=2016-03-01", "{}");
  }

  @Test
  void noJobByChanceDoesHarm() {
    long end = System.nanoTime() + TIME.toNanos();
    for (long i = 0; System.nanoTime() < end; i++) {
      String name = mutations.name();
      String job = mutations.job();
      boolean isArm = i % 2 == 0;
      String path = isArm ? String.format(ARM, name) : "/jobcollections/c1/jobs/" + name;
      String body = isArm ? "{\"properties\":" + job + "}" : job;
      String method = i % 7 == 0 ? "PATCH" : "PUT";
      String before = size();

      Answer answer = ask(method, path, body);

      if (REFUSALS.contains(answer.status())) {
        assertEquals(before, size(), () -> told(method, path, body, answer));
      } else {
        assertTrue(
            Set.of(200, 201).contains(answer.status()), () -> told(method, path, body, answer));
        assertReadable(path, body);
      }
    }
    tell("jobs");
    assertWell();
  }

  /** Asserts that an accepted document can be read; deletes some of the documents. */
  private void assertReadable(String path, String body) {
    Answer read = ask("GET", path, null);
    assertEquals(200, read.status(), () -> told("GET", path, body, read));
    if (body.length() % 3 == 0) {
      Answer deleted = ask("DELETE", path, null);
      assertEquals(200, deleted.status(), () -> told("DELETE", path, body, deleted));
    }
  }

  /** Found by the previous test: it exhausted the stack. */
  @Test
  void aTokenAsLongAsTheBodyMayBeIsLookedAt() {
    for (String piece : List.of("0", "%20", "a%20")) {
      String job =
          "{\"action\":{\"type\":\"storageQueue\",\"queueMessage\":{\"storageAccount\":\"acc\","
              + "\"queueName\":\"queue\",\"message\":\"m\",\"sasToken\":\""
              + piece.repeat(15_000)
              + "\"}}}";
      ask("PUT", "/jobcollections/c1/jobs/token", job);
    }
  }

  @Test
  void noRecurrenceByChanceTakesLongOrGoesBack() {
    long end = System.nanoTime() + TIME.toNanos();
    while (System.nanoTime() < end) {
      String body = mutations.recurrence();

      Answer answer = ask("POST", "/preview", body);

      if (answer.status() == 200) {
        assertRising(body, answer.json());
      } else {
        boolean isTooLarge = body.getBytes(StandardCharsets.UTF_8).length > MAX_PREVIEW;
        assertEquals(
            isTooLarge ? 413 : 400, answer.status(), () -> told("POST", "/preview", body, answer));
      }
    }
    tell("recurrences");
    assertWell();
  }

  private static void assertRising(String body, JsonObject answer) {
    List<Instant> times =
        answer.getJsonArray("occurrences").stream()
            .map(time -> Instant.parse(time.toString()))
            .toList();
    for (int i = 1; i < times.size(); i++) {
      assertTrue(times.get(i - 1).isBefore(times.get(i)), () -> seed() + body + " -> " + times);
    }
  }

  private Answer ask(String method, String path, String body) {
    Effort effort = new Effort();
    Answer answer = api.send(method, path, body, "Content-Type", "application/json");

    assertTrue(answer.status() < 500, () -> told(method, path, body, answer));
    effort.assertSmall(() -> told(method, path, body, answer));
    if (answer.status() >= 400) {
      assertRefusal(answer, () -> told(method, path, body, answer));
    }
    statuses.merge(answer.status(), 1, Integer::sum);
    return answer;
  }

  private static void assertRefusal(Answer answer, Supplier<String> told) {
    try {
      JsonObject error = answer.json().getJsonObject("error", new JsonObject());
      assertFalse(error.getString("code", "").isEmpty(), told);
      String message = error.getString("message", "");
      assertTrue(!message.isEmpty() && message.length() <= 300, told);
      assertFalse(message.contains("Exception") || message.contains("java."), told);
    } catch (DecodeException e) {
      throw new AssertionError(told.get(), e);
    }
  }

  private static String size() {
    return api.redis.ask("DBSIZE");
  }

  private void assertWell() {
    ask("GET", "/health", null).assertStatus(200);
    int status =
        ask("PUT", "/jobcollections/c1/jobs/good", JobJson.get("http://127.0.0.1:9/").json())
            .status();
    assertTrue(status == 200 || status == 201, () -> "a good job: " + status);
  }

  private void tell(String what) {
    System.out.println("fuzz: " + what + ", seed " + SEED + ", answers " + statuses);
  }

  private static String seed() {
    return "seed " + SEED + ": ";
  }

  private static String told(String method, String path, String body, Answer answer) {
    return "%s%s %s\n%s\n-> %d %s"
        .formatted(seed(), method, path, body, answer.status(), answer.body());
  }
}
