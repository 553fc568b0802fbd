package carillon.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.dispatch.call.ActionInvoker.NotBegunException;
import carillon.dispatch.call.AttemptResult;
import carillon.job.action.ServiceBusCall;
import carillon.job.action.ServiceBusCall.BrokeredProperties;
import carillon.job.action.ServiceBusCall.BrokeredProperties.TextProperty;
import carillon.job.action.ServiceBusCall.Entity;
import carillon.support.ArtemisBroker;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.qpid.proton.amqp.Symbol;
import org.apache.qpid.proton.amqp.messaging.Data;
import org.apache.qpid.proton.message.Message;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Test of messages over AMQP 1.0 to an independent broker, which are received again from there. */
class ServiceBusAmqpTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(25);
  private static ArtemisBroker broker;
  private BusRig rig;

  @BeforeAll
  static void startBroker() {
    broker = new ArtemisBroker();
  }

  @AfterAll
  static void stopBroker() {
    broker.close();
  }

  @BeforeEach
  void start() {
    rig = new BusRig(broker.address(), TIMEOUT, 10, 2, Duration.ofMinutes(1));
  }

  @AfterEach
  void stop() {
    rig.close();
  }

  private static ServiceBusCall call(Entity entity, String path, String message) {
    return BusRig.call(
        entity, path, ArtemisBroker.PASSWORD, message, BrokeredProperties.NONE, Map.of());
  }

  private static ServiceBusCall toQueue(String message) {
    return call(Entity.QUEUE, "orders", message);
  }

  private static String body(Message message) {
    return new String(((Data) message.getBody()).getValue().getArray(), StandardCharsets.UTF_8);
  }

  @Test
  void aQueueReceivesTheRawMessageUnderTheIdOfTheExecution() {
    AttemptResult result = rig.send(toQueue("{\"a\": \"ü 🕐\"}"));

    assertEquals(
        "Service Bus Queue Action - Response from host '127.0.0.1': 'Accepted'", result.message());
    assertTrue(result.succeeded());
    Message message = broker.receive();
    assertEquals("{\"a\": \"ü 🕐\"}", body(message));
    assertEquals(BusRig.RUN.executionId(), message.getMessageId());
    assertTrue(message.isDurable());
  }

  @Test
  void aTopicHandsTheMessageToItsSubscription() {
    AttemptResult result = rig.send(call(Entity.TOPIC, "news", "m"));

    assertEquals(
        "Service Bus Topic Action - Response from host '127.0.0.1': 'Accepted'", result.message());
    assertEquals("m", body(broker.receiveNews()));
  }

  @Test
  void everyPropertyArrivesWhereTheProtocolGuideSays() {
    Map<TextProperty, String> texts = new java.util.EnumMap<>(TextProperty.class);
    for (TextProperty text : TextProperty.values()) {
      texts.put(text, text.property() + " value");
    }
    Instant soon = BusRig.NOW.minusSeconds(5);
    BrokeredProperties brokered =
        new BrokeredProperties(
            texts, Optional.of(false), Optional.of(soon), Optional.of(Duration.ofDays(100)));

    rig.send(
        BusRig.call(
            Entity.QUEUE,
            "orders",
            ArtemisBroker.PASSWORD,
            "m",
            brokered,
            Map.of("Kind", "a", "übergröße", "")));

    Message message = broker.receive();
    assertFalse(message.isDurable());
    assertEquals("contentType value", message.getContentType());
    assertEquals("correlationId value", message.getCorrelationId());
    assertEquals("label value", message.getSubject());
    assertEquals("messageId value", message.getMessageId());
    assertEquals("replyTo value", message.getReplyTo());
    assertEquals("replyToSessionId value", message.getReplyToGroupId());
    assertEquals("sessionId value", message.getGroupId());
    assertEquals("to value", message.getAddress());
    assertEquals(0xFFFF_FFFFL, message.getTtl());
    assertEquals(
        Duration.ofDays(100),
        Duration.ofMillis(message.getExpiryTime() - message.getCreationTime()));
    Map<Symbol, Object> annotations = message.getMessageAnnotations().getValue();
    assertEquals("partitionKey value", annotations.get(Symbol.valueOf("x-opt-partition-key")));
    assertEquals(
        "viaPartitionKey value", annotations.get(Symbol.valueOf("x-opt-via-partition-key")));
    assertEquals(
        java.util.Date.from(soon), annotations.get(Symbol.valueOf("x-opt-scheduled-enqueue-time")));
    assertEquals(
        Map.of("Kind", "a", "übergröße", ""), message.getApplicationProperties().getValue());
  }

  @Test
  void aMessageForLaterWaitsAtTheBroker() {
    rig.send(toQueue("now")); // opens the connection, so that later messages take no time
    broker.receive();
    BrokeredProperties later =
        new BrokeredProperties(
            Map.of(),
            Optional.empty(),
            Optional.of(Instant.now().plusSeconds(2)),
            Optional.empty());

    rig.send(BusRig.call(Entity.QUEUE, "orders", ArtemisBroker.PASSWORD, "later", later, Map.of()));

    assertEquals(1, broker.scheduled());
    assertEquals("later", body(broker.receive()));
  }

  @Test
  void aMissingQueueIsAFailureInTheBrokersWords() {
    AttemptResult result = rig.send(call(Entity.QUEUE, "nowhere", "m"));

    assertFalse(result.succeeded());
    assertTrue(
        result
            .message()
            .startsWith(
                "Service Bus Queue Action - Response from host '127.0.0.1': 'amqp:not-found' "),
        result.message());
    assertTrue(rig.send(toQueue("after")).succeeded());
    assertEquals("after", body(broker.receive()));
  }

  @Test
  void aWrongKeyIsAFailureThatTellsNoKey() {
    AttemptResult result =
        rig.send(
            BusRig.call(Entity.QUEUE, "orders", "CANARY", "m", BrokeredProperties.NONE, Map.of()));

    assertEquals(
        "Service Bus Queue Action - Request to host '127.0.0.1' failed: the broker does not know"
            + " the key",
        result.message());
    assertEquals(0, rig.connections());
  }

  @Test
  void manyMessagesShareOneConnectionWithinTheWindow() {
    List<ServiceBusCall> calls = new ArrayList<>();
    for (int i = 0; i < 2000; i++) {
      calls.add(toQueue("m" + i));
    }

    List<AttemptResult> results = rig.sendAll(calls);

    assertTrue(results.stream().allMatch(AttemptResult::succeeded), results.get(0)::message);
    assertEquals(2000, broker.messages());
    assertEquals(1, rig.connections());
    broker.stop();
    broker.start();
  }

  @Test
  void aBrokerThatStopsFailsWhatIsUnderWayAndIsFoundAgain() {
    assertTrue(rig.send(toQueue("before")).succeeded());

    broker.stop();
    AttemptResult down = rig.send(toQueue("down"));
    broker.start();
    AttemptResult up = rig.send(toQueue("up"));

    assertFalse(down.succeeded());
    assertTrue(
        down.message().matches(".*(no connection|the connection was closed|amqp:.*)"),
        down.message());
    assertTrue(up.succeeded(), up.message());
    assertEquals("up", body(broker.receive()));
  }

  @Test
  void aHostThatNobodyListensOnIsAFailure() {
    rig.close();
    rig = new BusRig("amqp://127.0.0.1:1", TIMEOUT, 10, 2, Duration.ofMinutes(1));

    assertEquals(
        "Service Bus Queue Action - Request to host '127.0.0.1' failed: no connection",
        rig.send(toQueue("m")).message());
  }

  @Test
  void anIdleConnectionIsClosed() {
    rig.close();
    rig = new BusRig(broker.address(), TIMEOUT, 10, 2, Duration.ofSeconds(1));
    rig.send(toQueue("m"));
    broker.receive();

    carillon.support.Await.until("no connection", () -> rig.connections() == 0);
  }

  /** The lease ends during the connection setup. */
  @Test
  void aMessageThatMayNoLongerBeSentIsNot() {
    Runnable check =
        () -> {
          throw new NotBegunException("no lease", Duration.ZERO);
        };

    assertThrows(NotBegunException.class, () -> rig.send(toQueue("never"), check));
    rig.send(toQueue("later"));

    assertEquals("later", body(broker.receive()));
  }
}
