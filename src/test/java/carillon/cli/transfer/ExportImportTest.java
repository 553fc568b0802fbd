package carillon.cli.transfer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.cli.CarillonCommands;
import carillon.cli.CarillonCommands.Run;
import carillon.cli.WithCommands;
import carillon.job.name.JobName;
import carillon.support.JobJson;
import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Test of the export of flows, calendars, collections and jobs into a file, and of their import.
 */
class ExportImportTest extends WithCommands {
  private static final String COUNTED =
      job().recurrence("{`frequency`:`minute`,`count`:10}").json();
  private static final String SECRET =
      JobJson.get("https://example.org/")
          .secure()
          .request(
              "authentication",
              new JsonObject().put("type", "basic").put("username", "u").put("password", "p4ss"))
          .startTime("2027-01-01T00:00:00Z")
          .json();

  @TempDir Path dir;

  private Path file;

  private static JobJson job() {
    return JobJson.post("https://example.org/").body("ü");
  }

  private static String later() {
    return job().startTime("2027-01-01T00:00:00Z").json();
  }

  @BeforeEach
  void prepare() {
    file = dir.resolve("jobs.ndjson");
  }

  private void put(String collection, String job, String definition) {
    api.put("/jobcollections/" + collection, "{}");
    int status = api.put("/jobcollections/" + collection + "/jobs/" + job, definition).status();
    assertEquals(201, status);
  }

  /** Sets a field of a job, as if time had passed and the job had run. */
  private void set(String key, String field, String value) {
    String name = "default/default/" + key;
    api.redis.ask(
        "HSET carillon:{%d}:job:%s %s %s"
            .formatted(JobName.partition(name, 4), name, field, value));
  }

  private List<String> jobs(String collection) {
    return carillon.type("jobs", "list", collection, "--json").ok().lines();
  }

  @Test
  void aDashNamesStandardOutput() {
    put("default", "j", later());

    Run plain = carillon.type("export").ok();

    assertEquals(plain.out(), carillon.type("export", "--output", "-").ok().out());
    assertFalse(Files.exists(Path.of("-")));
    assertFalse(Files.exists(Path.of("-.part")));
  }

  @Test
  void refusedLinesGoToStandardOutput() throws IOException {
    Files.writeString(file, "{\"job\":1}\n");

    Run run = carillon.type("import", "--rejected", "-", file.toString());

    assertEquals(1, run.code());
    run.assertOut("{\"job\":1}");
    run.assertErr("1 line refused");
    assertFalse(Files.exists(Path.of("-")));
  }

  /** Removes the time and the author of a pause: no definition contains them. */
  private static String withoutPause(String job) {
    return job.replaceAll(",\"pause\":\\{[^}]*}", "");
  }

  @Test
  void labelsAndTheDescriptionOfAJobTravel() throws IOException {
    JsonNode labels = json("{\"team\":\"billing\",\"env\":\"prod\"}");
    put(
        "orders",
        "a",
        job()
            .startTime("2027-01-01T00:00:00Z")
            .with("labels", new JsonObject(labels.toString()))
            .with("description", "Sends the bills, äöü \"quoted\"\nin two lines")
            .json());
    put("orders", "b", later());
    List<String> before = jobs("orders");
    carillon.type("export", "--output", file.toString()).ok();
    api.redis.flush();

    carillon.type("import", file.toString()).ok();

    List<String> after = jobs("orders");
    assertEquals(json(before.get(0)).path("description"), json(after.get(0)).path("description"));
    assertEquals(labels, json(after.get(0)).path("labels"));
    assertTrue(json(after.get(0)).path("description").asText().contains("äöü"), after.get(0));
    assertTrue(json(after.get(1)).path("labels").isMissingNode(), after.get(1));
    assertEquals(2, api.get("/jobcollections/orders/jobs").json().getJsonArray("value").size());
    assertEquals(
        1,
        api.get("/jobcollections/orders/jobs?$filter=labels%2Fteam%20eq%20'billing'")
            .json()
            .getJsonArray("value")
            .size());
  }

  @Test
  void anExportNamesWhatIsDamagedAndEndsWithOne() throws IOException {
    put("orders", "a", later());
    put("orders", "b", later());
    put("stock", "c", later());
    api.put("/flows/f", "{}");
    api.put("/flows/g", "{}");
    api.put("/calendars/h", "{`spans`:[{`date`:`2026-12-25`}]}");
    set("orders/a", "definition", "x");
    api.redis.ask("HSET carillon:collection:default/default/stock created x");
    api.redis.ask("HSET carillon:flows default/default/f x");
    api.redis.ask("HSET carillon:calendars default/default/h x");

    Run run = carillon.type("export", "--output", file.toString());

    assertEquals(1, run.code(), run.err());
    for (String left : List.of("job orders/a", "collection stock", "flow f", "calendar h")) {
      assertTrue(run.err().contains(left + " is left out, as it is damaged: "), run.err());
    }
    assertTrue(run.err().contains("4 damaged items are left out"), run.err());
    String text = Files.readString(file);
    assertTrue(text.contains("\"job\":\"b\"") && text.contains("\"flow\":\"g\""), text);
  }

  @Test
  void anExportThatIsImportedAgainChangesNothing() throws IOException {
    api.put("/jobcollections/orders", "{`quota`:{`maxJobCount`:500},`tags`:{`team`:`ä`}}");
    for (int i = 0; i < 230; i++) {
      put("orders", "j" + i, later());
    }
    carillon.type("jobs", "disable", "orders/j5").ok();
    List<String> before = jobs("orders").stream().map(ExportImportTest::withoutPause).toList();
    String collection = api.get("/jobcollections/orders").body();
    Run exported = carillon.type("export", "--output", file.toString()).ok();
    api.redis.flush();

    Run first = carillon.type("import", file.toString()).ok();
    Run second = carillon.type("import", file.toString(), "--json").ok();
    Run third =
        carillon.type("import", file.toString(), "--replace", "--from-line", "231", "--json").ok();

    assertTrue(exported.err().startsWith("exported 230 jobs in 1 collection, "), exported.err());
    assertTrue(
        first.out().endsWith(": 231 created, 0 replaced, 0 there already, 0 refused\n"),
        first.out());
    assertEquals(231, json(second.out()).path("existing").asInt());
    assertEquals(1, json(third.out()).path("replaced").asInt(), third.out());
    assertEquals(before, jobs("orders"));
    assertEquals(collection, api.get("/jobcollections/orders").body());
  }

  @Test
  void flowsAndCalendarsComeBeforeTheJobsThatNameThem() throws IOException {
    api.put("/flows/crm", "{`match`:[`a.example`],`parallelism`:10}").assertStatus(201);
    api.put("/calendars/weekends", "{`spans`:[{`weekDays`:[`saturday`,`sunday`]}]}")
        .assertStatus(201);
    JsonObject excluding = new JsonObject().put("exclude", "weekends");
    put("orders", "j", job().every("day").with("calendars", excluding).json());
    api.post("/flows/crm/pause", "{`note`:`ticket 4711`}").assertStatus(200);
    String calendar = api.get("/calendars/weekends").body();

    Run exported = carillon.type("export", "--collection", "orders").ok();
    Files.writeString(file, exported.out());
    api.redis.flush();
    Run first = carillon.type("import", file.toString()).ok();
    api.put("/flows/crm", "{`parallelism`:1}").assertStatus(200);
    Run second = carillon.type("import", file.toString()).ok();

    exported.assertErr(
        "exported 1 job in 1 collection, 1 flow, 1 calendar, ",
        "1 flow is paused, which is left out");
    assertFalse(exported.out().contains("4711"), exported.out());
    first.assertOut(": 4 created, ");
    second.assertOut(": 0 created, 0 replaced, 4 there already");
    assertEquals(calendar, api.get("/calendars/weekends").body());
    assertEquals(1, json(api.get("/flows/crm").body()).path("parallelism").asInt());
    carillon.type("import", file.toString(), "--replace").ok();
    assertEquals(10, json(api.get("/flows/crm").body()).path("parallelism").asInt());
  }

  @Test
  void aFlowOrCalendarThatIsRefusedKeepsNothingElseFromBeingImported() throws IOException {
    Files.writeString(
        file,
        """
        {"flow":"f","definition":{"parallelism":0,"retryAfter":1}}
        {"calendar":"f","definition":{"spans":[]}}
        {"flow":"f","job":"j","definition":{}}
        {"flow":"f","calendar":"f","definition":{}}
        {"collection":"f","definition":{}}
        """);

    Run run = carillon.type("import", file.toString());

    run.assertOut(": 1 created, 0 replaced, 0 there already, 4 refused");
    run.assertErr(
        "line 1: flow f: parallelism",
        "  retryAfter: 1 must be true or false",
        "line 2: calendar f: spans",
        "line 3: job: must be a name in a collection\n",
        "line 4: one of flow, calendar and collection must be a name\n");
  }

  /** Answers like a node of an earlier version. */
  @Test
  void whatTheNodeDoesNotShowIsLeftOutAndSaid() throws IOException {
    HttpServer node =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    node.createContext(
        "/",
        exchange -> {
          boolean isList = exchange.getRequestURI().getPath().equals("/jobcollections");
          byte[] empty = "{\"value\":[]}".getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(isList ? 200 : 404, isList ? empty.length : -1);
          if (isList) {
            exchange.getResponseBody().write(empty);
          }
          exchange.close();
        });
    node.start();
    try {
      CarillonCommands other =
          new CarillonCommands("http://127.0.0.1:" + node.getAddress().getPort());

      other
          .type("export")
          .ok()
          .assertErr("flows are left out: ", "calendars are left out: ", "exported 0 jobs");
    } finally {
      node.stop(0);
    }
  }

  @Test
  void anExportSaysThatPausesLoseTheirEnd() {
    for (String job : List.of("until", "noted", "plain")) {
      put("default", job, later());
    }
    carillon.type("jobs", "disable", "until", "--until", "2026-12-02T06:00:00Z").ok();
    carillon.type("jobs", "disable", "noted", "--note", "vendor down").ok();

    Run exported = carillon.type("export").ok();

    exported.assertErr("1 job or collection is disabled until an instant, which is left out");
    assertFalse(exported.out().contains("2026-12-02"), exported.out());
  }

  @Test
  void anExportSaysThatPlannedAndWiderPausesAreLeftOut() {
    put("default", "j", later());
    carillon.type("pause", "--group", "default").ok();
    carillon.type("collections", "disable", "default", "--from", "2030-01-02T04:00:00Z").ok();

    Run exported = carillon.type("export").ok();

    exported.assertErr("1 collection has a planned pause, which is left out");
    exported.assertErr("1 pause of everything or of a group, which is left out");
    assertFalse(exported.out().contains("waits"), exported.out());
  }

  @Test
  void aTimeZoneComesAlongAsItWasGiven() throws IOException {
    JsonObject dst = new JsonObject().put("gap", "boundary");
    JobJson zoned = job().startTime("2035-03-25T02:30:00").every("day").with("dst", dst);
    put("default", "zoned", zoned.with("timeZone", "W. Europe Standard Time").json());
    List<String> before = jobs("default");
    Run exported = carillon.type("export", "--carry-on").ok();
    Files.writeString(file, exported.out());
    api.redis.flush();

    carillon.type("import", file.toString()).ok();

    assertEquals(before, jobs("default"));
    assertTrue(before.get(0).contains("W. Europe Standard Time"), before.get(0));
  }

  @Test
  void aSecretIsNotExportedAndListedAsLeftOut() throws IOException {
    put("default", "secret", SECRET);

    Run run = carillon.type("export").ok();

    assertFalse(run.out().contains("p4ss"));
    assertEquals(
        "[\"action.request.authentication.password\"]",
        json(run.lines().get(1)).path("secretsLeftOut").toString());
    run.assertErr("1 line without secrets (secretsLeftOut)");

    // The node with the secret keeps it; another node refuses the line and names it.
    Files.writeString(file, run.out());
    carillon.type("import", file.toString(), "--replace").ok();
    api.redis.flush();
    Path rejected = dir.resolve("rejected.ndjson");
    Run elsewhere = carillon.type("import", file.toString(), "--rejected", rejected.toString());
    assertEquals(1, elsewhere.code());
    elsewhere.assertErr("carillon: line 2: default/secret: action.request.authentication.password");
    Files.writeString(
        rejected,
        Files.readString(rejected).replace("\"username\":", "\"password\":\"p\",\"username\":"));
    carillon.type("import", rejected.toString()).ok();
    assertEquals(1, jobs("default").size());
  }

  @Test
  void aSecretInAHeaderIsListedAsLeftOut() throws IOException {
    put(
        "default",
        "secret",
        SECRET
            .replaceFirst("\"authentication\":\\{[^}]*}", "\"headers\":{\"X-Api-Key\":\"p4ss\"}")
            .replace("example.org/", "example.org/?code=p4ss"));

    Run run = carillon.type("export").ok();

    assertFalse(run.out().contains("p4ss"), run.out());
    assertEquals(
        "[\"action.request.uri\",\"action.request.headers.X-Api-Key\"]",
        json(run.lines().get(1)).path("secretsLeftOut").toString());
    Files.writeString(file, run.out());
    carillon.type("import", file.toString(), "--replace").ok();
    api.redis.flush();
    assertEquals(1, carillon.type("import", file.toString()).code(), "elsewhere it is refused");
  }

  @Test
  void finishedJobsAreLeftOutAndOthersCarryOn() throws IOException {
    put("default", "done", COUNTED);
    put("default", "running", COUNTED);
    set("default/running", "executions", "4");
    set("default/running", "next", "2026-11-20T18:04:00Z");
    String done = jobs("default").get(0);
    assertTrue(done.contains("\"id\":\"done\""), done);
    assertEquals(
        List.of(),
        ExportLine.ofJob("c", json(done.replace("\"enabled\"", "\"completed\"")), false).stream()
            .toList());

    JsonNode asIs = definition(carillon.type("export"));
    JsonNode carried = definition(carillon.type("export", "--carry-on"));

    assertEquals(10, asIs.path("recurrence").path("count").asInt());
    assertFalse(asIs.has("startTime"));
    assertEquals(6, carried.path("recurrence").path("count").asInt());
    assertEquals("2026-11-20T18:04:00Z", carried.path("startTime").asText());
    assertFalse(carried.has("status") || carried.has("id"));
  }

  @Test
  void anExpressionIsCarriedOnAsItIsAndAnIntervalFromItsNextOccurrence() throws IOException {
    String answered =
        "{\"id\":\"j\",\"recurrence\":{\"cron\":\"%s\"},\"state\":\"enabled\","
            + "\"status\":{\"nextExecutionTime\":\"2027-03-28T01:30:00Z\"}}";

    assertFalse(carried(answered.formatted("at(2027-03-28T02:30:00)")).has("startTime"));
    assertFalse(carried(answered.formatted("30 1 * * *")).has("startTime"));
    assertEquals(
        "2027-03-28T01:30:00Z",
        carried(answered.formatted("@every 90m")).path("startTime").asText());
  }

  private static JsonNode carried(String answered) throws IOException {
    return ExportLine.ofJob("c", json(answered), true).orElseThrow().definition();
  }

  private static JsonNode definition(Run run) throws IOException {
    String line =
        run.ok().lines().stream().filter(l -> l.contains("\"running\"")).findFirst().orElseThrow();
    return json(line).path("definition");
  }

  @Test
  void theJobsOfAGroupMoveIntoAnother() {
    api.put("/groups/s1/sales/jobcollections/orders", "{}");
    api.put("/groups/s1/sales/jobcollections/orders/jobs/n", COUNTED);
    put("mine", "a", COUNTED);

    carillon.type("export", "--subscription=s1", "--group=sales", "--output", file.toString()).ok();
    Run run = carillon.type("import", file.toString(), "--group", "moved").ok();

    run.assertOut(": 2 created,");
    api.get("/groups/default/moved/jobcollections/orders/jobs/n").assertStatus(200);
  }

  @Test
  void aCrontabIsRefusedInOneLine() throws IOException {
    Files.writeString(
        file,
        "# nightly work\nMAILTO=ops@example.org\n\n*/5 9-17 * * mon-fri curl -fsS x\n@daily y\n");

    Run run = carillon.type("import", file.toString());

    assertEquals(1, run.err().lines().filter(line -> line.contains("crontab")).count(), run.err());
    assertFalse(run.err().contains("not JSON"), run.err());
  }

  @Test
  void aFileThatIsNoExportAndNoCrontabIsRefusedByLines() throws IOException {
    Files.writeString(file, "# a comment\nname = value\nwords\n");

    Run run = carillon.type("import", file.toString());

    assertTrue(run.err().contains("line 3: the line is not JSON"), run.err());
  }
}
