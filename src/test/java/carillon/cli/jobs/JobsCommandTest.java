package carillon.cli.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.access.ApiKeyToken;
import carillon.api.ApiServer;
import carillon.cli.CarillonCommands;
import carillon.cli.CarillonCommands.Run;
import carillon.cli.WithCommands;
import carillon.support.JobJson;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Test of commands about jobs, against a real node. */
class JobsCommandTest extends WithCommands {
  private static final String DAILY =
      JobJson.post("https://example.org/")
          .body("ä")
          .startTime("2026-11-21T05:00:00Z")
          .every("day")
          .json();

  @TempDir Path dir;

  @BeforeEach
  void prepare() {
    api.put("/jobcollections/default", "{}");
    api.put("/jobcollections/orders", "{}");
  }

  private String file(String text) throws IOException {
    return Files.writeString(Files.createTempFile(dir, "job", ".json"), text).toString();
  }

  @Test
  void aJobIsPutShownPausedRunAndDeleted() throws IOException {
    Run put = carillon.type("jobs", "put", "orders/Nightly", file(DAILY)).ok();
    assertEquals("orders/Nightly created, next at 2026-11-21T05:00:00Z", put.out().strip());

    Run get = carillon.type("jobs", "get", "orders/nightly").ok();
    assertTrue(get.out().startsWith("job       orders/Nightly\nstate     enabled\n"), get.out());
    get.assertOut("\"frequency\" : \"day\"");

    assertEquals("orders/nightly disabled", type("jobs", "disable", "orders/nightly"));
    assertEquals("disabled", shown("orders/nightly").path("state").asText());
    assertEquals("orders/nightly enabled", type("jobs", "enable", "orders/nightly"));
    String run = type("jobs", "run", "orders/nightly");
    assertTrue(run.matches("orders/nightly started, execution [0-9a-f]{32}"), run);
    assertEquals("orders/nightly deleted", type("jobs", "delete", "orders/nightly"));
    assertEquals(1, carillon.type("jobs", "get", "orders/nightly").code());
  }

  @Test
  void aPauseHasANoteAndAnEnd() throws IOException {
    carillon.type("jobs", "put", "a", file(DAILY)).ok();
    carillon.type("jobs", "put", "b", file(DAILY)).ok();
    String until = "2026-12-02T06:00:00Z";

    assertEquals(
        "default/a disabled until 2026-12-02T06:00:00Z, vendor döwn\n"
            + "default/b disabled until 2026-12-02T06:00:00Z, vendor döwn",
        type("jobs", "disable", "--note", "vendor döwn", "--until", until, "a", "b"));

    JsonNode pause = shown("b").path("pause");
    assertEquals("vendor döwn", pause.path("note").asText());
    assertEquals(until, pause.path("until").asText());
    assertEquals("default/b disabled, still", type("jobs", "disable", "b", "--note=still"));
    assertEquals("still", shown("b").path("pause").path("note").asText());
    assertTrue(shown("b").path("pause").path("until").isMissingNode());
    Run soon = carillon.type("jobs", "disable", "a", "--until", "soon");
    assertEquals(1, soon.code());
    soon.assertErr("default/a: ", "until: 'soon'");
    assertEquals(until, shown("a").path("pause").path("until").asText());
  }

  private JsonNode shown(String job) throws IOException {
    return json(carillon.type("jobs", "get", job, "--json").ok().out());
  }

  @Test
  void whatIsShownAsJsonCanBePutAgain() throws IOException {
    carillon.type("jobs", "put", "a", file(DAILY)).ok();
    String shown = carillon.type("jobs", "get", "a", "--json").ok().out();

    assertEquals(
        "default/a unchanged, next at 2026-11-21T05:00:00Z", type("jobs", "put", "a", file(shown)));
    Run again = carillon.type("jobs", "put", "a", file(shown), "--json").ok();

    assertEquals("a", json(again.out()).path("id").asText());
    assertEquals(json(shown), shown("a"));
    assertEquals(
        "b",
        json(carillon.type("jobs", "put", "b", file(shown), "--json").ok().out())
            .path("id")
            .asText());
  }

  @Test
  void aPutWhoseConditionDoesNotHoldIsRefused() throws IOException {
    String job = file(DAILY);
    carillon.type("jobs", "put", "a", job, "--create").ok();

    Run second = carillon.type("jobs", "put", "a", job, "--create");
    assertEquals(1, second.code());
    second.assertErr("(412 ");

    String etag =
        carillon
            .type("jobs", "get", "a")
            .ok()
            .out()
            .lines()
            .filter(l -> l.startsWith("etag"))
            .findFirst()
            .orElseThrow()
            .replaceAll("etag +", "");
    assertEquals(
        "default/a replaced, next at 2026-11-21T05:00:00Z",
        type("jobs", "put", "a", file(DAILY.replace("ä", "ö")), "--if-match", etag));
    assertEquals(1, carillon.type("jobs", "put", "a", job, "--if-match", etag).code());
  }

  @Test
  void jobsAreListedAndSearchedByTheirLabels() {
    String labelled =
        "{\"labels\":{\"team\":\"billing\",\"env\":\"prod\"},\"description\":\"For\\nyou\","
            + DAILY.substring(1);
    api.put("/jobcollections/orders/jobs/a", DAILY);
    api.put("/jobcollections/orders/jobs/b", labelled);
    api.put("/jobcollections/orders/jobs/c", labelled);
    carillon.type("jobs", "disable", "orders/c").ok();

    assertEquals("b\nc", type("jobs", "list", "orders", "--label=team=billing", "-o", "name"));
    assertEquals(
        "b",
        type(
            "jobs",
            "list",
            "orders",
            "--label=team=billing",
            "--label=env=prod",
            "--state=enabled",
            "-o",
            "name"));
    assertEquals("", type("jobs", "list", "orders", "--label=team=sales", "-o", "name"));
    List<String> wide =
        carillon
            .type("jobs", "search", "--collection=orders", "--label=env=prod", "-o", "wide")
            .ok()
            .lines();
    assertEquals(3, wide.size());
    assertTrue(wide.get(1).contains("env=prod, team=billing"), wide.get(1));
    assertTrue(type("jobs", "list", "orders", "-o", "wide").contains("  For you  "));
  }

  @Test
  void aListGoesOnOverPagesAndEndsWhereItIsToldTo() throws IOException {
    for (int i = 0; i < 205; i++) {
      api.put(String.format("/jobcollections/orders/jobs/j%03d", i), DAILY);
    }
    carillon.type("jobs", "disable", "orders/j007").ok();

    List<String> all = carillon.type("jobs", "list", "orders").ok().lines();
    List<String> some =
        carillon.type("jobs", "list", "orders", "--limit", "101", "--json").ok().lines();
    List<String> paused =
        carillon.type("jobs", "list", "orders", "--state", "disabled").ok().lines();

    assertEquals(206, all.size());
    assertTrue(all.get(0).startsWith("JOB   STATE     NEXT"), all.get(0));
    String row = "j000 +enabled +2026-11-21T05:00:00Z +- +\\d+[smhd] +0 +POST https://example.org/";
    assertTrue(all.get(1).matches(row), all.get(1));
    assertTrue(all.get(0).contains("AGE"), all.get(0));
    assertEquals(101, some.size());
    assertEquals("j100", json(some.get(100)).path("id").asText());
    assertEquals(2, paused.size());
    assertTrue(paused.get(1).startsWith("j007  disabled"), paused.get(1));
  }

  @Test
  void whatIsPrintedCanBePutBack() throws IOException {
    carillon.type("jobs", "put", "a", file(DAILY)).ok();
    for (String form : List.of("json", "yaml")) {
      String printed = carillon.type("jobs", "get", "a", "-o", form).ok().out();

      carillon.type("jobs", "put", "b", file(printed)).ok();

      assertEquals(definition("a"), definition("b"), form);
      carillon.type("jobs", "delete", "b").ok();
    }
    carillon.type("flows", "put", "f", "--parallelism", "3").ok();
    carillon
        .type(
            "flows", "put", "f", file(carillon.type("flows", "get", "f", "-o", "yaml").ok().out()))
        .ok();
    String collection = carillon.type("collections", "get", "orders", "-o", "yaml").ok().out();
    carillon.type("collections", "put", "orders", file(collection)).ok();
  }

  private ObjectNode definition(String job) throws IOException {
    return ((ObjectNode) shown(job)).remove(List.of("id", "status"));
  }

  @Test
  void theHistoryOfAJobIsATableOfAttempts() throws IOException {
    carillon.type("jobs", "put", "a", file(DAILY)).ok();

    assertEquals(
        List.of("START  STATUS  CODE  LATE  TOOK  RETRY  ACTION  MESSAGE"),
        carillon.type("jobs", "history", "a", "--status", "failed").ok().lines());
    assertEquals(2, carillon.type("jobs", "history", "a", "--status", "x y").code());

    carillon.type("jobs", "disable", "a").ok();

    assertEquals(1, carillon.type("jobs", "history", "a").ok().lines().size());
    List<String> marked = carillon.type("jobs", "history", "a", "--marks").ok().lines();
    assertEquals(2, marked.size());
    assertTrue(marked.get(1).matches(".* marked  .*disabled by .*: schedule was every day.*"));
  }

  @Test
  void oneOfManyThatIsRefusedDoesNotKeepTheOthersFromIt() throws IOException {
    carillon.type("jobs", "put", "a", file(DAILY)).ok();
    carillon.type("jobs", "put", "b", file(DAILY)).ok();

    Run run = carillon.type("jobs", "delete", "a", "missing", "b", "--json");

    assertEquals(1, run.code());
    assertEquals(
        List.of(
            "{\"collection\":\"default\",\"job\":\"a\",\"outcome\":\"deleted\"}",
            "{\"collection\":\"default\",\"job\":\"b\",\"outcome\":\"deleted\"}"),
        run.lines());
    run.assertErr("default/missing: Job 'missing'", "carillon: 1 of 3 refused");
  }

  @Test
  void aRefusalShowsTheMessageOfTheNode() throws IOException {
    Run run = carillon.type("jobs", "put", "a", file(DAILY.replace("\"day\"", "\"dag\"")));

    assertEquals(1, run.code());
    assertTrue(run.err().startsWith("carillon: recurrence.frequency: 'dag'"), run.err());
    run.assertErr("(400 ");
  }

  @Test
  void aRefusalShowsAllThatIsWrong() throws IOException {
    String document = DAILY.replace("\"day\"", "\"dag\"").replaceFirst("\\{", "{\"priority\": 99,");
    Run run = carillon.type("jobs", "put", "a", file(document));

    assertEquals(1, run.code());
    List<String> lines = run.err().lines().toList();
    assertTrue(lines.get(0).startsWith("carillon: recurrence.frequency: 'dag' must"), run.err());
    assertTrue(lines.get(0).endsWith(" (400 BadRequest)"), run.err());
    assertEquals("  priority: 99 must be a whole number from -10 to 10", lines.get(1));
    assertEquals(2, lines.size(), run.err());
  }

  @Test
  void whatComesNextIsListed() throws IOException {
    carillon.type("jobs", "put", "a", file(DAILY)).ok();

    List<String> due = carillon.type("due").ok().lines();
    assertEquals(2, due.size());
    assertTrue(due.get(1).matches("2026-11-21T05:00:00Z .* occurrence  default/a"), due.get(1));
  }

  @Test
  void collectionsOfOtherGroupsAreReachedByTheirNames() throws IOException {
    api.put("/groups/s1/Sales/jobcollections/orders", "{}");
    String[] sales = {"--subscription", "s1", "--group", "sales"};

    String put = carillon.type(with(sales, "jobs", "put", "orders/n", file(DAILY))).ok().out();
    assertEquals("orders/n created, next at 2026-11-21T05:00:00Z", put.strip());
    for (int i = 0; i < 100; i++) {
      api.put("/groups/s1/sales/jobcollections/orders/jobs/p" + i, DAILY);
    }

    assertEquals(1, carillon.type("jobs", "get", "orders/n").code(), "not in default");
    assertEquals(102, carillon.type(with(sales, "jobs", "list", "orders")).ok().lines().size());
    String before = type("jobs", "--subscription=s1", "--group=sales", "get", "orders/n");
    assertTrue(before.startsWith("job       orders/n\n"), before);
    assertEquals("s1/sales/orders/n disabled", type("jobs", "disable", "s1/sales/orders/n"));
    assertEquals("disabled", shown("S1/Sales/orders/n").path("state").asText());
    assertEquals(
        "s1/sales/orders/n deleted",
        type(with(new String[] {"--group", "elsewhere"}, "jobs", "delete", "s1/sales/orders/n")));
  }

  private static String[] with(String[] options, String... words) {
    return Stream.concat(Stream.of(words), Stream.of(options)).toArray(String[]::new);
  }

  @Test
  void optionsMayStandBeforeTheCommand() throws IOException {
    String url = "--url=http://127.0.0.1:" + api.port();
    carillon.type("jobs", "put", "a", file(DAILY)).ok();
    String elsewhere = "--url=http://127.0.0.1:1";

    CarillonCommands.typeBare(url, "jobs", "get", "a").ok();
    CarillonCommands.typeBare("jobs", url, "get", "a").ok();
    CarillonCommands.typeBare(elsewhere, "jobs", "get", "a", url).ok();
    CarillonCommands.typeBare(elsewhere, "jobs", url, "get", "a").ok();
    assertEquals(3, CarillonCommands.typeBare(url, "jobs", elsewhere, "get", "a").code());
    CarillonCommands.typeBare(url, "nodes").ok();
  }

  @Test
  void aKeyComesFromAFile() throws IOException {
    ApiKeyToken key = ApiKeyToken.random();
    try (ApiServer closed = new ApiServer(ApiServer.keys(key))) {
      CarillonCommands stranger = new CarillonCommands("http://127.0.0.1:" + closed.port() + "/");

      Run refused = stranger.type("nodes");
      Run known = stranger.type("nodes", "--key-file", file(key.reveal() + "\n"));

      assertEquals(1, refused.code());
      refused.assertErr("(401 ");
      known.ok();
      String url = "--url=http://127.0.0.1:" + closed.port();
      String keyFile = "--key-file=" + file(key.reveal());
      CarillonCommands.typeBare(url, "--key", key.reveal(), "nodes").ok();
      CarillonCommands.typeBare(url, keyFile, "due").ok();
      assertEquals(1, CarillonCommands.typeBare(url, keyFile, "due", "--key", "other").code());
    }
  }
}
