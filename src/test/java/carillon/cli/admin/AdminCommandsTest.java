package carillon.cli.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.access.ApiKeyToken;
import carillon.api.ApiServer;
import carillon.api.admin.HealthChecks;
import carillon.cli.CarillonCommands;
import carillon.cli.CarillonCommands.Run;
import carillon.cli.WithCommands;
import carillon.support.Ports;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Test of commands for operators of nodes, against a real node. */
class AdminCommandsTest extends WithCommands {
  private static final String JOB =
      "{`startTime`:`2026-11-21T05:00:00Z`,`action`:{`request`:{`uri`:`https://h/`}}}";

  @Test
  void aKeyIsMadeUsedListedAndRevoked() {
    ApiKeyToken operator = ApiKeyToken.random();
    try (ApiServer closed = new ApiServer(ApiServer.keys(operator))) {
      CarillonCommands admin = new CarillonCommands("http://127.0.0.1:" + closed.port());
      String key = "--key=" + operator.reveal();

      Run made = admin.type("keys", "create", "deploy", "--grant=reader:nowhere", key).ok();
      assertTrue(made.out().strip().startsWith("ck_"), made.out());
      made.assertErr("of deploy", "nowhere");
      String id =
          admin
              .type("keys", "list", "-o", "name", key)
              .ok()
              .out()
              .lines()
              .findFirst()
              .orElseThrow();
      assertEquals(id + " revoked", admin.type("keys", "revoke", id, key).ok().out().strip());
      List<String> changes = admin.type("audit", key).ok().lines();
      assertEquals("TIME", changes.get(0).split(" ", -1)[0]);
      assertTrue(changes.get(1).contains("DELETE key"), changes.get(1));
    }
  }

  @Test
  void healthIsAnExitCode() {
    assertEquals("ready", type("health", "-o", "name"));
    assertEquals("live", type("health", "--live", "-o", "name"));
    api.fail(HealthChecks.Check.downUnless("redis", false, "gone"));

    Run down = carillon.type("health");

    assertEquals(1, down.code());
    down.assertOut("not ready", "redis", "gone");
    assertEquals(3, new CarillonCommands("http://127.0.0.1:" + Ports.free()).type("health").code());
  }

  @Test
  void theStatusTellsWhatNeedsAttention() {
    api.put("/jobcollections/default/jobs/a", JOB).assertStatus(201);

    assertTrue(type("status").startsWith("jobs: 1 enabled"), type("status"));
  }

  @Test
  void theNodesAreListed() {
    assertEquals("NODE  STATE  LAST BEAT  ROLES  VERSION  FIRST FOR  IN FLIGHT", type("nodes"));
  }

  @Test
  void aDeadNodeIsFirstForNoPartitions() {
    long beat = ApiServer.START.toEpochMilli();
    api.redis.ask("ZADD carillon:nodes " + beat + " working " + (beat - 60_000) + " dead");
    for (String node : new String[] {"working", "dead"}) {
      api.redis.ask(
          "HSET carillon:node:"
              + node
              + " roles api version 1.2 format 1 started 2026-11-20T08:00:00Z beat 2026-11-20T18:00:00Z"
              + " lease PT10S ranks 64,0,0,0 tzdata 2026a inFlight 2 takenOver 0 state working");
    }

    List<String> rows = carillon.type("nodes").ok().lines();

    assertTrue(rows.get(1).matches("dead +dead .* api +1.2 +- +2"), rows.get(1));
    assertTrue(rows.get(2).matches("working +alive .* 64 partitions +2"), rows.get(2));
  }
}
