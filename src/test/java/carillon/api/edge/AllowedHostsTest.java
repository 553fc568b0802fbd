package carillon.api.edge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import carillon.api.ApiServer;
import carillon.api.TestLimits;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Test of the host names under which an API without authentication is served. */
@Tag("redis")
class AllowedHostsTest {
  @AutoClose private static ApiServer api;

  @BeforeAll
  static void start() {
    AllowedHosts names = AllowedHosts.loopbackAnd(List.of("Jobs.example.org"));
    api = new ApiServer(ApiServer.OPEN, TestLimits.admission(names, Long.MAX_VALUE));
  }

  private static String ask(String method, String path, String host) {
    String line = host.isEmpty() ? "" : "Host: " + host + "\r\n";
    String version = host.isEmpty() ? " HTTP/1.0\r\n" : " HTTP/1.1\r\n";
    return api.sendRaw(method + " " + path + version + line + "Connection: close\r\n\r\n");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      value = {
        "localhost | 200",
        "LocalHost:8080 | 200",
        "127.0.0.1 | 200",
        "127.0.0.1:1 | 200",
        "127.8.9.10:8080 | 200",
        "[::1] | 200",
        "[::1]:8080 | 200",
        "jobs.example.org | 200",
        "JOBS.example.org:443 | 200",
        "'' | 200",
        "evil.example:8080 | 421",
        "localhost.evil.example | 421",
        "127.0.0.1.evil.example:8080 | 421",
        "127.evil.example | 421",
        "127.0.0.1a | 421",
        "x.jobs.example.org | 421",
        "10.0.0.1 | 421",
        "0.0.0.0:8080 | 421",
        "[::2]:8080 | 421",
        "[::ffff:127.0.0.1] | 421",
      },
      delimiter = '|')
  void onlyThoseOfThisMachineAndThoseThatAreListed(String host, int status) {
    String answer = ask("GET", "/jobcollections", host);

    assertEquals(status, Integer.parseInt(answer.substring(9, 12)), answer);
  }

  @Test
  void theAnswerNamesTheNameTheRuleAndTheSetting() {
    String answer = ask("GET", "/jobcollections", "evil.example:8080");

    assertTrue(answer.contains("MisdirectedRequest"), answer);
    assertTrue(answer.contains("evil.example") && answer.contains("http.names"), answer);
  }

  @ParameterizedTest(name = "{0} {1}")
  @CsvSource({"GET, /", "GET, /health/live", "GET, /metrics", "GET, /console/executions"})
  @CsvSource({"PUT, /jobcollections/default/jobs/j", "GET, /subscriptions/s/resourceGroups/g"})
  void nothingAtAllIsServedUnderOthers(String method, String path) {
    assertEquals("421", ask(method, path, "evil.example").substring(9, 12));
  }
}
