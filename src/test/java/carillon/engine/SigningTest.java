package carillon.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.job.action.Secret;
import carillon.job.attempt.HistoryEntry;
import carillon.job.collection.CollectionDefinition;
import carillon.job.collection.CollectionDefinition.WebhookSigning;
import carillon.secret.Vault;
import carillon.support.CallbackServer;
import carillon.support.Engine;
import carillon.support.JobJson;
import carillon.support.Keys256;
import carillon.support.NodeClient;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;

/** Tests of signed calls on the real engine. */
class SigningTest extends EngineFixture {
  private static final String FIRST = "whsec_" + Keys256.key(11);
  private static final String SECOND = "whsec_" + Keys256.key(12);

  /** Receivers refuse calls that are older than five minutes by their clock. */
  @Override
  Instant begin() {
    return Instant.now().truncatedTo(ChronoUnit.MILLIS);
  }

  private void sign(Vault vault, String... secrets) {
    WebhookSigning signing = new WebhookSigning(Arrays.stream(secrets).map(Secret::new).toList());
    CollectionDefinition definition =
        vault.seal(Engine.COLLECTION, CollectionDefinition.PLAIN.with(signing));
    putCollection(definition);
  }

  @Override
  JobJson job() {
    return JobJson.post(target.url("/hook")).body("{\"é\":1}");
  }

  private void runJob(String name) {
    runJob(name, job());
  }

  private void runJob(String name, JobJson job) {
    engine.put(name, job.json());
    engine.step();
  }

  private static String signature(String secret, Map<String, String> headers, String body)
      throws Exception {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(
        new SecretKeySpec(
            Base64.getDecoder().decode(secret.substring("whsec_".length())), "HmacSHA256"));
    String content =
        headers.get("webhook-id") + "." + headers.get("webhook-timestamp") + "." + body;
    return "v1,"
        + Base64.getEncoder().encodeToString(mac.doFinal(content.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void everyAttemptIsSignedUnderTheSameIdAtItsOwnTime() throws Exception {
    Instant start = clock.instant();
    sign(Keys256.VAULT, FIRST);
    target.answer(500);

    runJob("j", job().fixedRetry("PT90S", 1));
    engine.stepTo(start.plusSeconds(91));

    List<CallbackServer.Call> calls = target.calls("/hook");
    assertEquals(2, calls.size());
    for (CallbackServer.Call call : calls) {
      Map<String, String> headers = call.headers();
      assertEquals(headers.get("Idempotency-Key"), headers.get("webhook-id"));
      assertEquals(signature(FIRST, headers, call.body()), headers.get("webhook-signature"));
    }
    assertEquals(start.getEpochSecond() + "", calls.get(0).headers().get("webhook-timestamp"));
    assertEquals(
        start.plusSeconds(91).getEpochSecond() + "",
        calls.get(1).headers().get("webhook-timestamp"));
  }

  @Test
  void theErrorActionIsSignedUnderAnIdOfItsOwn() throws Exception {
    sign(Keys256.VAULT, FIRST);
    target.answer(500);

    JobJson error = JobJson.post(target.url("/error")).body("x");
    runJob("j", job().noRetry().errorAction(error));
    engine.step();

    Map<String, String> main = target.calls("/hook").get(0).headers();
    CallbackServer.Call call = target.calls("/error").get(0);
    assertEquals(main.get("webhook-id") + "-error", call.headers().get("webhook-id"));
    assertEquals(
        signature(FIRST, call.headers(), call.body()), call.headers().get("webhook-signature"));
  }

  @Test
  void callsOfOtherCollectionsAreNotSigned() {
    runJob("j");

    assertFalse(target.calls().get(0).headers().containsKey("webhook-signature"));
    assertFalse(target.calls().get(0).headers().containsKey("webhook-id"));
  }

  @Test
  void twoSecretsMakeTwoSignaturesAndAChangeIsSeenWithinTenSeconds() throws Exception {
    sign(Keys256.VAULT, FIRST);
    runJob("a");
    sign(Keys256.VAULT, SECOND, FIRST);
    clock.advance(Duration.ofSeconds(10));
    runJob("b");
    putCollection(CollectionDefinition.PLAIN);
    clock.advance(Duration.ofSeconds(10));
    runJob("c");

    CallbackServer.Call both = target.calls().get(1);
    assertEquals(
        signature(SECOND, both.headers(), both.body())
            + " "
            + signature(FIRST, both.headers(), both.body()),
        both.headers().get("webhook-signature"));
    assertFalse(target.calls().get(2).headers().containsKey("webhook-signature"));
  }

  @Test
  void whatCannotBeSignedIsNotSent() {
    sign(Vault.of(Keys256.ring(2)), FIRST);

    runJob("j", job().noRetry());

    HistoryEntry entry = engine.history("j").get(0);
    assertEquals(List.of(), target.calls());
    assertEquals(HistoryEntry.Status.FAILED, entry.status());
    assertTrue(
        entry
            .message()
            .endsWith(
                "the call cannot be signed: signing.secrets cannot be opened: it is sealed under"
                    + " key "
                    + Keys256.ring(2).activeId()
                    + ", which this node does not have"),
        entry.message());
  }

  @Test
  void theLibraryOfStandardWebhooksAcceptsEachOfTwoSecrets() throws Exception {
    NodeClient receiver = NodeClient.require("webhook");
    sign(Keys256.VAULT, FIRST, SECOND);
    runJob("j");
    CallbackServer.Call call = target.calls().get(0);
    String headers = new ObjectMapper().writeValueAsString(call.headers());

    for (String secret : List.of(FIRST, SECOND)) {
      List<JsonNode> outcomes =
          receiver.run(
              Duration.ofSeconds(60), secret, headers, call.body(), headers, call.body() + " ");

      assertTrue(outcomes.get(0).get("verified").asBoolean(), outcomes.toString());
      assertFalse(outcomes.get(1).get("verified").asBoolean(), outcomes.toString());
    }
    List<JsonNode> stranger =
        receiver.run(Duration.ofSeconds(60), "whsec_" + Keys256.key(13), headers, call.body());
    assertFalse(stranger.get(0).get("verified").asBoolean(), stranger.toString());
  }
}
