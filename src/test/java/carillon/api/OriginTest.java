package carillon.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Test of requests that a foreign page sends through the browser of an authorized user. */
@Tag("redis")
class OriginTest {
  @AutoClose private static ApiServer api;

  @BeforeAll
  static void start() {
    api = new ApiServer();
  }

  @ParameterizedTest(name = "{0} from {1} {2}")
  @CsvSource({
    "POST, Sec-Fetch-Site, cross-site, 403",
    "POST, Sec-Fetch-Site, same-site, 403",
    "POST, Sec-Fetch-Site, same-origin, 404",
    "POST, Sec-Fetch-Site, none, 404",
    "DELETE, Sec-Fetch-Site, cross-site, 403",
    "GET, Sec-Fetch-Site, cross-site, 405",
    "POST, Origin, https://evil.example, 403",
    "POST, Origin, null, 403",
    "POST, Origin, http://HOST, 404",
    "POST, Origin, https://HOST, 404",
    "POST, Accept, application/json, 404",
  })
  void onlyLooks(String method, String header, String value, int status) {
    String text = value.replace("HOST", "127.0.0.1:" + api.port());
    String path = "/jobcollections/default/jobs/none/run";

    assertEquals(status, send(method, path, header, text), method + " " + text);
  }

  private static int send(String method, String path, String header, String value) {
    String answer =
        api.sendRaw(
            "%s %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nConnection: close\r\n%s: %s\r\n\r\n"
                .formatted(method, path, api.port(), header, value));
    return Integer.parseInt(answer.substring(9, 12));
  }
}
