package carillon.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.cli.CarillonCommands.Run;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Test of commands about flows, against a real node. */
class FlowsCommandTest extends WithCommands {
  @TempDir Path dir;

  @Test
  void aFlowIsPutShownPausedResumedResetAndDeleted() throws IOException {
    Path file =
        Files.writeString(
            dir.resolve("crm.json"),
            "{\"match\":[\"a.example\",\"b.example\"],\"rate\":{\"limit\":100,\"per\":\"PT1S\"}}");

    assertEquals("crm created", type("flows", "put", "crm", file.toString()));
    assertEquals("crm replaced", type("flows", "put", "crm", file.toString()));
    carillon.type("flows", "list").ok().assertOut("crm", "100 in PT1S", "a.example, 1 more");
    carillon.type("flows", "get", "crm", "--json").ok().assertOut("\"waiting\":0");
    assertEquals(
        "crm paused until 2035-01-01T00:00:00Z, ticket 4711",
        type("flows", "pause", "crm", "--note", "ticket 4711", "--until", "2035-01-01T00:00:00Z"));
    carillon.type("flows", "list").ok().assertOut("2035-01-01T00:00:00Z");
    assertEquals("crm resumed", type("flows", "resume", "crm"));
    assertEquals("crm reset", type("flows", "reset", "crm"));
    carillon
        .type("flows", "log", "crm")
        .ok()
        .assertOut("paused", "ticket 4711", "resumed", "reset");
    assertEquals("crm deleted", type("flows", "delete", "crm"));
    assertEquals("crm was not there", type("flows", "delete", "crm"));
  }

  @Test
  void aListOfFlowsSaysWhetherTheBreakerIsOpenAndHowManyWait() {
    type("flows", "put", "crm", "--match=a.example", "--breaker=7");

    List<String> lines = type("flows", "list", "-o", "wide").lines().toList();

    assertEquals(
        "FLOW  RATE  PARALLELISM  BREAKER  PAUSED  WAITING  IN FLIGHT  MATCH", lines.get(0));
    assertEquals(
        "crm   -     -            closed   -       0        0          a.example", lines.get(1));
  }

  @Test
  void aFlowIsPutFromOptionsAlone() {
    String limits =
        "--match=a.example --match=*.b.example --parallelism=10 --rate=100/1m --burst=5";
    String[] words = ("flows put crm --breaker=7 " + limits).split(" ");

    assertEquals("crm created", type(words));

    JsonObject flow = api.get("/flows/crm").json();
    assertEquals(List.of("a.example", "*.b.example"), flow.getJsonArray("match").getList());
    assertEquals(10, flow.getInteger("parallelism"));
    assertEquals(100, flow.getJsonObject("rate").getInteger("limit"));
    assertEquals("PT1M", flow.getJsonObject("rate").getString("per"));
    assertEquals(5, flow.getJsonObject("rate").getInteger("burst"));
    assertEquals(7, flow.getJsonObject("breaker").getInteger("consecutive"));
    assertEquals("crm replaced", type("flows", "put", "crm", "--rate=50"));
    assertEquals("PT1S", api.get("/flows/crm").json().getJsonObject("rate").getString("per"));
    assertUsage("--burst goes with --rate", "--burst=5");
    assertUsage("--rate must be such as 100/1s, was 'fast'", "--rate=fast");
    assertUsage("give options or a document, not both", "--rate=1", "crm.json");
  }

  private void assertUsage(String message, String... options) {
    List<String> words = new ArrayList<>(List.of("flows", "put", "crm"));
    words.addAll(List.of(options));
    Run run = carillon.type(words.toArray(String[]::new));
    assertEquals(2, run.code());
    run.assertErr(message);
  }

  @Test
  void whatIsRefusedIsSaid() {
    Run gone = carillon.type("flows", "get", "gone");
    Run wrong = carillon.type("flows", "get", "a b");

    assertEquals(1, gone.code());
    gone.assertErr("gone");
    assertEquals(2, wrong.code());
    assertTrue(wrong.err().contains("a flow must be letters"), wrong.err());
  }

  @Test
  void flowsOfOtherGroupsAreNamedByOptions() {
    api.put("/groups/s1/g1/flows/crm", "{}").assertStatus(201);

    carillon.type("flows", "list", "--subscription", "s1", "--group", "g1").ok().assertOut("crm");
  }
}
