package carillon.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.cli.CarillonCommands.Run;
import carillon.support.Ports;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands about collections, against a real node. */
class CollectionsCommandTest extends WithCommands {
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
  }

  @ParameterizedTest
  @ValueSource(strings = {"get", "enable", "disable", "delete"})
  void aCollectionThatIsNotThereIsAnsweredWithTheNearest(String command) {
    api.put("/jobcollections/orders", "{}").assertStatus(201);

    Run near = carillon.typeAnswering("y", "collections", command, "ordres");
    Run far = carillon.typeAnswering("y", "collections", command, "invoices");

    assertEquals(1, near.code());
    near.assertErr("did you mean 'orders'?");
    assertEquals(1, far.code());
    assertFalse(far.err().contains("did you mean"), far::err);
  }

  @ParameterizedTest
  @ValueSource(strings = {"get", "put", "enable", "disable", "delete"})
  void whatIsNoNameIsRefusedBeforeTheNodeIsAsked(String command) {
    CarillonCommands nobody = new CarillonCommands("http://127.0.0.1:" + Ports.free());

    Run run = nobody.typeAnswering("y", "collections", command, "a/b");

    assertEquals(2, run.code());
    assertEquals(
        "carillon: a collection must be letters, digits, '.', '_' and '-', was 'a/b'\n", run.err());
  }
}
