package carillon.conf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.config.Settings;
import carillon.config.SettingsLoader;
import carillon.node.Node;
import carillon.support.Await;
import carillon.support.LogCapture;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Test of Carillon on a Redis with the recommended configuration of {@code conf/}. */
@Tag("redis")
class RedisConfTest {
  private static final Pattern LISTENING = Pattern.compile("listening on (http://\\S+)");
  private static final String JOB = "/jobcollections/default/jobs/j";

  @TempDir Path dir;
  private final HttpClient http = HttpClient.newHttpClient();

  @Test
  void aNodeStartsAtLevelFsyncAsTheDocumentedUserAndRunsAJob()
      throws IOException, InterruptedException {
    Settings settings =
        SettingsLoader.load(
            List.of(),
            Map.of(
                "CARILLON_HTTP_PORT", "0",
                "CARILLON_PARTITIONS", "4",
                "CARILLON_REDIS_USER", "carillon",
                "CARILLON_REDIS_PASSWORD", "CARILLON-PASSWORD",
                "CARILLON_REDIS_DURABILITY", "fsync"));
    try (ProductionRedis redis = new ProductionRedis(dir);
        LogCapture logs = new LogCapture()) {
      Node app = Await.result(Node.start(settings, List.of(redis.uri()), false));
      String api = listening(logs);

      assertEquals(201, put(api).statusCode());
      Await.until("the job's end", () -> get(api + JOB).contains("\"state\":\"completed\""));
      assertTrue(get(api + JOB + "/history").contains("\"status\":\"completed\""));
      assertTrue(get(api + "/health/ready").contains("\"durability\":\"fsync\""));
      Await.result(app.stop());
      assertFalse(logs.lines().toString().contains("NOPERM"), logs.lines().toString());
    }
  }

  @Test
  void theUsersFileGivesTheRightsThatThePageOnTopologiesNames() throws IOException {
    assertEquals(
        rights(Path.of("src/docs/topologies.md"), "ACL SETUSER carillon on >PASSWORD (.*)"),
        rights(Path.of("conf/redis-users.acl"), "user carillon on >CARILLON-PASSWORD (.*)"));
  }

  private static String rights(Path file, String line) throws IOException {
    Matcher matcher = Pattern.compile("(?m)^" + line + "$").matcher(Files.readString(file));
    assertTrue(matcher.find(), () -> "no such line in " + file);
    return matcher.group(1);
  }

  private HttpResponse<String> put(String api) throws IOException, InterruptedException {
    String job =
        "{'action': {'type': 'redisList', 'redisList': {'list': 'l', 'message': 'm'}}}"
            .replace('\'', '"');
    return http.send(
        HttpRequest.newBuilder(URI.create(api + JOB)).PUT(BodyPublishers.ofString(job)).build(),
        BodyHandlers.ofString());
  }

  private String get(String uri) {
    return http.sendAsync(HttpRequest.newBuilder(URI.create(uri)).build(), BodyHandlers.ofString())
        .thenApply(HttpResponse::body)
        .join();
  }

  private static String listening(LogCapture logs) {
    return logs.lines().stream()
        .map(LISTENING::matcher)
        .filter(Matcher::find)
        .map(matcher -> matcher.group(1))
        .findFirst()
        .orElseThrow();
  }
}
