package carillon.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.dispatch.call.AttemptResult;
import carillon.job.action.ServiceBusCall;
import carillon.job.action.ServiceBusCall.BrokeredProperties;
import carillon.job.action.ServiceBusCall.BrokeredProperties.TextProperty;
import carillon.job.action.ServiceBusCall.Entity;
import carillon.support.Await;
import carillon.support.SharedAccessSignature;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.SelfSignedCertificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Test of messages in the REST form. The HTTPS server verifies the token as Service Bus does. */
class ServiceBusRestTest {
  private static final String KEY = "secret/+key=";
  private final SelfSignedCertificate certificate = SelfSignedCertificate.create("localhost");
  private final Vertx vertx = Vertx.vertx();
  private HttpServer server;
  private BusRig rig;
  private HttpServerRequest received;
  private String body;

  @BeforeEach
  void start() {
    server =
        Await.result(
            vertx
                .createHttpServer(
                    new HttpServerOptions()
                        .setSsl(true)
                        .setKeyCertOptions(certificate.keyCertOptions()))
                .requestHandler(this::receive)
                .listen(0, "127.0.0.1"));
    rig =
        new BusRig(
            address() + "/",
            Duration.ofSeconds(25),
            10,
            2,
            Duration.ofMinutes(1),
            certificate.certificatePath(),
            InstantSource.fixed(BusRig.NOW));
  }

  @AfterEach
  void stop() {
    rig.close();
    Await.result(vertx.close());
    certificate.delete();
  }

  private String address() {
    return "https://localhost:" + server.actualPort();
  }

  private void receive(HttpServerRequest request) {
    received = request;
    request
        .body()
        .onSuccess(
            content -> {
              body = content.toString();
              request.response().setStatusCode(verify(request)).end();
            });
  }

  private int verify(HttpServerRequest request) {
    try {
      SharedAccessSignature.verify(request.getHeader("Authorization"), KEY);
      return 201;
    } catch (AssertionError e) {
      return 401;
    }
  }

  private static ServiceBusCall call(
      String key, BrokeredProperties brokered, Map<String, String> custom) {
    return BusRig.overHttp(BusRig.call(Entity.TOPIC, "a/b", key, "{\"ü\": 1}", brokered, custom));
  }

  @Test
  void theTokenIsForTheEntityAndSignedWithTheKey() {
    AttemptResult result = rig.send(call(KEY, BrokeredProperties.NONE, Map.of()));

    assertTrue(result.succeeded(), result.message());
    assertTrue(
        result
            .message()
            .startsWith("Service Bus Topic Action - Response from host 'localhost': 'Created'"),
        result.message());
    assertEquals(
        new SharedAccessSignature(
            address() + "/a/b", BusRig.NOW.plus(Duration.ofHours(2)), "policy"),
        SharedAccessSignature.verify(received.getHeader("Authorization"), KEY));
    assertEquals("POST /a/b/messages", received.method() + " " + received.uri());
    assertEquals("{\"ü\": 1}", body);
    assertEquals("text/plain;charset=utf-8", received.getHeader("Content-Type"));
    assertEquals(
        new JsonObject().put("MessageId", BusRig.RUN.executionId()),
        new JsonObject(received.getHeader("BrokerProperties")));
  }

  @Test
  void everyPropertyIsAHeader() {
    Map<TextProperty, String> texts = new EnumMap<>(TextProperty.class);
    for (TextProperty text : TextProperty.values()) {
      texts.put(text, text.property() + " value");
    }
    texts.put(TextProperty.LABEL, "größe 🕐");
    BrokeredProperties brokered =
        new BrokeredProperties(
            texts,
            Optional.of(true),
            Optional.of(Instant.parse("2030-01-03T08:05:07Z")),
            Optional.of(Duration.ofMillis(1500)));

    rig.send(call(KEY, brokered, Map.of("Kind", "say \"ü\"", "Number", "5")));

    assertEquals("contentType value", received.getHeader("Content-Type"));
    assertEquals(
        new JsonObject()
            .put("CorrelationId", "correlationId value")
            .put("ForcePersistence", true)
            .put("Label", "größe 🕐")
            .put("MessageId", "messageId value")
            .put("PartitionKey", "partitionKey value")
            .put("ReplyTo", "replyTo value")
            .put("ReplyToSessionId", "replyToSessionId value")
            .put("ScheduledEnqueueTimeUtc", "Thu, 03 Jan 2030 08:05:07 GMT")
            .put("SessionId", "sessionId value")
            .put("TimeToLive", 1.5)
            .put("To", "to value")
            .put("ViaPartitionKey", "viaPartitionKey value"),
        new JsonObject(received.getHeader("BrokerProperties")));
    assertEquals("\"say \\\"\\u00fc\\\"\"", received.getHeader("Kind"));
    assertEquals("\"5\"", received.getHeader("Number"));
  }

  @Test
  void aWrongKeyIsAFailureThatTellsNoToken() {
    AttemptResult result = rig.send(call("wrong", BrokeredProperties.NONE, Map.of()));

    assertFalse(result.succeeded());
    assertTrue(
        result
            .message()
            .startsWith(
                "Service Bus Topic Action - Response from host 'localhost': 'Unauthorized'"),
        result.message());
    assertFalse(result.message().contains("SharedAccessSignature"), result.message());
  }
}
