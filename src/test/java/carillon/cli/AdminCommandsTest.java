package carillon.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.access.ApiKeyToken;
import carillon.api.ApiServer;
import carillon.api.admin.HealthChecks;
import carillon.cli.CarillonCommands.Run;
import carillon.support.Ports;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Commands about collections, keys, changes and health, against a real node. */
class AdminCommandsTest extends WithCommands {
  private static final String JOB =
      "{`startTime`:`2026-11-21T05:00:00Z`,`action`:{`request`:{`uri`:`https://h/`}}}";

  @Test
  void aCollectionIsMadeShownPausedAndDeleted() {
    assertEquals("orders created", type("collections", "put", "orders"));
    assertEquals("orders replaced", type("collections", "put", "orders"));
    assertEquals("orders", type("collections", "list", "-o", "name"));
    assertEquals("orders disabled", type("collections", "disable", "orders"));
    assertTrue(type("collections", "get", "orders").contains("\"state\" : \"disabled\""));
    assertEquals("orders enabled", type("collections", "enable", "orders"));
    assertEquals("orders deleted", type("collections", "delete", "orders", "--yes"));
    assertEquals(1, carillon.type("collections", "get", "orders").code());
    type("collections", "--subscription=s", "--group=g", "put", "c");
    assertEquals("c", type("collections", "list", "--subscription=s", "--group=g", "-o=name"));
  }

  @Test
  void aCollectionIsDeletedOnceThatIsConfirmed() {
    api.put("/jobcollections/default", "{}").assertStatus(201);
    api.put("/jobcollections/orders/jobs/a", JOB).assertStatus(201);
    api.put("/jobcollections/orders/jobs/b", JOB).assertStatus(201);

    Run script = carillon.type("collections", "delete", "orders");
    Run refused = carillon.typeAnswering("", "collections", "delete", "orders");
    Run ended = carillon.typeAnswering(null, "collections", "delete", "orders");

    assertEquals(2, script.code());
    script.assertErr("--yes");
    assertEquals(1, refused.code());
    refused.assertErr("Delete collection orders with its 2 jobs and their history? [y/N] ");
    refused.assertErr("not confirmed, nothing is done");
    assertEquals(1, ended.code());
    api.get("/jobcollections/orders/jobs/a").assertStatus(200);
    assertEquals(
        "orders deleted",
        carillon.typeAnswering("Yes", "collections", "delete", "orders").ok().out().strip());
    Run mistyped = carillon.typeAnswering("y", "collections", "delete", "defalt");
    assertEquals(1, mistyped.code());
    mistyped.assertErr("did you mean 'default'?");
  }

  @Test
  void jobsAreFoundByAPartOfTheirNames() {
    api.put("/jobcollections/default/jobs/nightly", JOB).assertStatus(201);
    api.put("/jobcollections/default/jobs/hourly", JOB).assertStatus(201);

    assertEquals("nightly", type("jobs", "search", "ght", "-o", "name"));
    assertEquals("", type("jobs", "search", "--outcome", "failed", "-o", "name"));
    assertEquals(3, type("jobs", "search", "--state", "enabled").lines().count());
  }

  @Test
  void jobsOfAllCollectionsAreFound() {
    api.put("/jobcollections/orders", "{}").assertStatus(201);
    api.put("/jobcollections/orders/jobs/nightly", JOB).assertStatus(201);
    api.put("/jobcollections/default/jobs/nightly", JOB).assertStatus(201);

    assertEquals(
        "default/nightly\norders/nightly", type("jobs", "search", "ght", "-A", "-o", "name"));
    assertEquals("", type("jobs", "search", "-A", "--state", "faulted", "-o", "name"));
    for (String option : List.of("--collection=orders", "--sort=next", "--desc")) {
      assertEquals(2, carillon.type("jobs", "search", "-A", option).code(), option);
    }
  }

  @Test
  void jobsAreListedInTheOrderThatIsAskedFor() {
    api.put("/jobcollections/default/jobs/a", JOB).assertStatus(201);
    api.put("/jobcollections/default/jobs/b", JOB.replace("T05", "T04")).assertStatus(201);

    assertEquals("a\nb", type("jobs", "list", "-o", "name"));
    assertEquals("b\na", type("jobs", "list", "--desc", "-o", "name"));
    assertEquals("b\na", type("jobs", "list", "--sort", "next", "-o", "name"));
    assertEquals("a", type("jobs", "list", "--sort=next", "--desc", "--limit=1", "-o", "name"));
    assertEquals("b\na", type("jobs", "search", "--sort", "next", "-o", "name"));
  }

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
}
