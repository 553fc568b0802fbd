package carillon.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.job.attempt.HistoryEntry;
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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests of names for which some addresses cannot be called, in jobs of a whole node. */
@Tag("redis")
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

  @Test
  void aNameWithAForbiddenAddressLooksLikeAnUnknownName() {
    RedisServer.shared().flush();
    dns.answer("inside.example", "10.0.0.5");

    try (Engine engine =
        new Engine(
            RedisServer.shared(),
            "node",
            new TestClock(NOON.minusSeconds(1)),
            EngineSettings.with(),
            dns.vertxOptions())) {
      for (String host : List.of("inside.example", "absent.example")) {
        engine.put(
            host,
            JobJson.get("http://" + host + "/")
                .startTime(NOON)
                .retryPolicy("{`retryType`:`fixed`,`retryInterval`:`PT10S`,`retryCount`:1}")
                .json());
      }
      engine.stepTo(NOON);
      engine.stepTo(NOON.plusSeconds(30));

      List<String> forbidden = seen(engine, "inside.example");
      assertEquals(2, forbidden.size(), "attempts");
      assertEquals(seen(engine, "absent.example"), forbidden);
      assertTrue(forbidden.get(0).contains("cannot be resolved, or its address is not allowed"));
      assertEquals(engine.get("absent.example").state(), engine.get("inside.example").state());
    }
  }

  /** Returns the records that lists of executions and events show, without host and identifier. */
  private static List<String> seen(Engine engine, String host) {
    return engine.history(host).stream()
        .map(entry -> entry.toString().replace(host, "").replace(entry.execution(), ""))
        .toList();
  }
}
