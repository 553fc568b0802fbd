package carillon.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.api.ApiServer;
import carillon.cli.CarillonCommands.Run;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Test of commands about executions and the clock, against typical answers of a node. */
@Tag("redis")
class ExecutionCommandsTest {
  private static final String FIELDS =
      "\"subscription\":\"default\",\"group\":\"default\",\"collection\":\"c\",\"job\":\"%s\","
          + "\"startTime\":\"2026-11-20T18:00:00Z\",\"statusCode\":503,\"durationMs\":1500,"
          + "\"destination\":\"h:80\",\"status\":\"failed\",\"state\":\"retrying\",\"message\":\"away\"";

  private final AtomicReference<String> query = new AtomicReference<>("");
  private HttpServer node;
  private CarillonCommands carillon;

  @BeforeEach
  void start() throws IOException {
    node = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    carillon = new CarillonCommands("http://127.0.0.1:" + node.getAddress().getPort());
    node.start();
  }

  @AfterEach
  void stop() {
    node.stop(0);
  }

  private void answer(String path, int status, String text) {
    node.createContext(
        path,
        exchange -> {
          query.set(exchange.getRequestURI().getRawQuery());
          exchange.sendResponseHeaders(status, 0);
          exchange.getResponseBody().write(text.getBytes(StandardCharsets.UTF_8));
          exchange.close();
        });
  }

  private static String item(String job) {
    return "{" + FIELDS.formatted(job) + "}";
  }

  @Test
  void executionsAreListedAsTheOptionsAsk() {
    answer("/executions", 200, "{\"value\":[" + item("j1") + "," + item("j2") + "]}");

    Run run =
        carillon.type("executions", "--collection=s/g/c", "--code=5xx", "--state=failed").ok();

    assertEquals("$top=20&collection=s%2Fg%2Fc&state=failed&code=5xx", query.get());
    run.assertOut(
        "START", "2026-11-20T18:00:00Z", "retrying", "503", "1.5s", "c/j1", "h:80", "away");
    assertEquals("c/j1\n", carillon.type("executions", "-o=name", "--limit=1").ok().out());
    assertTrue(carillon.type("executions", "--since=1h").ok().out().contains("c/j2"));
    assertTrue(query.get().contains("&since=20"), query.get());
    assertEquals(2, carillon.type("executions", "--since=soon").code());
  }

  @Test
  void whatIsInFlightHasItsNode() {
    answer(
        "/executions",
        200,
        "{\"value\":[{\"collection\":\"c\",\"job\":\"j1\",\"state\":\"running\",\"node\":\"n7\","
            + "\"startTime\":\"2026-11-20T18:00:00Z\",\"attempt\":3,\"actionName\":\"MainAction\"}]}");

    Run run = carillon.type("executions", "--state=running").ok();

    assertEquals("$top=20&state=running", query.get());
    run.assertOut("NODE", "n7", "c/j1", "3", "MainAction", "2026-11-20T18:00:00Z");
  }

  @Test
  void destinationsAreShownWithWhatBecameOfTheirCalls() {
    answer(
        "/destinations",
        200,
        "{\"allDestinations\":false,\"value\":[{\"destination\":\"h:80\",\"completed\":12,"
            + "\"failed\":3,\"inFlight\":4,\"durationP50\":0.25,\"flows\":[{\"flow\":\"crm\","
            + "\"breaker\":\"open\",\"paused\":false}]}]}");

    Run run = carillon.type("destinations").ok();

    run.assertOut("DESTINATION", "h:80", "12", "3", "4", "250ms", "crm (stopped)");
    run.assertErr("are left out");
    try (ApiServer real = new ApiServer()) {
      new CarillonCommands("http://127.0.0.1:" + real.port()).type("destinations").ok();
    }
  }

  @Test
  void attemptsAreShownAsTheyEndUntilEnoughAreShown() {
    answer(
        "/console/executions",
        200,
        ": watching\n\nevent: node\ndata: \"n1\"\n\nevent: lost\ndata: 7\n\n"
            + "event: executions\ndata: ["
            + item("j1")
            + "]\n\nevent: executions\ndata: ["
            + item("j2")
            + ","
            + item("j3")
            + "]\n\n");

    Run run = carillon.type("tail", "--limit=2", "--status=failed", "--job=j").ok();

    assertEquals("job=j&status=failed", query.get());
    run.assertOut("START", "failed", "c/j1", "c/j2");
    assertFalse(run.out().contains("c/j3"), run.out());
    run.assertErr("7 were left out");
  }

  @Test
  void aStreamThatTheNodeEndsOrRefusesIsAFailure() {
    answer("/console/executions", 200, "event: executions\ndata: [" + item("j1") + "]\n\n");
    Run ended = carillon.type("tail", "-o=name");
    assertEquals(3, ended.code());
    assertEquals("c/j1\n", ended.out());
    ended.assertErr("has ended the stream");

    node.removeContext("/console/executions");
    answer("/console/executions", 403, "{\"error\":{\"code\":\"x\",\"message\":\"not yours\"}}");
    Run refused = carillon.type("tail");
    assertEquals(1, refused.code());
    refused.assertErr("not yours (403 x)");
  }

  @Test
  void aNodeTakesWhatTheOptionsSend() {
    try (ApiServer real = new ApiServer()) {
      real.put("/jobcollections/c", "{}");
      CarillonCommands commands = new CarillonCommands("http://127.0.0.1:" + real.port());
      commands
          .type(
              "executions",
              "--collection=c",
              "--job=j",
              "--state=slow",
              "--destination=h:80",
              "--code=503",
              "--since=1h")
          .ok();
    }
  }

  @Test
  void allThatFailedRunsAgainOnceThatIsConfirmed() {
    answer("/executions", 200, "{\"value\":[" + item("j1") + "," + item("j2") + "]}");
    answer("/jobcollections/c/jobs/j1", 200, "{\"state\":\"faulted\"}");
    answer("/jobcollections/c/jobs/j2", 200, "{\"state\":\"completed\"}");
    answer("/jobcollections/c/jobs/j2/history", 200, "{\"value\":[{\"status\":\"completed\"}]}");

    Run script = carillon.type("executions", "retry");
    Run refused = carillon.typeAnswering("n", "executions", "retry");
    Run confirmed = carillon.typeAnswering("y", "executions", "retry").ok();

    assertEquals(2, script.code());
    assertEquals(1, refused.code());
    refused.assertErr("Run 1 job again, all that failed? [y/N] ");
    assertEquals("", refused.out());
    assertEquals("c/j1 retried\n", confirmed.out());
    String retried = "c/j1 retried\n";
    assertEquals(retried, carillon.type("executions", "retry", "--yes").ok().out());
    assertEquals(retried, carillon.type("executions", "retry", "--since=1h").ok().out());
    Run dry = carillon.type("executions", "retry", "--dry-run").ok();
    assertEquals("c/j1 to be retried\n", dry.out());
    dry.assertErr("carillon: 1 of 2: the others have succeeded since, run already, are disabled");
  }

  @Test
  void aJobThatFailedAndGoesOnRunsOnceMoreUnlessItIsDisabled() {
    answer(
        "/executions",
        200,
        "{\"value\":[" + item("j1") + "," + item("j2") + "," + item("j3") + "]}");
    answer("/jobcollections/c/jobs/j1", 200, "{\"state\":\"enabled\",\"recurrence\":{}}");
    answer("/jobcollections/c/jobs/j2", 200, "{\"state\":\"disabled\"}");
    answer(
        "/jobcollections/c/jobs/j3",
        200,
        "{\"state\":\"disabled\",\"pause\":{\"reason\":\"failures\"}}");

    Run run = carillon.type("executions", "retry", "--yes").ok();

    assertEquals("c/j1 started\nc/j3 started\n", run.out());
    run.assertErr("carillon: 2 of 3: ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{`pause`:{`by`:`ops`,`note`:`INC-1`}} | waits: flow crm is paused by ops, INC-1",
        "{`state`:{`breaker`:`open`}}          | waits: flow crm, its breaker is open",
        "{`state`:{`breaker`:`closed`}}        | waits: flow crm, its limits"
      })
  void workThatWaitsForAFlowSaysForWhichAndWhy(String flow, String waits) {
    String entry =
        "{`due`:`2026-11-20T18:00:00Z`,`kind`:`waiting`,`subscription`:`s`,`group`:`g`,"
            + "`collection`:`c`,`job`:`j1`,`attempt`:2,`maxAttempts`:7,`flow`:`crm`}";
    String list = ("{`value`:[" + entry + "," + entry + "]}").replace('`', '"');
    answer("/due", 200, list);
    answer("/groups/s/g/jobcollections/c/jobs/j1/waiting", 200, list);
    answer("/groups/s/g/flows/crm", 200, flow.replace('`', '"'));

    carillon.type("due").ok().assertOut(waits);
    carillon
        .type("jobs", "waiting", "s/g/c/j1")
        .ok()
        .assertOut("waiting", "2 of 7", waits.replace("waits: ", ""));
  }

  @Test
  void aHistoryShowsWhatTheTargetSaidOrWhyItSaidNothing() {
    String entry =
        "{\"startTime\":\"2026-11-20T18:00:00Z\",\"endTime\":\"2026-11-20T18:00:01Z\","
            + "\"status\":\"failed\",\"actionName\":\"MainAction\",\"message\":\"Http Action - x\",";
    answer(
        "/jobcollections/default/jobs/j/history",
        200,
        "{\"value\":["
            + entry
            + "\"statusCode\":500,\"body\":\"out of stock\"},"
            + entry
            + "\"error\":{\"code\":\"refused\",\"message\":\"connection refused\"}},"
            + entry
            + "\"statusCode\":204}]}");

    Run run = carillon.type("jobs", "history", "j").ok();

    assertTrue(run.lines().get(1).endsWith("0      Main    out of stock"), run.out());
    assertTrue(run.lines().get(2).endsWith("Main    connection refused"), run.out());
    assertTrue(run.lines().get(3).endsWith("Main    Http Action - x"), run.out());
  }
}
