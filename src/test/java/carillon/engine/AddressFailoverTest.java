package carillon.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import carillon.job.HistoryEntry;
import carillon.support.Await;
import carillon.support.DnsServer;
import carillon.support.Engine;
import carillon.support.EngineSettings;
import carillon.support.JobJson;
import carillon.support.Ports;
import carillon.support.RedisServer;
import carillon.support.TestClock;
import io.vertx.core.Vertx;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A host of two addresses, only the second of which serves, called by a whole node. */
class AddressFailoverTest {
  private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");

  private final DnsServer dns = new DnsServer();
  private final Vertx servers = Vertx.vertx();

  @AfterEach
  void close() {
    Await.result(servers.close());
    dns.close();
  }

  @Test
  void theNextAddressIsCalledInTheSameAttempt() {
    RedisServer.shared().flush();
    int port = Ports.free();
    Await.result(
        servers
            .createHttpServer()
            .requestHandler(request -> request.response().end())
            .listen(port, "127.0.0.2"));
    dns.answer("two.example", "127.0.0.1", "127.0.0.2");

    try (Engine engine =
        new Engine(
            RedisServer.shared(),
            "node",
            new TestClock(NOON.minusSeconds(1)),
            EngineSettings.with(),
            dns.vertxOptions())) {
      engine.put(
          "j", JobJson.get("http://two.example:" + port + "/").startTime(NOON).noRetry().json());
      engine.stepTo(NOON);

      List<HistoryEntry> history = engine.history("j");
      assertEquals(1, history.size());
      assertEquals("completed", history.get(0).status().word(), history.get(0).message());
    }
  }
}
