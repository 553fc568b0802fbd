package carillon.json;

import static org.junit.jupiter.api.Assertions.assertEquals;

import carillon.job.JobDefinition;
import carillon.job.JobDefinition.Metadata;
import carillon.job.action.Action;
import carillon.job.action.ActionCall;
import carillon.job.action.HttpCall;
import carillon.job.name.JobKey;
import carillon.support.Await;
import carillon.support.RedisServer;
import io.vertx.core.Vertx;
import io.vertx.redis.client.Command;
import io.vertx.redis.client.Redis;
import io.vertx.redis.client.Request;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Compares the script fragment {@code definition}, which searches stored jobs, with the jobs. */
@Tag("redis")
class DefinitionScriptTest {
  private static final Path FRAGMENT = Path.of("src/main/resources/lua/definition.lua");
  private static final JobKey JOB = new JobKey("s/g/c/j");
  private static final List<String> URIS =
      List.of(
          "http://a/",
          "http://a:80/x?y=/",
          "http://a:8080/",
          "https://a/x",
          "http://A/",
          "http://a",
          "http://a#/",
          "http://a?x=/",
          "http://[::1]:1/");

  private static final Vertx VERTX = Vertx.vertx();
  private static Redis redis;

  @BeforeAll
  static void connect() {
    redis = Redis.createClient(VERTX, RedisServer.shared().uri().toString());
  }

  @AfterAll
  static void close() {
    redis.close();
    Await.result(VERTX.close());
  }

  /** Evaluates an expression with the fragment for each text. */
  private static List<String> evaluate(String expression, List<String> texts) throws IOException {
    Request script =
        Request.cmd(Command.EVAL)
            .arg(
                Files.readString(FRAGMENT)
                    + "local found = {} for i, text in ipairs(ARGV) do found[i] = tostring("
                    + expression
                    + ") end return found")
            .arg(0);
    texts.forEach(script::arg);
    return Await.result(redis.send(script)).stream().map(Object::toString).toList();
  }

  private static JobDefinition of(ActionCall call, Optional<HttpCall> error, String text) {
    JobDefinition plain =
        StoredJson.readJob(JOB, "{\"action\":{\"request\":{\"uri\":\"http://h/\"}}}");
    Action action = plain.action();
    return new JobDefinition(
        plain.startTime(),
        new Action(
            call, action.retryPolicy(), action.timeout(), action.successOn(), action.flow(), false),
        error.map(
            e ->
                new Action(
                    e,
                    action.retryPolicy(),
                    action.timeout(),
                    action.successOn(),
                    action.flow(),
                    false)),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        plain.occurrences(),
        OptionalInt.empty(),
        new Metadata(Optional.of(text), Map.of("action", "request")));
  }

  /** Includes error actions that call elsewhere, and texts that look like an action. */
  private static List<JobDefinition> jobs() {
    List<JobDefinition> jobs = new ArrayList<>();
    for (int seed = 0; seed < 300; seed++) {
      jobs.add(new RandomDefinitions(new Random(seed)).withQueues().next());
    }
    for (String uri : URIS) {
      HttpCall call = new HttpCall(false, uri, "GET", Map.of(), Optional.empty());
      String part = "\"action\":{\"request\":{\"uri\":\"" + uri + "\",\"flow\":\"f\"";
      JobDefinition other = jobs.get(jobs.size() / 2);
      jobs.add(of(call, Optional.empty(), "x"));
      jobs.add(of(other.action().call(), Optional.of(call), part));
      jobs.add(
          of(
              new HttpCall(false, "http://o/", "POST", Map.of("action", part), Optional.of(part)),
              Optional.of(call),
              part));
    }
    return jobs;
  }

  @Test
  void theOriginIsThatOfTheActionAsItsUriSpellsIt() throws IOException {
    List<JobDefinition> jobs = jobs();

    List<String> found = evaluate("origin_of(text)", jobs.stream().map(StoredJson::write).toList());

    for (int i = 0; i < jobs.size(); i++) {
      JobDefinition job = jobs.get(i);
      assertEquals(StoredJson.origin(job.action().call()).orElse("nil"), found.get(i));
    }
  }

  @Test
  void aFlowAndConditionsAreFoundWhereTheJobHasThem() throws IOException {
    List<JobDefinition> jobs = jobs();
    List<String> texts = jobs.stream().map(StoredJson::write).toList();

    List<String> flows = evaluate("names_flow(text) and true or false", texts);
    List<String> conditions = evaluate("has_conditions(text) and true or false", texts);

    for (int i = 0; i < jobs.size(); i++) {
      JobDefinition job = jobs.get(i);
      boolean hasFlow =
          job.action().flow().isPresent() || job.errorAction().flatMap(Action::flow).isPresent();
      assertEquals(hasFlow, Boolean.parseBoolean(flows.get(i)), texts.get(i));
      boolean hasConditions =
          job.occurrences().startWithin().isPresent() || job.occurrences().calendars().isPresent();
      assertEquals(hasConditions, Boolean.parseBoolean(conditions.get(i)), texts.get(i));
    }
  }
}
