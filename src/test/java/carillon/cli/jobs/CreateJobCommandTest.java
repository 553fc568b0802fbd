package carillon.cli.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.cli.CarillonCommands;
import carillon.cli.CarillonCommands.Run;
import carillon.cli.WithCommands;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Test of jobs created by options only, against a real node. */
class CreateJobCommandTest extends WithCommands {
  private static final String URL = "https://example.org/hook";

  @TempDir Path dir;

  @BeforeEach
  void prepare() {
    api.put("/jobcollections/default", "{}");
  }

  /** Returns the document of a job without sending it. */
  private static JsonNode document(String... options) throws IOException {
    String[] words = new String[options.length + 4];
    System.arraycopy(new String[] {"jobs", "create", "--dry-run", "--json"}, 0, words, 0, 4);
    System.arraycopy(options, 0, words, 4, options.length);
    return json(CarillonCommands.typeBare(words).ok().out());
  }

  private JsonNode shown(String job) throws IOException {
    return json(carillon.type("jobs", "get", job, "--json").ok().out());
  }

  @Test
  void aJobIsCreatedOnceAndReplacedWhenAskedTo() throws IOException {
    String[] words = {
      "jobs", "create", "a", "--put", URL, "--at", "2026-11-21T05:00:00Z", "--body", "x"
    };
    assertEquals(
        "default/a created, next at 2026-11-21T05:00:00Z", carillon.type(words).ok().out().strip());
    JsonNode request = shown("a").path("action").path("request");
    assertEquals("PUT", request.path("method").asText());
    assertEquals("x", request.path("body").asText());

    Run again = carillon.type(words);
    assertEquals(1, again.code());
    again.assertErr("carillon: default/a exists already; --replace replaces it");

    Run replaced = carillon.type("jobs", "create", "a", "--get", URL, "--every=1d", "--replace");
    assertTrue(replaced.ok().out().startsWith("default/a replaced, next at "), replaced.out());
    assertEquals("day", shown("a").path("recurrence").path("frequency").asText());
  }

  @Test
  void anIntervalWithoutAStartIsSaidToRunNowAndCountFromItsStarts() {
    Run free = carillon.type("jobs", "create", "a", "--get", URL, "--every=5m").ok();
    Run grid =
        carillon
            .type("jobs", "create", "b", "--get", URL, "--every=5m", "--at=2026-11-21T05:00:00Z")
            .ok();
    Run once = carillon.type("jobs", "create", "c", "--get", URL).ok();

    free.assertOut(
        "default/a created, next at 2026-11-20T18:00:00Z",
        "runs now, then every 5 minutes, counted from each start; --at gives it a grid:"
            + " 2026-11-20T18:00:00Z, 2026-11-20T18:05:00Z");
    assertFalse(grid.out().contains("runs now"), grid.out());
    once.assertOut("runs once, now; --in or --at gives another time");
  }

  @Test
  void aJobWithoutANameGetsOneFromTheNode() throws IOException {
    Run run = carillon.type("jobs", "create", "--post", URL, "--in", "1h").ok();

    String created = "default/[0-9a-f-]{36} created, next at 2026-11-20T19:00:00Z\\R";
    assertTrue(run.out().matches(created), run.out());
    String id = run.out().substring("default/".length(), run.out().indexOf(' '));
    assertEquals("https", shown(id).path("action").path("type").asText());
  }

  @Test
  void theCallIsWhatTheOptionsSay() throws IOException {
    Path body = Files.writeString(dir.resolve("body.json"), "{\"n\": 1.50}");
    JsonNode action =
        document(
                "--post=" + URL,
                "--body=@" + body,
                "--header=X-Tenant: a:b",
                "--retries=3",
                "--retry-interval=10s",
                "--timeout=1m30s",
                "--flow=shop")
            .path("action");

    assertEquals(
        json(
            "{\"type\":\"https\",\"request\":{\"uri\":\"https://example.org/hook\","
                + "\"method\":\"POST\",\"headers\":{\"X-Tenant\":\"a:b\","
                + "\"Content-Type\":\"application/json\"},\"body\":\"{\\\"n\\\": 1.50}\"},"
                + "\"retryPolicy\":{\"retryType\":\"exponential\",\"retryCount\":3,"
                + "\"retryInterval\":\"PT10S\"},\"timeout\":\"PT1M30S\",\"flow\":\"shop\"}"),
        action);
    JsonNode other =
        document("--to=http://h/", "--method=patch", "--body={}", "--header=content-type:text/x");
    assertEquals("http", other.path("action").path("type").asText());
    JsonNode request = other.path("action").path("request");
    assertEquals("PATCH", request.path("method").asText());
    assertEquals("{\"content-type\":\"text/x\"}", request.path("headers").toString());
    assertEquals("GET", document("--to=" + URL).findValue("method").asText());
    assertEquals("POST", document("--to=" + URL, "--body=x").findValue("method").asText());
    assertEquals("none", document("--get=" + URL, "--retries=0").findValue("retryType").asText());
  }

  @Test
  void aFileOfABodyIsNeverReadAsOptions() throws IOException {
    String content = "hello\n--url\nhttp://x";
    Path body = Files.writeString(dir.resolve("order.json"), content);

    JsonNode request = document("--post", URL, "--body", "@" + body).path("action").path("request");

    assertEquals(content, request.path("body").asText());
    assertEquals(URL, request.path("uri").asText());
  }

  @ParameterizedTest
  @CsvSource({"90s, second, 90", "5m, minute, 5", "120m, hour, 2", "PT24H, day, 1", "7d, day, 7"})
  void everyIsTheLargestUnitThatIsExact(String every, String frequency, int interval)
      throws IOException {
    JsonNode recurrence = document("--get=" + URL, "--every=" + every).path("recurrence");

    assertEquals(frequency, recurrence.path("frequency").asText());
    assertEquals(interval, recurrence.path("interval").asInt());
  }

  @Test
  void theTimeIsWhatTheOptionsSay() throws IOException {
    JsonNode cron =
        document("--get=" + URL, "--cron=0 9 * * 1-5", "--tz=Europe/Berlin", "--count=3");
    assertEquals("Europe/Berlin", cron.path("timeZone").asText());
    assertEquals("{\"cron\":\"0 9 * * 1-5\",\"count\":3}", cron.path("recurrence").toString());
    JsonNode local = document("--get=" + URL, "--at=2030-01-02T08:00", "--tz=Europe/Berlin");
    assertEquals("2030-01-02T08:00", local.path("startTime").asText());

    assertEquals("PT2H", document("--get=" + URL, "--in=2h").path("in").asText());
  }

  @Test
  void theRulesAreWhatTheOptionsSay() throws IOException {
    ObjectNode job =
        (ObjectNode)
            document(
                "--get=" + URL,
                "--every=1d",
                "--overlap=bufferall",
                "--buffer-max=3",
                "--exclude=holidays-de,weekends",
                "--exclude=freeze",
                "--only=office",
                "--on-excluded=nextday",
                "--jitter=15m",
                "--jitter-per=job",
                "--priority=-3",
                "--start-within=2h",
                "--missed=all",
                "--pause-after-failures=5");
    job.remove(List.of("action", "recurrence"));

    assertEquals(
        json(
            "{\"overlap\":\"bufferAll\",\"bufferMax\":3,"
                + "\"calendars\":{\"exclude\":[\"holidays-de\",\"weekends\",\"freeze\"],"
                + "\"only\":[\"office\"],\"onExcluded\":\"nextDay\"},"
                + "\"jitter\":{\"upTo\":\"PT15M\",\"per\":\"job\"},\"priority\":-3,"
                + "\"startWithin\":\"PT2H\",\"missed\":{\"run\":\"all\"},"
                + "\"pauseAfterFailures\":5}"),
        job);
  }

  @Test
  void labelsAndADescriptionSayWhatAJobIsFor() throws IOException {
    carillon
        .type(
            "jobs",
            "create",
            "a",
            "--get=" + URL,
            "--every=1d",
            "--label",
            "team=billing",
            "--label=ref=a=b",
            "--description=Sends the bills")
        .ok();

    assertEquals(json("{\"ref\":\"a=b\",\"team\":\"billing\"}"), shown("a").path("labels"));
    assertEquals("Sends the bills", shown("a").path("description").asText());
    assertEquals(2, carillon.type("jobs", "create", "--get=" + URL, "--label=team").code());
  }

  @Test
  void aNodeTakesTheRulesAndSaysWhatComesNext() throws IOException {
    api.put("/calendars/weekends", "{`spans`:[{`weekDays`:[`saturday`,`sunday`]}]}")
        .assertStatus(201);
    String[] words = {
      "jobs",
      "create",
      "a",
      "--get",
      URL,
      "--cron=0 9 * * *",
      "--tz=Europe/Berlin",
      "--exclude=weekends",
      "--overlap=skip",
      "--jitter=10s",
      "--priority=2",
      "--start-within=2h",
      "--missed=all",
      "--pause-after-failures=5"
    };

    Run run = carillon.type(words).ok();

    assertEquals(2, run.lines().size(), run.out());
    assertTrue(run.lines().get(0).startsWith("default/a created, next at 2026-11-23T08:00"));
    run.assertOut(
        "every day at 09:00 Europe/Berlin, except weekends: 2026-11-23T09:00:00+01:00,"
            + " 2026-11-24T09:00:00+01:00, 2026-11-25T09:00:00+01:00");
    assertEquals("skip", shown("a").path("overlap").asText());
    assertEquals("weekends", shown("a").path("calendars").path("exclude").path(0).asText());
    Run stranger =
        carillon.type("jobs", "create", "b", "--get=" + URL, "--every=1d", "--only=gone");
    assertEquals(1, stranger.code());
    stranger.assertErr("gone");
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "--in=10s | give a URL to call: --post, --get, --put or --to",
        "--post=U --get=U | give one of --post, --get, --put and --to",
        "--post=U --to=U | give one of --post, --get, --put and --to",
        "--post=U --method=PUT | --method goes with --to",
        "--get=U --body=x | --body: a GET has none; use --post",
        "--post=U --in=1s --at=2030-01-01 | give one of --in and --at",
        "--post=U --every=1m --cron=@daily | give one of --every and --cron",
        "--post=U --tz=UTC --in=1s | --tz goes with --cron, --every or --at",
        "--post=U --count=2 | --count goes with --every or --cron",
        "--post=U --in=soon | --in must be a duration such as 30s, PT30S or 00:00:30, was 'soon'",
        "--post=U --every=10ms | --every must be whole seconds, 1s at least",
        "--post=U --header=secret | --header must be 'NAME: VALUE'",
        "--post=U --header=A:1 --header=a:2 | --header a is given twice",
        "--post=U --on-excluded=after | --on-excluded goes with --exclude or --only",
        "--post=U --buffer-max=2 --overlap=skip | --buffer-max goes with --overlap bufferAll",
        "--post=U --jitter-per=job | --jitter-per goes with --jitter",
        "--post=U --retry-interval=1s | --retry-interval goes with --retries",
        "--post=U --retries=0 --retry-interval=1s | --retry-interval does not go with --retries 0",
        "--post=U --replace | --replace: give the name of the job",
        "--post=U --body=@/nowhere | /nowhere cannot be read: there is no such file",
      },
      delimiter = '|')
  void whatContradictsItselfIsRefused(String options, String refusal) {
    Run run = CarillonCommands.typeBare(("jobs create " + options).split(" "));

    assertEquals(2, run.code(), run::toString);
    assertEquals("carillon: " + refusal + "\n", run.err());
  }
}
