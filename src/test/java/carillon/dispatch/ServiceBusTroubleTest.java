package carillon.dispatch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.dispatch.call.AttemptResult;
import carillon.job.action.ServiceBusCall;
import carillon.job.action.ServiceBusCall.BrokeredProperties;
import carillon.job.action.ServiceBusCall.Entity;
import carillon.support.Await;
import carillon.support.SharedAccessSignature;
import carillon.support.StrangeBroker;
import carillon.support.TestClock;
import io.vertx.core.Vertx;
import io.vertx.core.net.SelfSignedCertificate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Test of AMQP peers that are hostile, slow or strict. */
class ServiceBusTroubleTest {
  private static final String KEY = "secret/+key=";
  private static final String PREFIX = "Service Bus Queue Action - ";

  private static ServiceBusCall to(String path, String key) {
    return BusRig.call(Entity.QUEUE, path, key, "m", BrokeredProperties.NONE, Map.of());
  }

  private static ServiceBusCall to(String path) {
    return to(path, KEY);
  }

  /** Creates a rig with a short deadline, but long enough to send messages on a busy machine. */
  private static BusRig impatient(StrangeBroker broker, int window) {
    return rig(broker, window, Duration.ofSeconds(2));
  }

  private static BusRig rig(StrangeBroker broker, int window) {
    return rig(broker, window, Duration.ofSeconds(25));
  }

  private static BusRig rig(StrangeBroker broker, int window, Duration deadline) {
    return new BusRig(
        "amqp://127.0.0.1:" + broker.port() + "?auth=cbs",
        deadline,
        window,
        1,
        Duration.ofMinutes(1));
  }

  /** Creates a broker that accepts any token, for tests of other subjects. */
  private static StrangeBroker lenient() {
    return new StrangeBroker();
  }

  @Test
  void aMessageThatIsNeverAcknowledgedCostsOneDeadlineAndDelaysNoOtherQueue() {
    try (StrangeBroker broker = lenient();
        BusRig rig = impatient(broker, 2)) {
      List<AttemptResult> results =
          rig.sendAll(List.of(to("silent"), to("silent"), to("silent"), to("orders")));

      assertEquals(
          PREFIX + "Request to host '127.0.0.1' failed: no acknowledgement within 2000 ms",
          results.get(0).message());
      assertFalse(results.get(2).succeeded());
      assertTrue(results.get(3).succeeded(), results.get(3).message());
      assertEquals(1, rig.connections());
      assertTrue(rig.send(to("orders")).succeeded());
      assertEquals(2, broker.accepted().size());
    }
  }

  @Test
  void aQueueWithoutRoomCostsOneDeadline() {
    try (StrangeBroker broker = lenient();
        BusRig rig = impatient(broker, 10)) {
      assertEquals(
          PREFIX + "Request to host '127.0.0.1' failed: no acknowledgement within 2000 ms",
          rig.send(to("full")).message());
    }
  }

  @Test
  void aMessageThatTheBrokerRefusesIsAFailureInItsWords() {
    try (StrangeBroker broker = lenient();
        BusRig rig = rig(broker, 10)) {
      assertEquals(
          PREFIX
              + "Response from host '127.0.0.1': 'amqp:resource-limit-exceeded' the queue is full",
          rig.send(to("rejecting")).message());
      assertEquals(
          PREFIX
              + "Response from host '127.0.0.1': 'amqp:released' the broker did not take the"
              + " message",
          rig.send(to("releasing")).message());
    }
  }

  @Test
  void aMessageThatIsTooLargeIsAFailureAndDisturbsNoOther() {
    try (StrangeBroker broker = lenient();
        BusRig rig = rig(broker, 10)) {
      ServiceBusCall large =
          BusRig.call(
              Entity.QUEUE, "small", KEY, "x".repeat(90), BrokeredProperties.NONE, Map.of());

      List<AttemptResult> results = rig.sendAll(List.of(to("small"), large, to("small")));

      assertTrue(results.get(0).succeeded() && results.get(2).succeeded());
      assertEquals(
          PREFIX
              + "Response from host '127.0.0.1': 'amqp:link:message-size-exceeded' the link takes"
              + " 100 bytes",
          results.get(1).message());
    }
  }

  @Test
  void aConnectionThatIsDroppedFailsEverythingOnItAtOnce() {
    try (StrangeBroker broker = lenient();
        BusRig rig = rig(broker, 10)) {
      List<AttemptResult> results = rig.sendAll(List.of(to("silent"), to("slamming")));

      for (AttemptResult result : results) {
        assertEquals(
            PREFIX + "Request to host '127.0.0.1' failed: the connection was closed",
            result.message());
      }
      assertTrue(rig.send(to("orders")).succeeded());
    }
  }

  @Test
  void noMoreConnectionsAreMadeThanAllowed() {
    try (StrangeBroker broker = lenient();
        BusRig rig = impatient(broker, 10)) {
      List<AttemptResult> together = rig.sendAll(List.of(to("silent"), to("orders", "other key")));

      assertEquals(
          PREFIX + "Request to host '127.0.0.1' failed: all 1 connections to brokers are in use",
          together.get(1).message());
      assertTrue(rig.send(to("orders", "other key")).succeeded());
      assertEquals(1, rig.connections());
    }
  }

  @Test
  void aPeerThatSaysNothingCostsOneDeadline() {
    Vertx vertx = Vertx.vertx();
    int port =
        Await.result(vertx.createNetServer().connectHandler(socket -> {}).listen(0, "127.0.0.1"))
            .actualPort();
    try (BusRig rig =
        new BusRig(
            "amqp://127.0.0.1:" + port, Duration.ofMillis(500), 1, 1, Duration.ofMinutes(1))) {
      assertEquals(
          PREFIX + "Request to host '127.0.0.1' failed: no acknowledgement within 500 ms",
          rig.send(to("orders")).message());
    } finally {
      Await.result(vertx.close());
    }
  }

  @Test
  void aTokenIsPutForEachPathOnceAndAgainBeforeItEnds() {
    SelfSignedCertificate certificate = SelfSignedCertificate.create("localhost");
    TestClock clock = new TestClock(BusRig.NOW);
    try (StrangeBroker broker = new StrangeBroker(KEY, certificate.keyCertOptions());
        BusRig rig = tls(broker, certificate, clock)) {
      assertTrue(rig.send(to("orders")).succeeded());
      assertTrue(rig.send(to("orders")).succeeded());
      assertTrue(rig.send(to("a/b")).succeeded());

      assertEquals(
          List.of(
              new SharedAccessSignature(
                  "amqps://localhost/orders", BusRig.NOW.plus(Duration.ofHours(1)), "policy"),
              new SharedAccessSignature(
                  "amqps://localhost/a/b", BusRig.NOW.plus(Duration.ofHours(1)), "policy")),
          broker.tokens());
      clock.set(BusRig.NOW.plus(Duration.ofMinutes(51)));
      assertTrue(rig.send(to("orders")).succeeded());
      assertEquals(3, broker.tokens().size());
      assertEquals(4, broker.accepted().size());
      assertEquals(List.of("localhost", "localhost"), broker.hosts());
    } finally {
      certificate.delete();
    }
  }

  @Test
  void aTokenThatIsNotTakenIsAFailureThatTellsNoToken() {
    SelfSignedCertificate certificate = SelfSignedCertificate.create("localhost");
    try (StrangeBroker broker = new StrangeBroker(KEY, certificate.keyCertOptions());
        BusRig rig = tls(broker, certificate, new TestClock(BusRig.NOW))) {
      assertEquals(
          PREFIX + "Response from host 'localhost': 'put-token: 401' InvalidSignature",
          rig.send(to("orders", "wrong")).message());
    } finally {
      certificate.delete();
    }
  }

  @Test
  void aBrokerThatIsNotTrustedIsAFailure() {
    SelfSignedCertificate certificate = SelfSignedCertificate.create("localhost");
    try (StrangeBroker broker = new StrangeBroker(KEY, certificate.keyCertOptions());
        BusRig rig =
            new BusRig(
                "amqps://localhost:" + broker.port(),
                Duration.ofSeconds(25),
                10,
                1,
                Duration.ofMinutes(1))) {
      assertEquals(
          PREFIX + "Request to host 'localhost' failed: the TLS handshake failed",
          rig.send(to("orders")).message());
    } finally {
      certificate.delete();
    }
  }

  private static BusRig tls(
      StrangeBroker broker, SelfSignedCertificate certificate, InstantSource clock) {
    return new BusRig(
        "amqps://localhost:" + broker.port() + "?auth=cbs",
        Duration.ofSeconds(25),
        10,
        1,
        Duration.ofMinutes(1),
        certificate.certificatePath(),
        clock);
  }
}
