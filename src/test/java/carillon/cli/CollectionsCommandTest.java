package carillon.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.cli.CarillonCommands.Run;
import carillon.support.Ports;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Test of commands about collections, against a real node. */
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
  void someAreDisabledThoughOneIsRefused() {
    api.put("/jobcollections/orders", "{}").assertStatus(201);
    api.put("/jobcollections/invoices", "{}").assertStatus(201);

    Run run = carillon.type("collections", "disable", "--note=INC-1", "orders", "x", "invoices");

    assertEquals(1, run.code());
    run.assertErr("carillon: x: ");
    run.assertErr("1 of 3 refused");
    api.get("/jobcollections/orders").assertContains("INC-1");
    api.get("/jobcollections/invoices").assertContains("INC-1");
  }

  @Test
  void everythingOrAGroupIsPausedAndResumed() {
    type("collections", "put", "orders");
    assertEquals("everything paused, INC-1", type("pause", "--all", "--note=INC-1"));
    carillon.type("collections", "list").ok().assertOut("enabled, everything paused");
    api.get("/pause").assertContains("INC-1");
    assertEquals("everything resumed", type("resume", "--all"));
    api.get("/pause").assertIs(200, "{}");

    assertEquals(
        "default/sales will be paused from 2030-01-02T02:00:00Z until 2030-01-02T06:00:00Z",
        type(
            "pause",
            "--group=sales",
            "--from=2030-01-02T02:00:00Z",
            "--until=2030-01-02T06:00:00Z"));
    api.get("/groups/default/sales/pause").assertContains("`since`:`2030-01-02T02:00:00Z`");

    assertEquals(
        "orders will be disabled at 2030-01-02T04:00:00Z",
        type("collections", "disable", "orders", "--from", "2030-01-02T04:00:00Z"));
    carillon.type("collections", "list").ok().assertOut("enabled, pause planned");
    assertEquals("orders enabled", type("collections", "enable", "orders"));

    carillon.type("pause", "--all", "--json").ok().assertOut("\"pause\":{\"since\":");

    assertEquals(
        "everything will be paused from 2030-01-02T02:00:00Z until 2030-01-02T06:00:00Z",
        type("pause", "--all", "--from=2030-01-02T02:00:00Z", "--until=2030-01-02T06:00:00Z"));
    assertEquals(
        "everything resumed; the pause planned from 2030-01-02T02:00:00Z stays",
        type("resume", "--all"));

    Run neither = carillon.type("pause");
    assertEquals(2, neither.code());
    neither.assertErr("give --all, or a group with --group");
  }

  @Test
  void aGroupThatHasNoCollectionIsWarnedOf() {
    type("collections", "--group=Sales", "put", "orders");

    Run mistyped = carillon.type("pause", "--group=sale").ok();
    Run typed = carillon.type("pause", "--group=sales", "--until=2030-01-02T06:00:00Z").ok();

    assertEquals("default/sale paused", mistyped.out().strip());
    assertEquals(
        "carillon: there is no collection in the group 'default/sale'", mistyped.err().strip());
    assertEquals("default/sales paused until 2030-01-02T06:00:00Z", typed.out().strip());
    assertEquals("", typed.err());
    assertEquals("", carillon.type("resume", "--group=sale").ok().err());
  }

  @Test
  void aResumeWithoutAPauseSaysThatNothingIsPaused() {
    Run all = carillon.type("resume", "--all").ok();
    assertEquals("everything was not paused", all.out().strip());
    assertEquals(
        "carillon: nothing is paused: there was no pause of everything", all.err().strip());

    Run group = carillon.type("resume", "--group=nosuch").ok();
    assertEquals("default/nosuch was not paused", group.out().strip());
    group.assertErr("no pause of the group 'default/nosuch'; there is no collection in the group");
  }

  @Test
  void aWideListSaysWhoPausedACollectionWhyAndUntilWhen() {
    type("collections", "put", "orders");
    assertEquals(
        "orders disabled until 2030-01-02T06:00:00Z, INC-1",
        type("collections", "disable", "orders", "--note=INC-1", "--until=2030-01-02T06:00:00Z"));

    String wide = type("collections", "list", "-o", "wide");

    assertTrue(wide.contains("by anybody from 2026-"), wide);
    assertTrue(wide.contains(" until 2030-01-02T06:00:00Z, INC-1"), wide);
    assertFalse(type("collections", "list").contains("INC-1"));
    type("collections", "enable", "orders");
    type("pause", "--all", "--note=INC-2");
    wide = type("collections", "list", "-o", "wide");
    assertTrue(wide.contains("everything is paused by anybody, INC-2"), wide);
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
