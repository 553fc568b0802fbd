package carillon.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.config.DispatchSettings;
import carillon.config.QueuesSettings;
import carillon.dispatch.call.AttemptResult;
import carillon.dispatch.http.Caller;
import carillon.dispatch.http.HttpInvoker;
import carillon.dispatch.http.PlainHttp;
import carillon.job.action.Secret;
import carillon.job.action.StorageQueueCall;
import carillon.job.attempt.Attempt;
import carillon.support.Await;
import carillon.support.Azurite;
import com.fasterxml.jackson.databind.JsonNode;
import io.vertx.core.Vertx;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;

/** Test of messages in the queues of Azurite, read with Microsoft's own client. */
class StorageQueueTest {
  private static final Attempt RUN =
      new Attempt(
          "default/default/coll/j",
          Instant.parse("2026-11-20T12:00:00.500Z"),
          1,
          Attempt.Phase.MAIN,
          1,
          5,
          0);
  private static Vertx vertx;
  private static Azurite azurite;
  private static String token;

  @BeforeAll
  static void start() {
    azurite = new Azurite();
    vertx = Vertx.vertx();
    token = azurite.create("jobs");
  }

  @AfterAll
  static void stop() {
    if (vertx != null) {
      Await.result(vertx.close());
      azurite.close();
    }
  }

  private static AttemptResult put(String address, String queue, String sas, String message) {
    DispatchSettings dispatch =
        new DispatchSettings(
            10,
            10,
            Duration.ofSeconds(25),
            Duration.ofHours(1),
            64 * 1024,
            "West Europe",
            5,
            "",
            false);
    QueuesSettings queues =
        new QueuesSettings(
            List.of(Azurite.ACCOUNT + "=" + address),
            List.of(),
            1,
            Duration.ofSeconds(60),
            true,
            1,
            1,
            1 << 20);
    StorageQueueCall call = new StorageQueueCall(Azurite.ACCOUNT, queue, message, new Secret(sas));
    return Await.result(
        vertx
            .executeBlocking(() -> null)
            .compose(
                go -> {
                  HttpInvoker http = PlainHttp.invoker(vertx, InstantSource.system(), dispatch);
                  return new StorageQueueInvoker(http, queues, "West Europe")
                      .invoke(RUN, "Coll/J", call, Caller.DEFAULT, Caller.ANY_TIME)
                      .eventually(http::close);
                }));
  }

  private static AttemptResult put(String queue, String sas, String message) {
    return put(azurite.address(), queue, sas, message);
  }

  private static String decoded(JsonNode message) {
    byte[] bytes = Base64.getDecoder().decode(message.path("text").asText());
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private static Element parsed(String envelope) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(envelope)))
        .getDocumentElement();
  }

  private static String text(Element envelope, String name) {
    return envelope.getElementsByTagName(name).item(0).getTextContent();
  }

  @Test
  void microsoftsClientReadsTheRecordedEnvelope() throws Exception {
    String message = "{\"a\": \"<b> & ü 🕐\"}\r\n]]>";

    AttemptResult result = put("jobs", "?" + token, message);

    assertTrue(result.succeeded(), result.message());
    assertTrue(
        result
            .message()
            .startsWith("Storage Queue Action - Response from host '127.0.0.1': 'Created'"),
        result.message());
    String envelope = decoded(azurite.read("jobs").get(0));
    assertTrue(
        envelope.startsWith(
            "<?xml version=\"1.0\" encoding=\"utf-16\"?><StorageQueueMessage"
                + " xmlns:xsd=\"http://www.w3.org/2001/XMLSchema\""
                + " xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"><ExecutionTag>"
                + RUN.executionId()
                + "</ExecutionTag><ClientRequestId>"),
        envelope);
    assertTrue(
        envelope.contains(
            "</ClientRequestId><ExpectedExecutionTime>2026-11-20T12:00:00.5</ExpectedExecutionTime>"
                + "<SchedulerJobId>J</SchedulerJobId>"
                + "<SchedulerJobCollectionId>Coll</SchedulerJobCollectionId>"
                + "<Region>West Europe</Region><Message>"),
        envelope);
    assertEquals(message, text(parsed(envelope), "Message"));
    UUID.fromString(text(parsed(envelope), "ClientRequestId"));
  }

  @Test
  void theLargestMessageThatIsAcceptedFits() {
    String message = "&".repeat(47 * 1024 / 5);

    AttemptResult result = put("jobs", token, message);

    assertTrue(result.succeeded(), result.message());
    assertTrue(decoded(azurite.read("jobs").get(0)).contains("&amp;".repeat(47 * 1024 / 5)));
  }

  @Test
  void aMessageThatIsTooLargeIsAFailure() {
    AttemptResult result = put("jobs", token, "x".repeat(49 * 1024));

    assertFalse(result.succeeded());
    assertTrue(result.message().contains("RequestBodyTooLarge"), result.message());
  }

  @Test
  void aWrongTokenIsAFailureThatTellsNoToken() {
    String wrong = token.replaceFirst("sig=....", "sig=AAAA");

    AttemptResult result = put("jobs", wrong, "m");

    assertFalse(result.succeeded());
    assertTrue(
        result
            .message()
            .startsWith("Storage Queue Action - Response from host '127.0.0.1': 'Forbidden'"),
        result.message());
    assertTrue(result.message().contains("AuthenticationFailed"), result.message());
    assertFalse(result.message().contains("AAAA"), result.message());
  }

  @Test
  void aTokenForAnotherQueueIsAFailure() {
    String other = azurite.create("other");

    AttemptResult result = put("jobs", other, "m");

    assertFalse(result.succeeded());
    assertTrue(result.message().contains("'Forbidden'"), result.message());
  }

  @Test
  void aMissingQueueIsAFailure() {
    AttemptResult result = put("missing", azurite.token("missing"), "m");

    assertFalse(result.succeeded());
    assertTrue(result.message().contains("'NotFound'"), result.message());
    assertTrue(result.message().contains("<Code>QueueNotFound</Code>"), result.message());
  }

  @Test
  void aServerThatRepeatsTheTokenTellsItToNobody() {
    int port =
        Await.result(
                vertx
                    .createHttpServer()
                    .requestHandler(
                        request ->
                            request
                                .response()
                                .setStatusCode(403)
                                .putHeader("X-Echo", request.query())
                                .end("signature " + request.getParam("sig") + " is wrong"))
                    .listen(0, "127.0.0.1"))
            .actualPort();

    AttemptResult result =
        put("http://127.0.0.1:" + port, "jobs", "sv=1&sig=CAN%2bARY%3D&se=2", "m");

    assertTrue(
        result.message().contains("X-Echo: sv=1&sig=***&se=2\r\n Body: signature *** is wrong"),
        result.message());
  }

  @Test
  void anAccountThatCannotBeReachedIsAFailure() {
    AttemptResult result = put("http://127.0.0.1:1/" + Azurite.ACCOUNT, "jobs", token, "m");

    assertEquals(
        "Storage Queue Action - Request to host '127.0.0.1' failed: no connection",
        result.message());
  }
}
