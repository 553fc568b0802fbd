package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.config.Settings;
import carillon.dispatch.egress.EgressPolicy;
import carillon.dispatch.egress.OwnEndpoints;
import carillon.support.Await;
import carillon.support.DnsServer;
import carillon.support.Engine;
import carillon.support.EngineSettings;
import carillon.support.JobJson;
import carillon.support.RedisServer;
import carillon.support.TestClock;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Test of addresses that a job must not reach. Each job is submitted by HTTP and, if it is
 * accepted, run by the real API and engine. The DNS server answers like an attacker's.
 */
@Tag("redis")
class SsrfTest {
  private static final String COLLECTION =
      "/subscriptions/s1/resourceGroups/g1/providers/Microsoft.Scheduler/jobCollections/c1";
  private static final String VERSION = "?api-version=2016-03-01";
  private static final String NOT_ALLOWED = "target address not allowed";

  /** Message for a host name, which reveals no more. */
  private static final String NAME_NOT_ALLOWED =
      "the host name cannot be resolved, or its address is not allowed";

  private static final ObjectMapper JSON = new ObjectMapper();

  /** Allows the first address of the changing name. Nothing listens there. */
  private static final Settings SETTINGS =
      EngineSettings.with("egress.allow=127.0.0.2:80", "egress.loopback=deny");

  @AutoClose private final DnsServer dns = new DnsServer();
  private final EgressPolicy policy =
      new EgressPolicy(SETTINGS.egress().allow(), false, new OwnEndpoints());

  @AutoClose
  private final ApiServer api = new ApiServer(setup -> setup.targets = policy::objection);

  private final TestClock clock = new TestClock(Instant.parse("2030-12-01T00:00:00Z"));

  @AutoClose
  private final Engine engine =
      new Engine(RedisServer.shared(), "node", clock, SETTINGS, dns.vertxOptions());

  private static List<JsonNode> cases() throws IOException {
    try (InputStream file = SsrfTest.class.getResourceAsStream("/egress/ssrf.json")) {
      return StreamSupport.stream(JSON.readTree(file).path("cases").spliterator(), false).toList();
    }
  }

  @ParameterizedTest
  @MethodSource("cases")
  void itIsRefusedOrBlocked(JsonNode input) {
    dns.answer("169.254.169.254.nip.io", "169.254.169.254")
        .answer("rebind.test", "127.0.0.2")
        .answer("rebind.test", "127.0.0.1");

    Answer answer = put(input.path("path").asText(), input.path("body").asText());

    List<String> expected =
        StreamSupport.stream(input.path("expect").spliterator(), false)
            .map(JsonNode::asText)
            .toList();
    if (answer.status() == 400) {
      assertTrue(expected.contains("400"), answer.body());
      answer.assertContains("action.request.uri");
    } else {
      answer.assertStatus(201);
      assertTrue(expected.toString().contains("blocked"), answer.body());
      runUntilBlocked(input.path("id").asText());
    }
  }

  private Answer put(String path, String body) {
    api.moveTo(clock.instant());
    api.put(COLLECTION + VERSION, "{}");
    return api.put(path.replace("{collection}", COLLECTION) + VERSION, body);
  }

  /**
   * Runs the job until it is blocked. The name is resolved again a second after the last time; by
   * then it has its other address.
   */
  private void runUntilBlocked(String job) {
    clock.set(Instant.parse("2031-01-01T00:00:00Z"));
    Await.until(
        "a blocked execution of " + job,
        () -> {
          engine.stepTo(clock.instant().plusSeconds(30));
          return messages(job).anyMatch(SsrfTest::isBlocked);
        });
    assertTrue(
        messages(job).allMatch(m -> isBlocked(m) || m.endsWith("no connection")),
        () -> messages(job).toList().toString());
  }

  private static boolean isBlocked(String message) {
    return message.endsWith("failed: " + NOT_ALLOWED)
        || message.endsWith("failed: " + NAME_NOT_ALLOWED);
  }

  private Stream<String> messages(String job) {
    String path = COLLECTION + "/jobs/" + job + "/history" + VERSION;
    try {
      JsonNode page = JSON.readTree(api.get(path).body());
      return StreamSupport.stream(page.path("value").spliterator(), false)
          .map(entry -> entry.path("properties").path("message").asText());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void theRefusalNamesTheFieldAndTheEntryThatWouldOpenIt() {
    Answer main = put("/jobcollections/default/jobs/j", JobJson.get("http://10.1.2.3/x").json());
    Answer error =
        put(
            "/jobcollections/default/jobs/j",
            JobJson.get("http://example.org/").errorAction(JobJson.get("http://[::1]:81/")).json());

    assertEquals(
        "{\"error\":{\"code\":\"BadRequest\",\"message\":\"action.request.uri: target address not allowed:"
            + " 10.1.2.3:80 needs the entry '10.0.0.0/8' in egress.allow\"}}",
        main.withoutRequestId().body());
    error.assertContains("action.errorAction.request.uri: target address not allowed");
  }

  @Test
  void aJobFromBeforeTheRuleIsBlockedAndCanStillBeChanged() {
    api.moveTo(clock.instant());
    api.put("/jobcollections/default", "{}");
    engine.put("j", JobJson.get("http://169.254.169.254/latest/meta-data/").json());

    engine.step();
    Answer patched = api.patch("/jobcollections/default/jobs/j", "{`state`:`disabled`}");
    Answer moved =
        api.patch(
            "/jobcollections/default/jobs/j",
            "{`action`:{`request`:{`uri`:`http://169.254.169.253/`}}}");

    assertEquals(
        "Http Action - Request to host '169.254.169.254' failed: " + NOT_ALLOWED,
        engine.history("j").get(0).message());
    patched.assertStatus(200);
    moved.assertStatus(400);
  }
}
